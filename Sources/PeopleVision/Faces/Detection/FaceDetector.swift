import Imaging

/// Finds faces that are roughly upright in a square of a frame.
final class FaceDetector {
    private let model: ImageModel
    private let anchors: Anchors
    private let keypoints: FaceKeypoints
    private var candidates: [AnchorDetection] = []
    private var faces: [AnchorDetection] = []

    /// Candidates for which there is memory from the start.
    private static let usualCandidates = 64

    /// Of the square that the model sees, in its pixels.
    var inputSide: Int { model.width }

    init(_ name: String, _ setup: ModelSetup) throws(VisionError) {
        model = try ImageModel(name, border: .black, setup)
        guard let anchors = Anchors(model.info), let keypoints = FaceKeypoints(anchors.keypoints) else {
            throw model.unsupported("its description does not say how its outputs are read")
        }
        (self.anchors, self.keypoints) = (anchors, keypoints)
        _ = try outputs()
        candidates.reserveCapacity(Self.usualCandidates)
        faces.reserveCapacity(Self.usualCandidates)
    }

    /// Appends the faces of `frame`, in a view turned by `angle` (clockwise), to `found`.
    func find(in frame: UprightFrame, angle: Double, into found: inout [FaceDetection]) throws(VisionError) {
        try find(in: frame, RotatedSquare(wholeOf: frame.size, angle: angle), into: &found)
    }

    /// Appends the faces of `frame` that `view` shows.
    func find(
        in frame: UprightFrame, _ view: RotatedSquare, into found: inout [FaceDetection]
    ) throws(VisionError) {
        try model.run(on: frame.image, region: frame.region(of: view))
        let (values, scores) = try outputs()
        candidates.removeAll(keepingCapacity: true)
        anchors.decode(values, scores, into: &candidates)
        faces.removeAll(keepingCapacity: true)
        NonMaximumSuppression.blend(&candidates, overlap: anchors.overlap, into: &faces)
        for face in faces { found.append(FaceDetection(face, keypoints, in: view)) }
    }

    private func outputs() throws(VisionError) -> (
        values: UnsafeBufferPointer<Float>, scores: UnsafeBufferPointer<Float>
    ) {
        let count = anchors.centers.count
        return (
            try model.output(0, count: count * anchors.valuesPerAnchor), try model.output(1, count: count)
        )
    }
}

/// Which of a detector's keypoints tell how far a face is turned.
struct FaceKeypoints {
    let rightEye: Int
    let leftEye: Int
    let mouth: Int

    /// - Parameter names: of the keypoints, as the model's manifest has them.
    /// - Returns: nil when one is missing.
    init?(_ names: [String]) {
        guard let rightEye = names.firstIndex(of: "rightEye"), let leftEye = names.firstIndex(of: "leftEye"),
            let mouth = names.firstIndex(of: "mouthCentre")
        else { return nil }
        (self.rightEye, self.leftEye, self.mouth) = (rightEye, leftEye, mouth)
    }
}

/// A face found by a detector, in pixels of the upright frame.
struct FaceDetection {
    let center: Point
    /// The longer side of its box.
    let side: Double
    /// How far the face is turned, clockwise on a screen.
    let angle: Double
    /// How far the detector's view was turned.
    let viewAngle: Double
    /// 0...1.
    let score: Double

    init(_ face: AnchorDetection, _ keypoints: FaceKeypoints, in view: RotatedSquare) {
        center = view.pixels(face.box.center)
        side = max(face.box.width, face.box.height) * view.side
        score = face.score
        viewAngle = view.angle
        let (rightEye, leftEye) = (face.keypoint(keypoints.rightEye), face.keypoint(keypoints.leftEye))
        angle =
            view.angle
            + FaceAxes.angle(
                rightEye: rightEye, leftEye: leftEye, top: (rightEye + leftEye) * 0.5,
                bottom: face.keypoint(keypoints.mouth))
    }

    /// Its upright bounding square.
    var square: Rectangle {
        Rectangle(x: center.x - side / 2, y: center.y - side / 2, width: side, height: side)
    }
}
