import Glibc
import Imaging

extension FaceDetector {
    /// Sides of the views, as shares of the face's size: that of a portrait, and one that shows more around it.
    private static let views = [2.0, 3.0]
    /// Distance of centres from which a detection is of another face, as a share of the face's size.
    private static let farthest = 0.35
    /// Sizes of detections of the same face, as shares of its size: the detector's boxes and those around the
    /// points differ.
    private static let sizes = 0.5...1.6

    /// The detector's score of a face whose points are known, 0...1: the better of two views that show it level
    /// and in the middle.
    ///
    /// Patterns that were taken for a face in a tile get a lower score in a closer view; faces get a higher one.
    /// A face upside down gets 0.
    ///
    /// - Parameter detections: memory for what the views show.
    func verification(
        of mesh: FaceMesh, in frame: UprightFrame, _ detections: inout [FaceDetection]
    ) throws(VisionError) -> Double {
        var best = 0.0
        for scale in Self.views {
            let (face, view) = (mesh.crop(scale: 1), mesh.crop(scale: scale))
            guard view.isUsable else { return 0 }
            detections.removeAll(keepingCapacity: true)
            try find(in: frame, view, into: &detections)
            for detection in detections where detection.isOf(face, Self.farthest, Self.sizes) {
                best = max(best, detection.score)
            }
        }
        return best
    }
}

extension FaceDetection {
    fileprivate func isOf(_ face: RotatedSquare, _ farthest: Double, _ sizes: ClosedRange<Double>) -> Bool {
        hypot(center.x - face.center.x, center.y - face.center.y) < farthest * face.side
            && sizes.contains(side / face.side)
    }
}
