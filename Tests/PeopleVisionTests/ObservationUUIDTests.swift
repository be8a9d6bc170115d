import Foundation
import Imaging
import PeopleVision
import TestSupport
import Testing

@Suite struct ObservationUUIDTests {
    private func faces() throws -> [FaceObservation] {
        let request = DetectFaceRectanglesRequest()
        request.modelPath = Checkout.models.path
        let image = try Photo.row(of: 2).image
        return try request.perform(on: image.view)
    }

    /// Foundation reads the text, and finds a random UUID in it.
    @Test func identifiersAreUUIDs() throws {
        let found = try (0..<20).flatMap { _ in try faces() }
        #expect(found.count == 40 && Set(found.map(\.uuid)).count == 40)
        for face in found {
            let uuid = try #require(UUID(uuidString: face.uuid.uuidString))
            #expect(uuid.uuidString == face.uuid.uuidString && face.uuid.description == uuid.uuidString)
            #expect(uuid.uuid.6 >> 4 == 4 && uuid.uuid.8 >> 6 == 2)
            #expect(ObservationUUID(uuidString: uuid.uuidString) == face.uuid)
        }
    }

    @Test func textsOfOtherFormsAreNone() throws {
        let text = "00112233-4455-6677-8899-AABBCCDDEEFF"
        #expect(ObservationUUID(uuidString: text)?.uuidString == text)
        #expect(ObservationUUID(uuidString: text.lowercased())?.uuidString == text)
        for wrong in [
            "", "-", text + "0", "+" + text.dropFirst(), "001122334455-6677-8899-AABBCCDDEEFF",
            "é" + text.dropFirst(2),
        ] {
            #expect(ObservationUUID(uuidString: wrong) == nil, "\(wrong)")
        }
    }

    /// Equal images give equal observations with identifiers of their own, which copies and JSON keep.
    @Test func identifiersTakeNoPartInComparisons() throws {
        let (first, second) = (try faces(), try faces())
        #expect(first == second && Set(first + second).count == 2)
        #expect(first.map(\.uuid) != second.map(\.uuid))
        let copies = first
        #expect(copies.map(\.uuid) == first.map(\.uuid))
        let json = try JSONEncoder().encode(first)
        let read = try JSONDecoder().decode([FaceObservation].self, from: json)
        #expect(read == first && read.map(\.uuid) == first.map(\.uuid))
        let fields = try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
        #expect(fields[0]["uuid"] as? String == first[0].uuid.uuidString)
    }

    @Test func everyObservationHasOne() throws {
        let image = try Photo.clip(frame: 60).image
        let bodies = DetectHumanBodyPoseRequest()
        (bodies.attributes, bodies.detectsHands) = ([.pose3D], true)
        let body = try #require(try bodies.perform(on: image.view).first)
        let people = DetectPeopleRequest()
        people.attributes = [.bodies]
        let person = try #require(try people.perform(on: image.view).first)
        let read = try JSONDecoder().decode(PersonObservation.self, from: JSONEncoder().encode(person))
        #expect(read.uuid == person.uuid && read.body?.uuid == person.body?.uuid && read == person)
        let observations: [any VisionObservation] = [
            body, try #require(body.pose3D), try #require(body.leftHand ?? body.rightHand), person,
            try #require(try DetectHumanRectanglesRequest().perform(on: image.view).first),
            try GenerateObjectnessBasedSaliencyImageRequest().perform(on: image.view),
        ]
        #expect(Set(observations.map(\.uuid)).count == observations.count)
        let coded = try JSONDecoder().decode(
            HumanBodyPoseObservation.self, from: JSONEncoder().encode(body))
        #expect(coded == body && coded.uuid == body.uuid && coded.leftHand?.uuid == body.leftHand?.uuid)
        #expect(coded.pose3D?.uuid == body.pose3D?.uuid)
    }
}
