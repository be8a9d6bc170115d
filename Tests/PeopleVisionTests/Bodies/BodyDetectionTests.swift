import Foundation
import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of single images with the real models.
@Suite struct BodyDetectionTests {
    private let portrait: Photo
    private let request = DetectHumanBodyPoseRequest.forTests()

    init() throws { portrait = try #require(Photo.portrait) }

    private func onlyBody(
        _ photo: Photo, orientation: ImageOrientation = .up
    ) throws -> HumanBodyPoseObservation {
        let bodies = try request.bodies(in: photo, orientation: orientation)
        #expect(bodies.count == 1)
        return try #require(bodies.first)
    }

    /// Joints are near positions that were read off the image.
    @Test func findsTheJointsOfThePortrait() throws {
        let body = try onlyBody(portrait)
        #expect(body.confidence > 0.9 && body.joints.count == 19)
        let places: [(HumanBodyPoseObservation.JointName, Double, Double, Double)] = [
            (.nose, 222, 122, 15), (.rightEye, 205, 103, 15), (.leftEye, 246, 104, 15),
            (.rightShoulder, 120, 220, 45), (.leftShoulder, 305, 240, 45), (.rightElbow, 80, 365, 50),
        ]
        for (name, x, y, tolerance) in places {
            let joint = body.joint(name)
            #expect(hypot(joint.location.x * 512 - x, joint.location.y * 512 - y) < tolerance, "\(name)")
            #expect(joint.confidence > 0.5, "\(name)")
        }
        // Ankles are not in the image.
        #expect(body.joint(.leftAnkle).confidence < 0.3 && body.joint(.rightAnkle).confidence < 0.3)
        let neck = body.joint(.neck).location
        #expect(
            abs(neck.x - (body.joint(.leftShoulder).location.x + body.joint(.rightShoulder).location.x) / 2)
                < 1e-9)
        #expect(Set(body.allJoints(in: .leftArm).keys) == [.leftShoulder, .leftElbow, .leftWrist])
        #expect(body.allJoints()[.nose] == body.joint(for: .nose))
        #expect(Set(body.availableJointNames) == Set(body.allJoints().keys))
        #expect(body.availableJointsGroupNames.contains(.leftArm))
        let box = body.boundingBox
        #expect(box.x < 0.15 && box.y < 0.05 && box.x + box.width > 0.62 && box.y + box.height > 0.9)
    }

    @Test func mirroringExchangesLeftAndRight() throws {
        let (body, mirrored) = (try onlyBody(portrait), try onlyBody(portrait.mirrored))
        let pairs: [(HumanBodyPoseObservation.JointName, HumanBodyPoseObservation.JointName)] = [
            (.leftShoulder, .rightShoulder), (.rightElbow, .leftElbow), (.leftEye, .rightEye),
        ]
        for (name, other) in pairs {
            let (a, b) = (body.joint(name).location, mirrored.joint(other).location)
            #expect(hypot(a.x - (1 - b.x), a.y - b.y) < 0.06, "\(name)")
        }
    }

    @Test(arguments: [40, 90, 135, 180, 250, 320] as [Double])
    func turningTheImageTurnsTheBody(by angle: Double) throws {
        let body = try onlyBody(portrait)
        let turned = try #require(try request.bodies(in: portrait.rotated(degrees: angle)).first)
        let (cosine, sine) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        // PCK@0.2 counts points within this distance as the same place.
        let tolerance = 0.2 * torso(of: body)
        for name in [HumanBodyPoseObservation.JointName.nose, .leftShoulder, .rightShoulder] {
            let (a, b) = (body.joint(name).location, turned.joint(name).location)
            let (dx, dy) = (a.x - 0.5, a.y - 0.5)
            let expected = Point(x: 0.5 + cosine * dx + sine * dy, y: 0.5 - sine * dx + cosine * dy)
            #expect(hypot(b.x - expected.x, b.y - expected.y) < tolerance, "\(name)")
        }
    }

    private func torso(of body: HumanBodyPoseObservation) -> Double {
        let (shoulder, hip) = (body.joint(.leftShoulder).location, body.joint(.rightHip).location)
        return hypot(shoulder.x - hip.x, shoulder.y - hip.y)
    }

    @Test func aTurnedCameraChangesPlacesOnly() throws {
        let (body, turned) = (
            try onlyBody(portrait), try onlyBody(portrait.storedForRight, orientation: .right)
        )
        for (a, b) in zip(body.joints, turned.joints) where a.confidence > 0.5 {
            #expect(abs(b.location.x - a.location.y) < 0.02 && abs(b.location.y - (1 - a.location.x)) < 0.02)
        }
    }

    @Test func tellsTwoPeopleApart() throws {
        let bodies = try request.bodies(in: portrait.beside(portrait.mirrored))
        #expect(bodies.count == 2 && Set(bodies.map(\.id)).count == 2)
        let noses = bodies.map { $0.joint(.nose).location.x }.sorted()
        #expect(abs(noses[0] - (1 - noses[1])) < 0.02)
        request.maximumPeople = 1
        #expect(try request.bodies(in: portrait.beside(portrait)).count == 1)
    }

    @Test func findsNobodyInGrey() throws {
        for (width, height) in [(320, 240), (1, 1), (2000, 3)] {
            #expect(try request.bodies(in: .grey(width: width, height: height)).isEmpty)
        }
    }

    @Test func rectanglesAreThoseOfTheUpperBodyUnlessAskedOtherwise() throws {
        let rectangles = DetectHumanRectanglesRequest(request.configuration)
        let image = portrait.image
        let upper = try #require(try rectangles.perform(on: image.view).first)
        let box = try onlyBody(portrait).boundingBox
        #expect(upper.isUpperBodyOnly && upper.boundingBox == box)
        rectangles.upperBodyOnly = false
        let full = try #require(try rectangles.perform(on: image.view).first)
        #expect(!full.isUpperBodyOnly && full.boundingBox.height >= upper.boundingBox.height)
    }

    @Test func theBodyInSpaceIsPlausible() throws {
        let request = DetectHumanBodyPose3DRequest(self.request.configuration)
        let image = portrait.image
        let pose = try #require(try request.perform(on: image.view).first)
        let body = try onlyBody(portrait)
        // Joints project to their places in the image.
        for (name, joint) in [
            (
                HumanBodyPose3DObservation.JointName.leftShoulder,
                HumanBodyPoseObservation.JointName.leftShoulder
            ),
            (.rightElbow, .rightElbow), (.leftHip, .leftHip),
        ] {
            let (seen, found) = (try #require(pose.pointInImage(for: name)), body.joint(joint).location)
            #expect(hypot(seen.x - found.x, seen.y - found.y) < 1e-6, "\(name)")
        }
        let shoulders = pose.place(.leftShoulder) - pose.place(.rightShoulder)
        #expect((0.25...0.5).contains(shoulders.norm), "\(shoulders.norm) m")
        // From one to two metres away, a head and a trunk fill an image of 40 degrees.
        #expect((0.8...2.5).contains(-pose.rootPosition.z), "\(pose.rootPosition)")
        #expect(body.pose3D == nil)
    }

    @Test func anUnknownRevisionIsRefused() {
        request.revision = 99
        #expect(throws: VisionError.self) { try request.bodies(in: .grey(width: 8, height: 8)) }
    }

    @Test func missingModelsAreReportedBeforeLoading() {
        request.modelPath = "/nonexistent/landmarks.tflite"
        #expect(throws: VisionError.self) { try request.checkModels() }
        request.modelPath = Checkout.models.path
        #expect(throws: Never.self) { try request.checkModels() }
    }
}

extension DetectHumanBodyPoseRequest {
    /// A request that keeps the shared models loaded, so that tests need not compile them again.
    nonisolated(unsafe) private static let keepsModels: DetectHumanBodyPoseRequest = {
        let request = make()
        try? request.prepare()
        return request
    }()

    /// Returns a request with the models of the checkout's set-up.
    static func forTests() -> DetectHumanBodyPoseRequest {
        _ = keepsModels
        return make()
    }

    private static func make() -> DetectHumanBodyPoseRequest {
        var configuration = BodyRequest.Configuration()
        configuration.modelPath = Checkout.models.path
        return DetectHumanBodyPoseRequest(configuration)
    }

    /// Returns the people in `photo`.
    func bodies(
        in photo: Photo, orientation: ImageOrientation = .up
    ) throws -> [HumanBodyPoseObservation] {
        let image = photo.image
        return try perform(
            on: InputFrame(image.view, orientation: orientation, isStill: configuration.mode == .image))
    }
}
