import Glibc
import Imaging

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
    ///   - leastScore: of the detection, 0...1.
    ///   - detections: memory for what the view shows.
    func sees(
        _ mesh: FaceMesh, in frame: UprightFrame, view: Int, leastScore: Double,
        _ detections: inout [FaceDetection]
    ) throws(VisionError) -> Bool {
        guard Self.verificationViews.indices.contains(view) else { return false }
        let (face, view) = (mesh.crop(scale: 1), mesh.crop(scale: Self.verificationViews[view]))
        guard view.isUsable else { return false }
        detections.removeAll(keepingCapacity: true)
        try find(in: frame, view, into: &detections)
        return detections.contains {
            $0.score >= leastScore && $0.isOf(face, Self.farthest, Self.sizes)
        }
    }
}

extension FaceDetection {
    fileprivate func isOf(_ face: RotatedSquare, _ farthest: Double, _ sizes: ClosedRange<Double>) -> Bool {
        hypot(center.x - face.center.x, center.y - face.center.y) < farthest * face.side
            && sizes.contains(side / face.side)
    }
}
