import Glibc
import Imaging

extension FaceDetector {
    /// Sides of the views, as shares of the face's size: that of a portrait, and one that shows more around it.
    static let verificationViews = [2.0, 3.0]
    /// Distance of centres from which a detection is of another face, as a share of the face's size.
    private static let farthest = 0.35
    /// Sizes of detections of the same face, as shares of its size: the detector's boxes and those around the
    /// points differ.
    private static let sizes = 0.5...1.6

    /// Whether the detector sees a face whose points are known in a view that shows it level and in the middle.
    ///
    /// Patterns that were taken for a face in a tile get a lower score in a closer view; faces get a higher one in
    /// one of the views. A face upside down gets none.
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
