import Glibc
import Imaging

/// Finds faces that are roughly upright in a square of a frame.
final class FaceDetector {
    private let detector: AnchorDetector
    private let keypoints: FaceKeypoints

    /// Side of the model's input, in pixels.
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

    /// Appends the faces in `view` of `frame` to `found`.
    func find(
        in frame: UprightFrame, _ view: RotatedSquare, into found: inout [FaceDetection]
    ) throws(VisionError) {
        try detector.find(in: frame, view)
        for face in detector.found { found.append(FaceDetection(face, keypoints, in: view)) }
    }
}

/// The keypoints of a detector that give the rotation of a face.
struct FaceKeypoints {
    let rightEye: Int
    let leftEye: Int
    let mouth: Int

    /// Finds the keypoints.
    ///
    /// - Parameter names: names of the keypoints in the model's manifest.
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
    /// The longer side of the face's box.
    let side: Double
    /// Rotation of the face, clockwise on a screen.
    let angle: Double
    /// Rotation of the detector's view.
    let viewAngle: Double
    /// The detector's certainty, 0...1.
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

    /// The upright bounding square of the face.
    var square: Rectangle { Rectangle(center: center, size: Size(width: side, height: side)) }
}

extension FaceDetector {
    /// Sides of the views, as shares of the face's size: one as in a portrait, and one that shows more around
    /// the face.
    static let verificationViews = [2.0, 3.0]
    /// Distance between the centres of face and detection, as a share of the face's size, beyond which they
    /// differ.
    private static let farthest = 0.35
    /// Sizes of a detection of the same face, as shares of the face's size.
    ///
    /// Boxes of the detector and boxes around landmarks differ in size.
    private static let sizes = 0.5...1.6

    /// Whether the detector finds a face with known points in a view that shows it level and centred.
    ///
    /// A pattern that was detected as a face in a tile gets a lower score in these views; a face gets a
    /// higher score in one of them. A face that was aligned upside down is not detected.
    ///
    /// - Parameters:
    ///   - view: index in `verificationViews`.
    ///   - minimumScore: minimum score of the detection, 0...1.
    ///   - detections: memory for the detections in the view.
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
