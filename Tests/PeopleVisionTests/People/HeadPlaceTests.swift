import Glibc
import Imaging
import PeopleVision
import Testing

/// The places of heads, from faces and bodies.
struct HeadPlaceTests {
    private typealias Name = HumanBodyPoseObservation.JointName

    /// Returns the joints of a person of 1.8 m who stands upright, seen from an angle: 0 ahead, pi / 2 from the
    /// side; in a square frame in which a metre is half the height.
    private func joints(confidence: Double = 1, turnedBy angle: Double = 0) -> [Joint] {
        // Metres to the person's left, upwards from the middle of the hips, and ahead.
        let places: [Name: SIMD3<Double>] = [
            .nose: SIMD3(0, 0.69, 0.12), .leftEye: SIMD3(0.03, 0.72, 0.1), .rightEye: SIMD3(-0.03, 0.72, 0.1),
            .leftEar: SIMD3(0.075, 0.7, 0), .rightEar: SIMD3(-0.075, 0.7, 0), .neck: SIMD3(0, 0.5, 0),
            .leftShoulder: SIMD3(0.18, 0.5, 0), .rightShoulder: SIMD3(-0.18, 0.5, 0), .root: SIMD3(),
            .leftHip: SIMD3(0.1, 0, 0), .rightHip: SIMD3(-0.1, 0, 0),
        ]
        return Name.allCases.map { name in
            let place = places[name] ?? SIMD3(0, -0.5, 0)
            let across = place.x * cos(angle) + place.z * sin(angle)
            return Joint(
                location: Point(x: 0.5 + across / 2, y: 0.6 - place.y / 2), confidence: confidence)
        }
    }

    /// The circle is around the ears, and as large as a head from any direction.
    @Test(arguments: [0, 0.4, 0.8, 1.2, 1.57])
    func aHeadIsAroundTheEars(_ angle: Double) throws {
        for confidence in [0.1, 1] {
            let head = try #require(
                HeadPlace(joints: joints(confidence: confidence, turnedBy: angle), aspectRatio: 1))
            #expect(abs(head.center.x - 0.5) < 0.001 && abs(head.center.y - 0.25) < 0.001)
            // In metres.
            #expect((0.14...0.22).contains(2 * head.radius), "\(2 * head.radius)")
        }
    }

    /// A wide frame has the same head, whose x is a smaller share of the width.
    @Test func theAspectRatioCounts() throws {
        let wide = joints().map {
            Joint(location: Point(x: $0.location.x / 2, y: $0.location.y), confidence: $0.confidence)
        }
        let (head, other) = (
            HeadPlace(joints: joints(), aspectRatio: 1), HeadPlace(joints: wide, aspectRatio: 2)
        )
        #expect(abs(try #require(head).radius - (try #require(other).radius)) < 1e-9)
    }

    @Test func uselessNumbersAreNoHead() {
        #expect(HeadPlace(joints: [], aspectRatio: 1) == nil)
        let nowhere = Joint(location: Point(x: .nan, y: 0), confidence: 1)
        #expect(HeadPlace(joints: Name.allCases.map { _ in nowhere }, aspectRatio: 1) == nil)
        let point = Joint(location: Point(x: 0.5, y: 0.5), confidence: 1)
        #expect(HeadPlace(joints: Name.allCases.map { _ in point }, aspectRatio: 1) == nil)
        for side in [0, .infinity, .nan] {
            let box = Rectangle(x: 0, y: 0, width: side, height: side)
            #expect(HeadPlace(face: box, up: Point(x: 0, y: -1), aspectRatio: 1) == nil)
        }
    }

    /// Every value whose square the circle reaches is set, and no other but those at its edge.
    @Test(arguments: [(0.3, 0.4, 0.2, 1.5), (0, 0, 0.3, 0.6), (1.1, 0.5, 0.25, 2), (0.5, 0.5, 0.001, 1)])
    func fillsTheCircle(_ x: Double, _ y: Double, _ radius: Double, _ aspectRatio: Double) {
        let (head, mask) = (HeadPlace(center: Point(x: x, y: y), radius: radius), image(0))
        head.fill(mask, people: image(0), visible: 0.5, aspectRatio: aspectRatio)
        let slack = aspectRatio / 40 + 1.0 / 30
        for row in 0..<30 {
            for column in 0..<40 {
                let dx = ((Double(column) + 0.5) / 40 - x) * aspectRatio
                let dy = (Double(row) + 0.5) / 30 - y
                let distance = (dx * dx + dy * dy).squareRoot()
                let value = mask.row(row)[column]
                if distance <= radius { #expect(value == 1) }
                if distance > radius + slack { #expect(value == 0) }
            }
        }
    }

    private func image(_ value: Float) -> FloatImage {
        let image = FloatImage()
        image.resize(width: 40, height: 30)
        image.fill(value)
        return image
    }

    /// Hair and hats are what the mask shows above the centre, up to 1.6 radii from it.
    @Test(arguments: [Point(x: 0, y: -1), Point(x: 2, y: 0), Point(x: -0.3, y: 0.4)])
    func fillsWhatTheMaskShowsAboveTheHead(_ up: Point) {
        let (head, mask) = (HeadPlace(center: Point(x: 0.5, y: 0.5), radius: 0.2, up: up), image(0))
        head.fill(mask, people: image(0.6), visible: 0.5, aspectRatio: 4.0 / 3)
        for row in 0..<30 {
            for column in 0..<40 {
                let (dx, dy) = ((Double(column) - 19.5) / 30, (Double(row) - 14.5) / 30)
                let (distance, isAbove) = ((dx * dx + dy * dy).squareRoot(), dx * up.x + dy * up.y > 0.001)
                let isBelow = dx * up.x + dy * up.y < -0.001
                if distance < 0.2 || distance < 0.31 && isAbove { #expect(mask.row(row)[column] == 1) }
                if distance > 0.33 || distance > 0.24 && isBelow { #expect(mask.row(row)[column] == 0) }
            }
        }
    }

    /// A head beyond the frame is looked for at its edge.
    @Test func mostOfThePointsOfAHeadShowThePerson() {
        let head = HeadPlace(center: Point(x: 0.5, y: -0.2), radius: 0.1)
        #expect(head.isSeen(aspectRatio: 1) { $0 == Point(x: 0.5, y: 0) })
        #expect(!head.isSeen(aspectRatio: 1) { $0 != Point(x: 0.5, y: 0) })
        #expect(!head.isSeen(aspectRatio: 1) { _ in false })
    }
}
