import Imaging

/// Looks at a place with the landmark model, in several crops, and keeps the best look: a sure one, in a crop
/// that is turned with the face.
///
/// Profiles above all depend on the crop: the model sees nothing in one and a face in the next.
struct FaceInspector {
    /// One look at a face.
    struct Look {
        var mesh = FaceMesh()
        var crop = RotatedSquare(center: Point(x: 0, y: 0), side: 0, angle: 0)
        /// How sure the model was, 0...1.
        var presence = 0.0

        /// How far the face is turned against the crop, in radians.
        var tilt: Double { abs(HeadPose.wrapped(mesh.angle - crop.angle)) }
        /// The model is as sure of tilted faces, but places their points worse.
        var worth: Double { presence - tilt }
    }

    /// The best look of the last inspection.
    private(set) var best = Look()
    private var look = Look()
    private var seen: [FaceDetection] = []

    /// A mesh turned by more against its crop is a misunderstanding: the model knows level faces.
    private static let largestTilt = 0.6
    /// A detector's idea of the turn is off by 20 degrees at times; each look halves that or better.
    private static let mostLooks = 5
    private static let level = 0.03
    /// Detections of less certainty are not worth a second crop.
    private static let convincing = 0.6
    /// Detectors are less sure of patterns, and of faces whose turn was misunderstood.
    private static let leastCertainty = 0.72

    /// Looks where a detector says, and where the points found there say.
    ///
    /// The eyes and mouth of a profile are a poor guide to its turn: an unsure face is looked at once more
    /// as level as the detector saw it. The landmark model draws a face into many a pattern, and into faces that
    /// it sees upside down: a detector has to agree.
    mutating func inspect(
        _ face: FaceDetection, _ frame: UprightFrame, _ models: FaceModels, least: Double
    ) throws(VisionError) {
        best.presence = 0
        let crop = models.landmarker.crop(of: face)
        try lookUntilLevel(crop, frame, models.landmarker)
        if best.presence < least, face.score > Self.convincing {
            try lookUntilLevel(
                RotatedSquare(center: crop.center, side: crop.side, angle: face.viewAngle), frame,
                models.landmarker)
        }
        guard best.presence >= least else { return }
        let certainty = try models.near.certainty(of: best.mesh, in: frame, &seen)
        if certainty < Self.leastCertainty { best.presence = 0 }
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

    /// Looks twice at least, the second time in a crop around the points that the first look found.
    private mutating func lookUntilLevel(
        _ crop: RotatedSquare, _ frame: UprightFrame, _ landmarker: FaceLandmarker
    ) throws(VisionError) {
        guard try look(crop, frame, landmarker) else { return }
        for _ in 1..<Self.mostLooks {
            guard try look(landmarker.crop(of: look.mesh), frame, landmarker), look.tilt > Self.level else {
                return
            }
        }
    }

    /// - Returns: whether there are points to go by.
    @discardableResult
    private mutating func look(
        _ crop: RotatedSquare, _ frame: UprightFrame, _ landmarker: FaceLandmarker
    ) throws(VisionError) -> Bool {
        look.crop = crop
        look.presence = try landmarker.find(in: frame, crop, into: &look.mesh)
        guard look.presence > 0 else { return false }
        if look.tilt < Self.largestTilt, best.presence == 0 || look.worth > best.worth {
            best.mesh.copy(look.mesh)
            (best.crop, best.presence) = (crop, look.presence)
        }
        return true
    }
}
