import Imaging

/// A face whose landmarks were found.
struct AlignedFace {
    var mesh = FaceMesh()
    /// The crop in which the landmarks were found.
    var crop = RotatedSquare(center: Point(x: 0, y: 0), side: 0, angle: 0)
    /// The landmark model's confidence that there is a face, 0...1.
    var presence = 0.0

    /// The angle between face and crop, in radians.
    var tilt: Double { abs(HeadPose.wrapped(mesh.angle - crop.angle)) }
    /// Rank of the result; the larger, the better.
    ///
    /// Tilt lowers the rank because it makes the points less accurate without lowering the presence.
    var rank: Double { presence - tilt }
}

/// Finds the landmarks of a face in several crops, and keeps the best result.
///
/// The best result has a high presence, in a crop that is rotated with the face. Several crops matter most
/// for profiles: the model can miss a profile in one crop and find it in the next.
struct FaceAligner {
    /// The best result of the last alignment.
    private(set) var best = AlignedFace()
    private var current = AlignedFace()
    private var detections: [FaceDetection] = []
    /// The crop to try next; nil when no other crop would help.
    private var next: RotatedSquare?
    /// The crop to try when no other crop shows a face.
    private var levelCrop: RotatedSquare?
    /// Number of crops tried in a row.
    private var tries = 0

    /// Tilt in radians beyond which a result is wrong: the model was trained on crops that are rotated with the face.
    private static let largestTilt = 0.6
    /// Maximum number of crops that are tried in a row.
    ///
    /// The angle of a detection is sometimes off by 20 degrees, and each crop halves that or better.
    private static let maximumCrops = 5
    /// Tilt in radians below which another crop would hardly change the result.
    private static let minimumTilt = 0.03
    /// Tilt in radians up to which a stream needs no other crop, because the next frame's crop is rotated
    /// with the face.
    private static let level = 0.1
    /// Minimum presence for that, 0...1.
    private static let certain = 0.95
    /// Tilt in radians from one frame to the next that only a fast rolling head exceeds: 4 degrees.
    private static let fastTilt = 0.07
    /// The score of a detection, 0...1, above which `levelCrop` is tried.
    private static let minimumRetryScore = 0.6
    /// The minimum score of the aligned face from the detector, 0...1.
    ///
    /// Patterns and faces aligned at a wrong angle have a lower one.
    private static let minimumVerificationScore = 0.72

    /// Aligns a detected face, and verifies the result with a detector; `best.presence` is 0 where that fails.
    mutating func align(
        _ face: FaceDetection, _ frame: UprightFrame, _ models: FaceModels, minimumPresence: Double
    ) throws(VisionError) {
        begin(face, models.landmarker)
        while try tryNext(frame, models.landmarker, minimumPresence: minimumPresence) {}
        guard best.presence >= minimumPresence else { return }
        for view in FaceDetector.verificationViews.indices {
            if try isVerified(in: view, frame, models) { return }
        }
        best.presence = 0
    }

    /// Starts to align a detected face.
    ///
    /// The detected angle of a profile is inaccurate, because it follows from eyes and mouth. If no crop
    /// shows a face, a crop at the angle of the detector's view is tried.
    mutating func begin(_ face: FaceDetection, _ landmarker: FaceLandmarker) {
        best.presence = 0
        tries = 0
        let crop = landmarker.crop(of: face)
        next = crop
        levelCrop =
            face.score > Self.minimumRetryScore
            ? RotatedSquare(center: crop.center, side: crop.side, angle: face.viewAngle) : nil
    }

    /// Tries the next crop, which takes one inference.
    ///
    /// At least two crops are tried in a row, the second around the points from the first.
    ///
    /// - Returns: whether there is another crop to try.
    mutating func tryNext(
        _ frame: UprightFrame, _ landmarker: FaceLandmarker, minimumPresence: Double
    ) throws(VisionError) -> Bool {
        guard let crop = next else { return false }
        next = nil
        tries += 1
        if try findLandmarks(crop, frame, landmarker), tries < Self.maximumCrops,
            tries == 1 || current.tilt > Self.minimumTilt
        {
            next = landmarker.crop(of: current.mesh)
        } else if best.presence < minimumPresence {
            (next, levelCrop, tries) = (levelCrop, nil, 0)
        }
        return next != nil
    }

    /// Whether another crop would change little.
    var isLevel: Bool { best.presence >= Self.certain && best.tilt <= Self.level }

    /// Whether a crop that is rotated with the face would give more accurate points.
    var isTilted: Bool { best.presence > 0 && best.tilt > Self.fastTilt }

    /// Whether the detector finds the best result's face in the view with the index `view` of its
    /// `verificationViews`.
    ///
    /// The landmark model alone also finds faces in patterns, and upside-down ones in upright faces.
    mutating func isVerified(
        in view: Int, _ frame: UprightFrame, _ models: FaceModels
    ) throws(VisionError) -> Bool {
        try models.near.sees(
            best.mesh, in: frame, view: view, minimumScore: Self.minimumVerificationScore, &detections)
    }

    /// Aligns a face of the last frame, starting from its points there.
    mutating func follow(
        _ last: AlignedFace, _ frame: UprightFrame, _ landmarker: FaceLandmarker
    ) throws(VisionError) {
        best.presence = 0
        try findLandmarks(landmarker.crop(of: last.mesh), frame, landmarker)
    }

    /// Tries another crop, and keeps the better result.
    mutating func retry(
        _ crop: RotatedSquare, _ frame: UprightFrame, _ landmarker: FaceLandmarker
    ) throws(VisionError) {
        try findLandmarks(crop, frame, landmarker)
    }

    /// Exchanges the best result for another face, whose memory is reused.
    mutating func exchange(with other: inout AlignedFace) { swap(&best, &other) }

    /// Runs the landmark model on a crop, and keeps the result if it is the best.
    ///
    /// - Returns: whether points were found.
    @discardableResult
    private mutating func findLandmarks(
        _ crop: RotatedSquare, _ frame: UprightFrame, _ landmarker: FaceLandmarker
    ) throws(VisionError) -> Bool {
        current.crop = crop
        current.presence = try landmarker.find(in: frame, crop, into: &current.mesh)
        guard current.presence > 0 else { return false }
        if current.tilt < Self.largestTilt, best.presence == 0 || current.rank > best.rank {
            best.mesh.copy(current.mesh)
            (best.crop, best.presence) = (crop, current.presence)
        }
        return true
    }
}
