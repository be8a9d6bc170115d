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
        let degrees = faces[0].yaw.converted(to: .degrees).value
        #expect(abs(degrees - faces[0].angles(in: .degrees).yaw) < 1e-9)
    }

    /// Values have Vision's types, and those of the library where they are asked for.
    @Test func valuesHaveVisionsTypes() async throws {
        let url = Checkout.astronaut
        let request = DetectFaceCaptureQualityRequest()
        request.attributes = [.landmarks]
        let face = try #require(try await request.perform(on: url).first)
        let (yaw, radians): (Measurement<UnitAngle>, Double) = (face.yaw, face.yaw)
        #expect(yaw.converted(to: .radians).value == radians && abs(radians) < 1)
        let (uuid, own): (UUID, ObservationUUID) = (face.uuid, face.uuid)
        #expect(uuid.uuidString == own.uuidString && UUID(own) == uuid)
        let score: Double? = face.captureQuality
        #expect(face.captureQuality?.score == score.map { Float($0) } && score ?? 0 > 0.1)
        let size = CGSize(width: 512, height: 512)
        let landmarks = try #require(face.landmarks)
        let pupil = try #require(landmarks.leftPupil.pointsInImageCoordinates(size).first)
        #expect(abs(pupil.x - 246) < 3 && abs(pupil.y - (512 - 104)) < 3)
        let body = try #require(try await DetectHumanBodyPose3DRequest().perform(on: url).first)
        #expect(body.bodyHeight == Measurement(value: 1.8, unit: UnitLength.meters))
        #expect(body.heightEstimationTechnique == .reference)
        let (matrix, transform): (simd_float4x4, Transform3D) = (
            body.cameraOriginMatrix, body.cameraOriginMatrix
        )
        #expect(matrix == simd_float4x4(transform) && simd_length(matrix.columns.3) > 1)
        let joint = try #require(body.joint(for: .leftShoulder))
        // From the camera to the root, then to the joint.
        let away = body.cameraRelativePosition(for: .root) * joint.position
        #expect(
            simd_distance(away.columns.3, body.cameraRelativePosition(for: .leftShoulder).columns.3) < 1e-4)
    }

    @Test func masksHaveVisionsTypes() async throws {
        let url = Checkout.astronaut
        let instances = GeneratePersonInstanceMaskRequest()
        instances.segmentation.qualityLevel = .fast
        let people = try await instances.perform(on: url)
        let (set, list): (IndexSet, [Int]) = (people.allInstances, people.allInstances)
        #expect(set == [1] && list == [1])
        let (found, none): (IndexSet, IndexSet) = (
            people.instanceAtPoint(NormalizedPoint(x: 0.45, y: 0.3)), people.instanceAtPoint(.zero)
        )
        #expect(found == [1] && none.isEmpty)
        let request = GeneratePersonSegmentationRequest()
        request.qualityLevel = .fast
        request.outputPixelFormatType = kCVPixelFormatType_OneComponent16Half
        #expect(request.outputPixelFormat == .f16 && request.outputPixelFormatType == 0x4c30_3068)
        request.outputPixelFormatType = 1
        #expect(request.outputPixelFormat == .f16)
        let mask: PixelBufferObservation = try await request.perform(on: url)
        #expect(mask.size == CGSize(width: 256, height: 256))
        let target = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: target) }
        try mask.mask.writePNG(to: target)
        #expect(try ImageFile(target).view.width == 256)
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
