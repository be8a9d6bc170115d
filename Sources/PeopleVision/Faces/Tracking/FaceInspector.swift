import Imaging

/// Looks at a place with the landmark model, in several crops, and keeps the surest look.
///
/// Profiles above all depend on the crop: the model sees nothing in one and a face in the next.
struct FaceInspector {
    /// One look at a face.
    struct Look {
        var mesh = FaceMesh()
        var crop = FaceCrop(center: Point(x: 0, y: 0), side: 0, angle: 0)
        /// How sure the model was, 0...1.
        var presence = 0.0
    }

    /// The surest look of the last inspection.
    private(set) var best = Look()
    private var look = Look()

    /// A mesh turned by more against its crop is a misunderstanding: the model knows level faces.
    private static let largestTurn = 0.6
    /// Detections of less certainty are not worth a second crop.
    private static let convincing = 0.6

    /// Looks where a detector says, and where the points found there say.
    ///
    /// The eyes and mouth of a profile are a poor guide to its turn: an unsure face is looked at once more
    /// as level as the detector saw it.
    mutating func inspect(
        _ face: FaceDetection, _ frame: UprightFrame, _ landmarker: FaceLandmarker, least: Double
    ) throws(VisionError) {
        best.presence = 0
        let crop = landmarker.crop(of: face)
        try lookTwice(crop, frame, landmarker)
        guard best.presence < least, face.score > Self.convincing else { return }
        try lookTwice(
            FaceCrop(center: crop.center, side: crop.side, angle: face.viewAngle), frame, landmarker)
    }

    /// Looks for a face where its points were in the last picture; where that does not help, where it was
    /// seen in the last picture.
    mutating func follow(
        _ last: Look, _ frame: UprightFrame, _ landmarker: FaceLandmarker, least: Double
    ) throws(VisionError) {
        best.presence = 0
        try look(landmarker.crop(of: last.mesh), frame, landmarker)
        if best.presence < least { try look(last.crop, frame, landmarker) }
    }

    /// Exchanges the surest look for another one's memory.
    mutating func exchange(with other: inout Look) { swap(&best, &other) }

    private mutating func lookTwice(
        _ crop: FaceCrop, _ frame: UprightFrame, _ landmarker: FaceLandmarker
    ) throws(VisionError) {
        if try look(crop, frame, landmarker) { try look(landmarker.crop(of: look.mesh), frame, landmarker) }
    }

    /// - Returns: whether there are points to go by.
    @discardableResult
    private mutating func look(
        _ crop: FaceCrop, _ frame: UprightFrame, _ landmarker: FaceLandmarker
    ) throws(VisionError) -> Bool {
        look.crop = crop
        look.presence = try landmarker.find(in: frame, crop, into: &look.mesh)
        guard look.presence > 0 else { return false }
        let isLevel = abs(HeadPose.wrapped(look.mesh.angle - crop.angle)) < Self.largestTurn
        if isLevel, look.presence > best.presence {
            best.mesh.copy(look.mesh)
            (best.crop, best.presence) = (crop, look.presence)
        }
        return true
    }
}
