package import Imaging

/// One face, from picture to picture.
struct FaceTrack {
    let id: Int
    /// The face in the last picture.
    var face: AlignedFace
    /// The certainty that this is a face, 0...1: a mean over time, because single pictures leave doubts of a profile.
    private(set) var confidence: Double
    /// The upright box around its points when they were last found.
    var box: Rectangle
    var smoother = PoseSmoother()
    /// What the points that are followed lack against more exact ones.
    var correction = PoseCorrection()
    /// Kept between pictures for their memory.
    var mesh: [FaceMeshPoint] = []
    /// Kept likewise.
    var landmarks: [FaceLandmark] = []

    init(id: Int, _ face: AlignedFace) {
        self.id = id
        self.face = face
        confidence = face.presence
        box = face.mesh.box
    }

    /// Share of the past in the confidence.
    private static let inertia = 0.8
    /// The presence, 0...1, from which a picture leaves doubts; with less the face is gone.
    private static let doubtful = 0.1

    /// The confidence after a picture in which the landmark model is certain by `presence`, 0...1.
    func confidence(after presence: Double) -> Double {
        presence >= Self.doubtful ? Self.inertia * confidence + (1 - Self.inertia) * presence : presence
    }

    /// Exchanges the face for the one of the next picture.
    mutating func follow(_ aligner: inout FaceAligner) {
        confidence = confidence(after: aligner.best.presence)
        aligner.exchange(with: &face)
        if face.presence > 0 { box = face.mesh.box }
    }
}

/// A face that was lost a short time ago, and may come back.
struct LostFace {
    let id: Int
    let box: Rectangle
    /// How far it was turned, clockwise on a screen.
    let angle: Double
    /// Seconds since then.
    var age = 0.0
}

extension Rectangle {
    /// Whether two boxes are of one face: they overlap well, most of one lies in the other, or one's centre
    /// lies in the other's middle.
    package func isSameFace(as other: Rectangle) -> Bool {
        overlap(with: other) > Self.sameOverlap || shareOfSmaller(with: other) > Self.sameShare
            || hasInMiddle(other.center) || other.hasInMiddle(center)
    }

    /// Intersection over union; the boxes of a detector and those around points differ in size.
    private static let sameOverlap = 0.25
    /// Share of the smaller box; faces of two people do not hide each other by half.
    private static let sameShare = 0.5

    private func hasInMiddle(_ point: Point) -> Bool {
        abs(point.x - center.x) < width / 4 && abs(point.y - center.y) < height / 4
    }
}
