import Glibc
import Imaging

/// Finds faces that are roughly upright in a square of a frame.
final class FaceDetector {
    private let detector: AnchorDetector
    private let keypoints: FaceKeypoints

    /// Side of the square that the model sees, in its pixels.
    var inputSide: Int { detector.inputSide }

    init(_ name: String, _ setup: ModelSetup) throws(VisionError) {
        detector = try AnchorDetector(name, setup)
        guard let keypoints = FaceKeypoints(detector.keypoints) else { throw detector.isNotDescribed }
        self.keypoints = keypoints
    }

    /// Appends the faces of `frame`, in a view rotated by `angle` (clockwise), to `found`.
    func find(in frame: UprightFrame, angle: Double, into found: inout [FaceDetection]) throws(VisionError) {
        try find(in: frame, RotatedSquare(wholeOf: frame.size, angle: angle), into: &found)
    }

    /// Appends the faces of `frame` that `view` shows.
    func find(
        in frame: UprightFrame, _ view: RotatedSquare, into found: inout [FaceDetection]
    ) throws(VisionError) {
        try detector.find(in: frame, view)
        for face in detector.found { found.append(FaceDetection(face, keypoints, in: view)) }
    }
}

/// Which of a detector's keypoints tell how far a face is rotated.
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
    /// How far the face is rotated, clockwise on a screen.
    let angle: Double
    /// How far the detector's view was rotated.
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

extension FaceDetector {
    /// Sides of the views, as shares of the face's size: one as in a portrait, and one that shows more around the face.
    static let verificationViews = [2.0, 3.0]
    /// Distance between the centres of face and detection, as a share of the face's size, from which they are not the same.
    private static let farthest = 0.35
    /// Sizes that a detection of the same face may have, as shares of its size: boxes of the detector and boxes around
    /// landmarks differ.
    private static let sizes = 0.5...1.6

    /// Whether the detector finds a face whose points are known in a view that shows it level and in the middle.
    ///
    /// A pattern that was detected as a face in a tile gets a lower score in these views, a face a higher one in one of
    /// them. A face that was aligned upside down is not detected.
    ///
    /// - Parameters:
    ///   - view: which of `verificationViews`.
    ///   - minimumScore: of the detection, 0...1.
    ///   - detections: memory for what the view shows.
    func sees(
        _ mesh: FaceMesh, in frame: UprightFrame, view: Int, minimumScore: Double,
        _ detections: inout [FaceDetection]
    ) throws(VisionError) -> Bool {
        guard Self.verificationViews.indices.contains(view) else { return false }
        let (face, view) = (mesh.crop(scale: 1), mesh.crop(scale: Self.verificationViews[view]))
        guard view.isUsable else { return false }
        detections.removeAll(keepingCapacity: true)
        try find(in: frame, view, into: &detections)
        return detections.contains {
            $0.score >= minimumScore && $0.isOf(face, Self.farthest, Self.sizes)
        }
    }
}

extension FaceDetection {
    fileprivate func isOf(_ face: RotatedSquare, _ farthest: Double, _ sizes: ClosedRange<Double>) -> Bool {
        hypot(center.x - face.center.x, center.y - face.center.y) < farthest * face.side
            && sizes.contains(side / face.side)
    }
}
