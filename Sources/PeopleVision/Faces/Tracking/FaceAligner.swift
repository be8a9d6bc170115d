import Imaging

/// A face whose landmarks were found.
struct AlignedFace {
    var mesh = FaceMesh()
    /// The crop in which they were found.
    var crop = RotatedSquare(center: Point(x: 0, y: 0), side: 0, angle: 0)
    /// The landmark model's certainty that there is a face, 0...1.
    var presence = 0.0

    /// How far the face is turned against the crop, in radians.
    var tilt: Double { abs(HeadPose.wrapped(mesh.angle - crop.angle)) }
    /// The larger, the better: the presence does not fall with the tilt, but the accuracy of the points does.
    var rank: Double { presence - tilt }
}

/// Finds the landmarks of a face in several crops, and keeps the best result: certain, in a crop that is turned
/// with the face.
///
/// Profiles above all depend on the crop: the model can miss one in a crop and find it in the next.
struct FaceAligner {
    /// The best result of the last alignment.
    private(set) var best = AlignedFace()
    private var current = AlignedFace()
    private var detections: [FaceDetection] = []

    /// Radians between mesh and crop beyond which a result is wrong: the model was trained on level faces.
    private static let largestTilt = 0.6
    /// Crops that are tried at most.
    ///
    /// The angle of a detection is off by 20 degrees at times, and each crop halves that or better.
    private static let mostCrops = 5
    /// Radians between mesh and crop below which another crop would change nothing to speak of.
    private static let level = 0.03
    /// The score of a detection, 0...1, from which a second crop is tried.
    private static let leastRetryScore = 0.6
    /// The score that a detector must give to the aligned face, 0...1.
    ///
    /// It is lower for patterns, and for faces whose turn was taken wrongly.
    private static let leastVerification = 0.72

    /// Aligns a detected face, and verifies the result with a detector.
    ///
    /// The eyes and mouth of a profile are a poor guide to its turn: an uncertain face is tried once more as
    /// level as the detector saw it. The landmark model finds faces in patterns, and in faces that it sees upside
    /// down, which is why a detector has to agree.
    mutating func align(
        _ face: FaceDetection, _ frame: UprightFrame, _ models: FaceModels, least: Double
    ) throws(VisionError) {
        best.presence = 0
        let crop = models.landmarker.crop(of: face)
        try refine(crop, frame, models.landmarker)
        if best.presence < least, face.score > Self.leastRetryScore {
            try refine(
                RotatedSquare(center: crop.center, side: crop.side, angle: face.viewAngle), frame,
                models.landmarker)
        }
        guard best.presence >= least else { return }
        let score = try models.near.verification(of: best.mesh, in: frame, &detections)
        if score < Self.leastVerification { best.presence = 0 }
    }

    /// Aligns a face of the last picture by its points there; where that fails, in the crop it had there.
    mutating func follow(
        _ last: AlignedFace, _ frame: UprightFrame, _ landmarker: FaceLandmarker, least: Double
    ) throws(VisionError) {
        best.presence = 0
        try findLandmarks(landmarker.crop(of: last.mesh), frame, landmarker)
        if best.presence < least { try findLandmarks(last.crop, frame, landmarker) }
    }

    /// Exchanges the best result for another one's memory.
    mutating func exchange(with other: inout AlignedFace) { swap(&best, &other) }

    /// Tries two crops at least, the second around the points that were found in the first.
    private mutating func refine(
        _ crop: RotatedSquare, _ frame: UprightFrame, _ landmarker: FaceLandmarker
    ) throws(VisionError) {
        guard try findLandmarks(crop, frame, landmarker) else { return }
        for _ in 1..<Self.mostCrops {
            let next = landmarker.crop(of: current.mesh)
            guard try findLandmarks(next, frame, landmarker), current.tilt > Self.level else { return }
        }
    }

    /// - Returns: whether there are points to go by.
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
