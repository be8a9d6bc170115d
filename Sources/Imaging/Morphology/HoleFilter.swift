/// Fills holes: small areas of background that the subject encloses.
///
/// A hole is a connected component of low coverage (neighbours by an edge or a corner) that touches no edge of
/// the image.
package final class HoleFilter {
    private let components = ConnectedComponents()
    private let background = FloatImage()

    /// A filter without scratch memory yet.
    package init() {}

    /// Makes holes fully covered.
    ///
    /// - Parameters:
    ///   - mask: coverage from 0 to 1.
    ///   - level: coverage below this counts as background.
    ///   - area: the largest hole that is filled, in values.
    package func fill(_ mask: FloatImage, below level: Float, largest area: Int) {
        background.resize(width: mask.width, height: mask.height)
        let (gaps, values, count) = (background.base, mask.base, mask.count)
        for i in 0..<count { gaps[i] = level - values[i] }
        components.find(in: background, above: 0)
        components.paint(on: mask) { hole in
            let touchesEdge =
                hole.left == 0 || hole.top == 0 || hole.right == mask.width || hole.bottom == mask.height
            return touchesEdge || hole.area > area ? nil : 1
        }
    }
}
