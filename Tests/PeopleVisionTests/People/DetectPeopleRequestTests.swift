import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of one request that finds people with all their parts.
struct DetectPeopleRequestTests {
    private func request() -> DetectPeopleRequest {
        let request = DetectPeopleRequest()
        request.instances.segmentation.qualityLevel = .fast
        request.instances.segmentation.modelPath = Checkout.models.path
        request.bodies.modelPath = Checkout.models.path
        request.faces.modelPath = Checkout.models.path
        request.hands.modelPath = Checkout.models.path
        return request
    }

    private func perform(
        _ request: DetectPeopleRequest, _ photo: Photo, at time: Duration? = nil
    ) throws -> [PersonObservation] {
        let image = photo.image
        return try request.perform(on: InputFrame(image.view, time: time))
    }

    private func contains(_ box: Rectangle, _ point: Point) -> Bool {
        (box.x...box.x + box.width).contains(point.x) && (box.y...box.y + box.height).contains(point.y)
    }

    @Test func eachPersonHasAllParts() throws {
        let request = request()
        let people = try perform(request, try .row(of: 3)).filter { $0.id != nil }
        #expect(people.count == 3 && Set(people.map(\.id)).count == 3)
        for person in people {
            let (body, face) = (try #require(person.body), try #require(person.face))
            #expect(contains(face.boundingBox, body.joint(.nose).location))
            let instance = try #require(person.instance)
            #expect(person.boundingBox == instance.boundingBox && person.id == instance.id)
            #expect(contains(instance.boundingBox, face.boundingBox.center))
        }
    }

    @Test func partsAreThoseOfTheRequestsByThemselves() throws {
        let (photo, request) = (try Photo.row(of: 2), request())
        let people = try perform(request, photo)
        let (bodies, faces) = (
            DetectHumanBodyPoseRequest(request.bodies), DetectFaceRectanglesRequest(request.faces)
        )
        let image = photo.image
        let (joints, boxes) = (
            try bodies.perform(on: image.view).map(\.joints),
            try faces.perform(on: image.view).map(\.boundingBox)
        )
        #expect(
            Set(people.compactMap { $0.body?.joints.first?.location.x })
                == Set(joints.map { $0[0].location.x }))
        #expect(Set(people.compactMap { $0.face?.boundingBox.x }) == Set(boxes.map(\.x)))
        let masks = try #require(request.masks)
        let mask = try #require(
            MaskMemory(format: .gray8, width: masks.layout.width, height: masks.layout.height))
        try masks.writeMask(of: #require(people[0].instance).label, into: mask.mutableView)
        #expect(mask.values.contains { $0 > 0.9 })
    }

    @Test func facesAndHandsAreLookedForWherePeopleAre() throws {
        let request = request()
        request.attributes = [.bodies, .faces, .hands]
        let (photo, people) = (try Photo.row(of: 3), try perform(request, .row(of: 3)))
        let hands = DetectHumanHandPoseRequest(request.hands)
        hands.maximumHandCount = 8
        #expect(people.count { $0.face != nil } == 3)
        let found = people.flatMap(\.hands).map(\.boundingBox.center)
        for hand in try hands.perform(on: photo.image.view) {
            let size = max(hand.boundingBox.width, hand.boundingBox.height)
            #expect(
                found.contains {
                    abs($0.x - hand.boundingBox.center.x) < size / 2
                        && abs($0.y - hand.boundingBox.center.y) < size / 2
                })
        }
    }

    @Test func aStreamsPeopleKeepTheirIds() throws {
        let request = request()
        request.mode = .recording
        let ids = try (0..<12).map {
            try perform(request, try .row(of: 2), at: .milliseconds(40 * $0)).map(\.id)
        }
        #expect(ids[0].count == 2 && ids.allSatisfy { $0 == ids[0] })
    }

    @Test func findsOnlyTheRequestedParts() throws {
        let request = request()
        request.attributes = [.bodies, .faces]
        let people = try perform(request, try .row(of: 2))
        #expect(
            people.count == 2
                && people.allSatisfy { $0.instance == nil && $0.face != nil && $0.id == $0.body?.id })
        // Without masks and bodies nobody could have an id.
        request.attributes = .faces
        #expect(try perform(request, try .row(of: 2)).allSatisfy { $0.id != nil && $0.face != nil })
        request.attributes = .masks
        #expect(
            try perform(request, try .row(of: 2)).allSatisfy {
                $0.instance != nil && $0.body == nil && $0.face == nil
            })
    }

    @Test func findsNobodyInAnEmptyImage() throws {
        #expect(try perform(request(), .grey(width: 320, height: 240)).isEmpty)
    }

    @Test func anUnknownRevisionIsRefused() throws {
        let request = request()
        request.revision = 2
        #expect(throws: VisionError.self) { try perform(request, .grey(width: 32, height: 32)) }
    }
}
