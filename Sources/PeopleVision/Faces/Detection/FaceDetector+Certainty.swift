import Glibc
import Imaging

extension FaceDetector {
    /// Sides of the closer views, as shares of the face's size.
    private static let views = [2.0, 3.0]
    /// A face further from the known one is another, as a share of its size.
    private static let farthest = 0.35
    /// Sizes that it may have.
    private static let sizes = 0.5...1.6

    /// How sure the detector is of a face whose points are known, 0...1: the better of two views that show it
    /// level and in the middle.
    ///
    /// Patterns that pass for a face in a tile lose by a closer look; faces win. Upside down it sees none.
    ///
    /// - Parameter seen: memory for what the views show.
    func certainty(
        of mesh: FaceMesh, in frame: UprightFrame, _ seen: inout [FaceDetection]
    ) throws(VisionError) -> Double {
        var best = 0.0
        for scale in Self.views {
            let (face, view) = (mesh.crop(scale: 1), mesh.crop(scale: scale))
            guard view.isUsable else { return 0 }
            seen.removeAll(keepingCapacity: true)
            try find(in: frame, view, into: &seen)
            for other in seen where other.isOf(face, Self.farthest, Self.sizes) {
                best = max(best, other.score)
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
