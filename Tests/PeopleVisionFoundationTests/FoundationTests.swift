import Foundation
import ImageFiles
import PeopleVision
import PeopleVisionFoundation
import TestSupport
import Testing

/// Foundation's types where the library has its own.
struct FoundationTests {
    @Test func geometryIsVisions() {
        let (size, point) = (CGSize(width: 200, height: 100), Point(x: 0.25, y: 0.25))
        #expect(point.toImageCoordinates(size) == CGPoint(x: 50, y: 75))
        #expect(point.toImageCoordinates(size, origin: .upperLeft) == CGPoint(x: 50, y: 25))
        #expect(Point(imagePoint: CGPoint(x: 50, y: 75), in: size) == point)
        let box = Rectangle(x: 0.25, y: 0.25, width: 0.5, height: 0.25)
        #expect(box.toImageCoordinates(size) == CGRect(x: 50, y: 50, width: 100, height: 25))
        #expect(box.verticallyFlipped() == Rectangle(x: 0.25, y: 0.5, width: 0.5, height: 0.25))
        #expect(Rectangle(box.cgRect) == box && Size(size).cgSize == size && Point(point.cgPoint) == point)
        #expect(box.origin == Point(x: 0.25, y: 0.25))
        #expect(Rectangle.fullImage.verticallyFlipped() == .fullImage)
    }

    /// Observations keep their values through JSON, and a list of another length is refused.
    @Test func observationsAreCoded() async throws {
        let url = Checkout.astronaut
        let faces = try await DetectFaceLandmarksRequest().perform(on: url)
        let request = DetectHumanBodyPoseRequest()
        request.configuration.attributes = [.pose3D]
        let bodies = try await request.perform(on: Data(contentsOf: url))
        let hands = try await ImageRequestHandler(url).perform(DetectHumanHandPoseRequest())
        #expect(faces.count == 1 && bodies.count == 1 && bodies[0].pose3D != nil)
        #expect(try coded(faces) == faces && coded(bodies) == bodies && coded(hands) == hands)
        #expect(Set(faces + faces).count == 1)
        let text = String(decoding: try JSONEncoder().encode(bodies[0]), as: UTF8.self)
        let parts = text.split(separator: "\"joints\":[", maxSplits: 1).map { String($0) }
        let joint = #"{"confidence":1,"location":{"x":0,"y":0}}"#
        let broken = parts[0] + "\"joints\":[\(joint)," + (parts.last ?? "")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(HumanBodyPoseObservation.self, from: Data(broken.utf8))
        }
        let degrees = faces[0].measuredAngles.yaw.converted(to: .degrees).value
        #expect(abs(degrees - faces[0].angles(in: .degrees).yaw) < 1e-9)
    }

    private func coded<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test func addressesAreFiles() async throws {
        let address = try #require(URL(string: "https://localhost/picture.png"))
        for call in [
            { () async throws in _ = try await DetectFaceRectanglesRequest().perform(on: address) },
            { () async throws in
                _ = try await ImageRequestHandler(address).perform(DetectFaceRectanglesRequest())
            },
        ] {
            await #expect(throws: VisionError.self) { try await call() }
        }
        #expect(try ImageFile(Checkout.astronaut).view.width > 100)
    }
}
