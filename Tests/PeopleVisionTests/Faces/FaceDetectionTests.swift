import Foundation
import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of single images with the real models.
@Suite struct FaceDetectionTests {
    private let portrait: Photo
    private let request = DetectFaceRectanglesRequest.forTests()

    init() throws { portrait = try #require(Photo.portrait) }

    private func onlyFace(_ photo: Photo, orientation: ImageOrientation = .up) throws -> FaceObservation {
        let faces = try request.faces(in: photo, orientation: orientation)
        let count = faces.count
        #expect(count == 1)
        return try #require(faces.first)
    }

    @Test func findsTheFaceOfThePortrait() throws {
        let face = try onlyFace(portrait)
        // Read off the image: from hairline to chin, and from ear to ear.
        let expected = Rectangle(x: 0.34, y: 0.13, width: 0.20, height: 0.22)
        #expect(overlap(face.boundingBox, expected) > 0.7)
        #expect(face.confidence > 0.9)
        #expect(face.confidence <= 1)
        let isReliable = face.anglesAreReliable
        #expect(isReliable)
        #expect(abs(degrees(face.roll, 0)) < 8)
        #expect(abs(degrees(face.yaw, 0)) < 10)
        #expect(abs(degrees(face.pitch, 0)) < 20)
    }

    @Test func meshLiesInTheBoxWithTheNoseBetweenTheEyes() throws {
        let face = try onlyFace(portrait)
        #expect(face.mesh.count == 478)
        let box = face.boundingBox
        let inside = face.mesh.filter {
            ($0.position.x >= box.x - 1e-9) && ($0.position.x <= box.x + box.width + 1e-9)
                && ($0.position.y >= box.y - 1e-9) && ($0.position.y <= box.y + box.height + 1e-9)
        }
        #expect(inside.count >= 468)
        let (rightEye, nose, leftEye) = (face.mesh[33], face.mesh[4], face.mesh[263])
        #expect(rightEye.position.x < nose.position.x)
        #expect(nose.position.x < leftEye.position.x)
        #expect(nose.position.y > rightEye.position.y)
        #expect(nose.depth < rightEye.depth)
        #expect(nose.depth < leftEye.depth)
    }

    @Test func mirroringFlipsYawAndRoll() throws {
        for turn in [0.0, 20] {
            let photo = portrait.rotated(degrees: turn)
            let (face, mirrored) = (try onlyFace(photo), try onlyFace(photo.mirrored))
            #expect(abs(degrees(mirrored.roll, -face.roll)) < 2)
            #expect(abs(degrees(mirrored.yaw, -face.yaw)) < 3)
            #expect(abs(degrees(mirrored.pitch, face.pitch)) < 3)
        }
    }

    /// The head follows the turn, and nothing else in the image becomes a face.
    @Test(arguments: Array(stride(from: 10.0, through: 350, by: 20)) + [180])
    func turningTheImageTurnsTheHead(by angle: Double) throws {
        let (face, turned) = (try onlyFace(portrait), try onlyFace(portrait.rotated(degrees: angle)))
        #expect(abs(degrees(turned.roll, face.roll + angle * .pi / 180)) < 3)
    }

    @Test func rollIsInItsRange() throws {
        for angle in [179.0, 181, 183] {
            let face = try onlyFace(portrait.rotated(degrees: angle))
            #expect((-Double.pi..<Double.pi).contains(face.roll))
        }
    }

    @Test func tellsTwoFacesApart() throws {
        let faces = try request.faces(in: portrait.beside(portrait.mirrored))
        #expect(faces.count == 2)
        #expect(Set(faces.map(\.id)).count == 2)
        let centers = faces.map(\.boundingBox.center.x).sorted()
        #expect(abs(centers[0] - (1 - centers[1])) < 0.01)
    }

    @Test func reportsNoMoreThanAskedFor() throws {
        request.maximumFaces = 1
        #expect(try request.faces(in: portrait.beside(portrait)).count == 1)
        request.maximumFaces = 0
        #expect(try request.faces(in: portrait).isEmpty)
    }

    @Test func findsNothingInGrey() throws {
        #expect(try request.faces(in: .grey(width: 320, height: 240)).isEmpty)
        #expect(try request.faces(in: .grey(width: 1, height: 1)).isEmpty)
        #expect(try request.faces(in: .grey(width: 2000, height: 3)).isEmpty)
    }

    /// The detector of far faces finds a face of 37 pixels in an image 640 pixels wide.
    @Test func findsASmallFace() throws {
        let photo = portrait.placed(left: 300, top: 150, width: 640, height: 360, factor: 0.4)
        let face = try onlyFace(photo)
        let center = face.boundingBox.center
        #expect(abs(center.x - (300 + 0.4 * 226) / 640) < 0.02)
        #expect(abs(center.y - (150 + 0.4 * 122) / 360) < 0.03)
    }

    /// The tiles find a face of 27 pixels in an image 1280 pixels wide, and nobody else.
    @Test func findsAVerySmallFace() throws {
        let photo = portrait.placed(left: 900, top: 300, width: 1280, height: 720, factor: 0.29)
        let center = try onlyFace(photo).boundingBox.center
        #expect(abs(center.x - (900 + 0.29 * 226) / 1280) < 0.01)
        #expect(abs(center.y - (300 + 0.29 * 122) / 720) < 0.02)
    }

    /// Small faces are searched at the turn of the large ones, or at quarter turns.
    @Test(arguments: [70, 180, 250] as [Double])
    func findsASmallFaceAtAnyTurn(_ angle: Double) throws {
        let small = portrait.placed(left: 500, top: 300, width: 1000, height: 800, factor: 0.29)
        let (face, turned) = (try onlyFace(small), try onlyFace(small.rotated(degrees: angle)))
        #expect(abs(degrees(turned.roll, face.roll + angle * .pi / 180)) < 6)
        let both = portrait.rotated(degrees: angle).placed(left: 0, top: 0, width: 1000, height: 800)
            .overlaid(by: portrait.rotated(degrees: angle), left: 600, top: 500, factor: 0.4)
        let rolls = try request.faces(in: both).map { degrees($0.roll, angle * .pi / 180) }
        #expect(rolls.count == 2 && rolls.allSatisfy { abs($0) < 10 }, "\(rolls)")
    }

    @Test func aTurnedCameraChangesPlacesButNotAngles() throws {
        let (face, turned) = (
            try onlyFace(portrait), try onlyFace(portrait.storedForRight, orientation: .right)
        )
        #expect(abs(degrees(turned.roll, face.roll)) < 1)
        #expect(abs(degrees(turned.yaw, face.yaw)) < 1)
        #expect(abs(degrees(turned.pitch, face.pitch)) < 1)
        #expect(abs(turned.boundingBox.center.x - face.boundingBox.center.y) < 0.01)
        #expect(abs(turned.boundingBox.center.y - (1 - face.boundingBox.center.x)) < 0.01)
    }

    @Test func theCertaintyAskedForIsKept() throws {
        request.minimumConfidence = 1.1
        #expect(try request.faces(in: portrait).isEmpty)
    }

    @Test func anUnknownRevisionIsRefused() {
        request.revision = 99
        #expect(throws: VisionError.self) { try request.faces(in: .grey(width: 8, height: 8)) }
    }

    @Test func missingModelsAreReportedBeforeLoading() {
        request.modelPath = "/nonexistent/landmarks.tflite"
        #expect(throws: VisionError.self) { try request.checkModels() }
        request.modelPath = Checkout.setup.appendingPathComponent("models").path
        #expect(throws: Never.self) { try request.checkModels() }
    }

    private func overlap(_ a: Rectangle, _ b: Rectangle) -> Double {
        let width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
        let height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
        let shared = max(width, 0) * max(height, 0)
        return shared / (a.width * a.height + b.width * b.height - shared)
    }
}
