package import Imaging

/// One face, followed from frame to frame.
struct FaceTrack: StreamTrack {
    let id: Int
    /// The face in the last frame.
    var face: AlignedFace
    /// The confidence that this is a face, averaged over time; it is low in single images of a profile.
    private var presence: ConfidenceMean
    /// The upright box around the face's points when they were last found.
    var box: Rectangle
    var smoother = PoseSmoother()
    /// The correction of the rotation from the points.
    var correction = PoseCorrection()
    /// The points of the last observation; kept to reuse memory.
    var mesh: [FaceMeshPoint] = []
    /// The landmarks of the last observation; kept to reuse memory.
    var landmarks: [FaceLandmark] = []

    init(id: Int, _ face: AlignedFace) {
        self.id = id
        self.face = face
        presence = ConfidenceMean(face.presence)
        box = face.mesh.box
    }

    /// The confidence that this is a face, 0...1.
    var confidence: Double { presence.value }

    var angle: Double { face.crop.angle }

    /// The confidence; the least certain faces end first.
    var prominence: Double { confidence }

    /// Returns the confidence as it would be after a frame with this presence, 0...1.
    func confidence(after presence: Double) -> Double { self.presence.mean(withPresence: presence) }

    /// Exchanges the face for the one of the next frame.
    mutating func follow(_ aligner: inout FaceAligner) {
        presence.add(presence: aligner.best.presence)
        aligner.exchange(with: &face)
        if face.presence > 0 { box = face.mesh.box }
    }
}

extension Rectangle {
    /// Whether two boxes show one face.
    ///
    /// They overlap well, half of one lies in the other, or the centre of one lies in the middle of the
    /// other.
    package func isSameFace(as other: Rectangle) -> Bool {
        overlap(with: other) > Self.sameOverlap || shareOfSmaller(with: other) > Self.sameShare
            || hasInMiddle(other.center) || other.hasInMiddle(center)
    }

    /// Minimum intersection over union; the boxes of a detector and those around points differ in size.
    private static let sameOverlap = 0.25
    /// Minimum share of the smaller box; a half hidden face has only a part of its box.
    private static let sameShare = 0.5

    private func hasInMiddle(_ point: Point) -> Bool {
        abs(point.x - center.x) < width / 4 && abs(point.y - center.y) < height / 4
    }
}

/// Smooths the angles of one face over a stream.
package struct PoseSmoother {
    private var roll = Self.makeFilter()
    private var yaw = Self.makeFilter()
    private var pitch = Self.makeFilter()

    package init() {}

    /// Cutoff at rest in hertz: noise of the landmarks is faster.
    private static let minimumCutoff = 0.1
    /// Rise of the cutoff in hertz per radian a second: a turn of a radian a second is hardly delayed.
    private static let beta = 80.0
    /// Noise tolerance, as that of landmarks at a smoothing of 0.5.
    private static let noiseTolerance = 1.75

    private static func makeFilter() -> OneEuroFilter {
        OneEuroFilter(minimumCutoff: minimumCutoff, beta: beta, noiseTolerance: noiseTolerance)
    }

    /// Returns the smoothed `pose`, which was measured `interval` seconds after the last one.
    package mutating func smooth(_ pose: HeadPose, interval: Double) -> HeadPose {
        var smooth = pose
        smooth.roll = Self.pass(pose.roll, &roll, interval)
        smooth.yaw = Self.pass(pose.yaw, &yaw, interval)
        smooth.pitch = Self.pass(pose.pitch, &pitch, interval)
        return smooth
    }

    /// Filters an angle; the filter's value is shifted by whole turns, so that the angle takes the shorter
    /// way.
    private static func pass(_ angle: Double, _ filter: inout OneEuroFilter, _ interval: Double) -> Double {
        if let last = filter.current {
            filter.shift(by: angle - HeadPose.wrapped(angle - last) - last)
        }
        return HeadPose.wrapped(filter.filter(angle, interval: interval))
    }
}
