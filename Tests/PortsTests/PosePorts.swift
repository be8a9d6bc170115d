import Glibc
import ImageFiles
import PeopleVision

/// 2D body pose by joint and by group, in pixels from the lower left corner.
func findArms(in photo: String) async throws -> (nose: Point, leftArm: [Point])? {
    guard let body = try await DetectHumanBodyPoseRequest().perform(on: photo).first,
        let nose = body.joint(for: .nose), nose.confidence > 0.3
    else { return nil }
    let size = try ImageFile(reading: photo).view
    let pixels = Size(width: size.width, height: size.height)
    let arm = body.allJoints(in: .leftArm)
    let names: [HumanBodyPoseObservation.JointName] = [.leftShoulder, .leftElbow, .leftWrist]
    return (
        nose.location.toImageCoordinates(pixels, origin: .lowerLeft),
        names.compactMap { arm[$0]?.location.toImageCoordinates(pixels, origin: .lowerLeft) }
    )
}

/// 3D body pose: the angle between a joint and its parent, the place and scale of the image's plane, and the
/// camera's position.
struct SpaceView {
    /// The angle of the left forearm against the image's vertical axis, in radians.
    var elbowAngle: Double
    /// Metres per unit of the image's height, by the distance of root and shoulders.
    var scale: Double
    /// The shift of the image's plane, so that the root joint lies at its place in the image, in metres.
    var shift: SIMD2<Double>
    /// The camera's place, in metres from the root.
    var camera: SIMD3<Double>
    /// The person's height in metres.
    var bodyHeight: Double
}

func viewInSpace(_ photo: String) async throws -> SpaceView? {
    let request = DetectHumanBodyPose3DRequest()
    request.maximumPeople = 1
    guard let body = try await request.perform(on: photo).first,
        let wrist = body.joint(for: .leftWrist), let shoulder = body.joint(for: .centerShoulder),
        let root = body.joint(for: .root), let rootInImage = body.pointInImage(for: .root),
        let shoulderInImage = body.pointInImage(for: .centerShoulder)
    else { return nil }
    // The local position is that of the child seen from its parent.
    let forearm = wrist.localPosition.translation
    let length = (forearm.x * forearm.x + forearm.y * forearm.y + forearm.z * forearm.z).squareRoot()
    let torso = shoulder.position.translation.y - root.position.translation.y
    let inImage = rootInImage.y - shoulderInImage.y
    let scale = torso / inImage
    return SpaceView(
        elbowAngle: acos(max(-1, min(1, -forearm.y / length))), scale: scale,
        shift: SIMD2((0.5 - rootInImage.x) * scale, (rootInImage.y - 0.5) * scale),
        camera: body.cameraOriginMatrix.translation, bodyHeight: body.bodyHeight)
}

/// Hand pose with chirality: the tips of index fingers and thumbs.
func findFingers(
    in photo: String
) async throws -> [(chirality: HumanHandPoseObservation.Chirality, thumb: Point, index: Point)] {
    let request = DetectHumanHandPoseRequest()
    request.maximumHandCount = 4
    return try await request.perform(on: photo).compactMap { hand in
        guard let thumb = hand.joint(for: .thumbTip), let index = hand.allJoints(in: .indexFinger)[.indexTip]
        else { return nil }
        return (hand.chirality, thumb.location, index.location)
    }
}

/// The best shot of a burst, by the capture quality of its face.
func bestShot(of burst: [String]) async throws -> String? {
    var best: (photo: String, quality: Double)?
    let request = DetectFaceCaptureQualityRequest()
    for photo in burst {
        let faces = try await request.perform(on: photo)
        guard let quality = faces.compactMap(\.captureQuality).max() else { continue }
        if quality > best?.quality ?? 0 { best = (photo, quality) }
    }
    return best?.photo
}
