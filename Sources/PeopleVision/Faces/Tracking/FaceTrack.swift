package import Imaging

/// One face, from picture to picture.
struct FaceTrack {
    let id: Int
    /// The face in the last picture.
    var look: FaceInspector.Look
    /// The upright box around its points when they were last found.
    var box: Rectangle
    var smoother = PoseSmoother()
    /// Kept between pictures for their memory.
    var mesh: [FaceMeshPoint] = []
    /// Likewise.
    var landmarks: [FaceLandmark] = []

    init(id: Int, _ look: FaceInspector.Look) {
        self.id = id
        self.look = look
        box = look.mesh.box
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
        overlap(with: other) > 0.25 || shareOfSmaller(with: other) > 0.5 || hasInMiddle(other.center)
            || other.hasInMiddle(center)
    }

    private func hasInMiddle(_ point: Point) -> Bool {
        abs(point.x - center.x) < width / 4 && abs(point.y - center.y) < height / 4
    }
}
