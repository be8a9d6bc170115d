import Imaging
import PeopleVision
import TestSupport
import Testing

/// Regions of interest, compared with an image that ends where the region does.
@Suite struct RegionOfInterestTests {
    /// Two people side by side, 512x256; the region is the right one with some of the left, 320x192 pixels.
    private let photo: Photo
    private let region = Rectangle(x: 192.0 / 512, y: 0, width: 320.0 / 512, height: 0.75)
    private var alone: Photo { photo.part(192, 0, 320, 192) }

    init() throws { photo = try .row(of: 2) }

    /// Sets the models, and the region for the first of two requests.
    private func requests<Request: VisionRequest>(
        _ make: () -> Request, _ prepare: (Request) -> Void = { _ in }
    ) -> (of: Request, whole: Request) {
        let (cropped, whole) = (make(), make())
        prepare(cropped)
        prepare(whole)
        cropped.configuration.regionOfInterest = region
        return (cropped, whole)
    }

    /// Results for the region, and for the part as an image of its own.
    private func results<Request: VisionRequest>(
        _ make: () -> Request, _ prepare: (Request) -> Void = { _ in }
    ) throws -> (part: Request.Observation, alone: Request.Observation) {
        let requests = requests(make, prepare)
        let (image, part) = (photo.image, alone.image)
        return (
            try requests.of.perform(on: image.view), try requests.whole.perform(on: part.view)
        )
    }

    private func isMoved(_ found: Rectangle, from box: Rectangle, within error: Double = 1e-9) -> Bool {
        let expected = Rectangle(
            x: region.x + box.x * region.width, y: region.y + box.y * region.height,
            width: box.width * region.width, height: box.height * region.height)
        return abs(found.x - expected.x) <= error && abs(found.y - expected.y) <= error
            && abs(found.width - expected.width) <= error && abs(found.height - expected.height) <= error
    }

    private func isMoved(_ found: Point, from point: Point) -> Bool {
        let size = (0.0, 0.0)
        return isMoved(
            Rectangle(x: found.x, y: found.y, width: size.0, height: size.1),
            from: Rectangle(x: point.x, y: point.y, width: size.0, height: size.1))
    }

    @Test func facesAreThoseOfThePartAtTheirPlaces() throws {
        let found = try results(
            { DetectFaceLandmarksRequest() }, { $0.configuration.modelPath = Checkout.models.path })
        try #require(found.part.count == 1 && found.alone.count == 1)
        let (face, other) = (found.part[0], found.alone[0])
        #expect(isMoved(face.boundingBox, from: other.boundingBox))
        #expect(zip(face.mesh, other.mesh).allSatisfy { isMoved($0.position, from: $1.position) })
        let (eye, otherEye) = (try #require(face.landmarks).leftEye, try #require(other.landmarks).leftEye)
        #expect(eye.points.count == 6 && zip(eye.points, otherEye.points).allSatisfy(isMoved))
        // Both are the same distance away, but the camera looks at the middle of the whole image.
        #expect(face.confidence == other.confidence && face.mesh[1].depth != other.mesh[1].depth)
        let whole = DetectFaceLandmarksRequest()
        whole.modelPath = Checkout.models.path
        let image = photo.image
        let right = try #require(
            try whole.perform(on: image.view).max { $0.boundingBox.x < $1.boundingBox.x })
        #expect(abs(face.mesh[1].depth - right.mesh[1].depth) < 0.004)
        #expect(abs(face.boundingBox.x - right.boundingBox.x) < 0.005)
    }

    @Test func bodiesHandsAndBoxesAreThoseOfThePart() throws {
        let prepare = { (request: BodyRequest) in
            request.configuration.modelPath = Checkout.models.path
            request.configuration.attributes = [.pose3D]
        }
        let bodies = try results({ DetectHumanBodyPoseRequest() }, prepare)
        try #require(bodies.part.count == 1 && bodies.alone.count == 1)
        let (body, other) = (bodies.part[0], bodies.alone[0])
        #expect(isMoved(body.boundingBox, from: other.boundingBox))
        #expect(zip(body.joints, other.joints).allSatisfy { isMoved($0.location, from: $1.location) })
        // The camera sees the joints in space where they are in the whole image, as far as the poses allow.
        let nose = body.joint(.nose).location
        let head = try #require(body.pose3D?.pointInImage(for: .centerHead))
        #expect(abs(head.x - nose.x) < 0.05 && abs(head.y - nose.y) < 0.1)
        let boxes = try results({ DetectHumanRectanglesRequest() }, prepare)
        #expect(boxes.part.count == 1 && isMoved(boxes.part[0].boundingBox, from: boxes.alone[0].boundingBox))
        let people = try Photo.clip(frame: 60)
        let hands = DetectHumanHandPoseRequest()
        hands.modelPath = Checkout.models.path
        hands.maximumHandCount = 6
        let image = people.image
        let all = try hands.perform(on: image.view)
        hands.regionOfInterest = Rectangle(x: 0, y: 0, width: 0.25, height: 1)
        let left = try hands.perform(on: image.view)
        #expect(all.count >= 3 && (1..<all.count).contains(left.count))
        for hand in left {
            #expect(hand.boundingBox.center.x < 0.25)
            #expect(all.contains { abs($0.boundingBox.center.x - hand.boundingBox.center.x) < 0.02 })
        }
    }

    /// Camera and depth are those of the whole image, also in a region at its edge.
    @Test func spaceIsThatOfTheWholeImage() throws {
        let request = DetectHumanBodyPose3DRequest()
        request.modelPath = Checkout.models.path
        let image = photo.image
        let whole = try #require(
            try request.perform(on: image.view).max { $0.rootPosition.x < $1.rootPosition.x })
        request.regionOfInterest = Rectangle(x: 0.5, y: 0, width: 0.5, height: 1)
        let part = try #require(try request.perform(on: image.view).first)
        let (a, b) = (whole.rootPosition, part.rootPosition)
        // With a camera of the region's own, x would be about 0, and half of the distance be missing.
        #expect(abs(a.x - b.x) < 0.15 * abs(a.z) && a.x > 0.1 && abs(a.z - b.z) < 0.2 * abs(a.z), "\(a) \(b)")
    }

    @Test(arguments: [ImageOrientation.up, .right])
    func masksAreZeroOutsideAndThatOfThePartInside(orientation: ImageOrientation) throws {
        let request = GeneratePersonSegmentationRequest()
        (request.qualityLevel, request.outputPixelFormat) = (.balanced, .f32)
        request.modelPath = Checkout.models.path
        let stored = orientation == .up ? photo : photo.storedForRight
        let image = stored.image
        // Of the stored image, the half in which one of the two is.
        let isUpright = orientation == .up
        let half = Rectangle(
            x: isUpright ? 0.5 : 0, y: 0, width: isUpright ? 0.5 : 1, height: isUpright ? 1 : 0.5)
        let alone = stored.part(isUpright ? 256 : 0, 0, 256, 256).image
        let expected = try request.perform(on: alone.view, orientation: orientation).mask
        request.regionOfInterest = half
        let layout = request.maskLayout(
            width: stored.width, height: stored.height, orientation: orientation)
        let part = try request.perform(on: image.view, orientation: orientation).mask
        let (width, height) = (part.view.width, part.view.height)
        #expect(width == layout.width && height == layout.height)
        #expect(expected.view.width == Int(Double(width) * half.width))
        var (inside, outside, difference) = (0.0, 0.0, 0.0)
        for (index, value) in part.values.enumerated() {
            let x = index % width - Int(half.x * Double(width))
            let y = index / width
            if x >= 0 && x < expected.view.width && y < expected.view.height {
                inside += Double(value)
                difference += Double(abs(value - expected.values[y * expected.view.width + x]))
            } else {
                outside += Double(value)
            }
        }
        #expect(outside == 0 && inside > 0.2 * Double(part.values.count) / 2)
        #expect(difference < 0.01 * inside, "\(difference) of \(inside)")
    }

    @Test func labelsAreWholeAndBoxesAreInTheRegion() throws {
        let people = try Photo.clip(frame: 60)
        let image = people.image
        let request = GeneratePersonInstanceMaskRequest()
        request.segmentation.qualityLevel = .fast
        request.segmentation.modelPath = Checkout.models.path
        request.regionOfInterest = Rectangle(x: 0.05, y: 0.02, width: 0.9, height: 0.9)
        let found = try request.perform(on: image.view)
        #expect(found.instances.count == 3)
        // Labels are never mixed: the seam between 1 and 3 has no 2.
        let numbers = Set(found.labels.values.map { Int(($0 * 255).rounded()) })
        #expect(numbers == [0, 1, 2, 3])
        for instance in found.instances {
            let box = instance.boundingBox
            #expect(box.x >= 0.049 && box.x + box.width <= 0.951 && box.y >= 0.019)
            #expect(
                found.instanceAtPoint(NormalizedPoint(x: box.center.x, y: box.center.y)) == [instance.label])
        }
        let order = found.instances.sorted { $0.boundingBox.x < $1.boundingBox.x }.map(\.label)
        let width = found.labels.view.width
        let first = found.labels.view.height * 3 / 5 * width
        let row: [Int] = found.labels.values[first..<first + width].map { Int(($0 * 255).rounded()) }
        let places: [Int] = order.map { label in row.firstIndex(of: label) ?? -1 }
        #expect(places == places.sorted() && !places.contains(-1))
    }

    @Test func everyRequestHasARegion() throws {
        let (image, half) = (photo.image, Rectangle(x: 0.5, y: 0, width: 0.5, height: 1))
        func isInside(_ box: Rectangle) -> Bool { box.x > 0.49 && box.x + box.width < 1.01 }
        let people = DetectPeopleRequest()
        people.regionOfInterest = half
        people.instances.segmentation.qualityLevel = .fast
        let person = try people.perform(on: image.view)
        #expect(person.count(where: { $0.id != nil }) == 1)
        let found = try #require(person.first)
        #expect(isInside(found.boundingBox) && found.face.map { isInside($0.boundingBox) } == true)
        #expect(found.instance != nil && found.body != nil)
        let subjects = GenerateForegroundInstanceMaskRequest()
        (subjects.regionOfInterest, subjects.segmentation.qualityLevel) = (half, .fast)
        let lifted = try subjects.perform(on: image.view)
        // A person and a helmet.
        #expect(lifted.instances.count == 2 && lifted.instances.allSatisfy { isInside($0.boundingBox) })
        let objects = GenerateObjectnessBasedSaliencyImageRequest()
        objects.regionOfInterest = half
        let attention = GenerateAttentionBasedSaliencyImageRequest()
        attention.regionOfInterest = half
        let maps = [(try objects.perform(on: image.view), 2), (try attention.perform(on: image.view), 1)]
        for (found, count) in maps {
            #expect(found.salientObjects.count == count)
            #expect(found.salientObjects.allSatisfy { isInside($0.boundingBox) })
            let heat = found.heatMap.values.enumerated()
            #expect(heat.allSatisfy { $0.offset % 68 >= 34 || $0.element == 0 })
            #expect(found.heatMap.values.max() ?? 0 > 0.9)
        }
    }

    /// A region within whole pixels of shared chroma; the result of the pixels that it touches.
    @Test func regionsWithoutPixelsAreErrors() throws {
        let image = photo.image
        let request = DetectFaceRectanglesRequest()
        for region in [
            Rectangle(x: 0.5, y: 0.5, width: 0, height: 0.5), Rectangle(x: 2, y: 0, width: 1, height: 1),
            Rectangle(x: 0, y: -3, width: 1, height: 1), Rectangle(x: .nan, y: 0, width: 1, height: 1),
            Rectangle(x: 0, y: 0, width: -.infinity, height: 1),
        ] {
            request.regionOfInterest = region
            #expect(throws: VisionError.self) { try request.perform(on: image.view) }
        }
        // What lies outside of the image is left out.
        request.regionOfInterest = Rectangle(x: 0.5, y: -1, width: 7, height: .infinity)
        let faces = try request.perform(on: image.view)
        #expect(faces.count == 1 && faces[0].boundingBox.x > 0.5)
    }
}
