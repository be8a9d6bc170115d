package import Imaging

/// One face, from picture to picture.
struct FaceTrack {
    let id: Int
    /// The face in the last picture.
    var face: AlignedFace
    /// The upright box around its points when they were last found.
    var box: Rectangle
    var smoother = PoseSmoother()
    /// Kept between pictures for their memory.
    var mesh: [FaceMeshPoint] = []
    /// Kept likewise.
    var landmarks: [FaceLandmark] = []

    init(id: Int, _ face: AlignedFace) {
        self.id = id
        self.face = face
        box = face.mesh.box
    }
}

/// A face that was lost a short time ago, and may come back.
struct LostFace {
    let id: Int
    let box: Rectangle
    /// Pictures since then.
    var age = 0
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
