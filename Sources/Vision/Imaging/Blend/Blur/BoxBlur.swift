import CKernels

/// A nearly Gaussian blur of a grid of floats: three boxes each way.
///
/// The grid is mirrored at its edges, so that nothing is lost there. Sums are not divided: results are larger
/// than averages by the product of both `BoxWidth.gain`.
final class BoxBlur {
    private let scratch = ScratchBuffer<Float>()

    /// Number of columns that are blurred together: their rows stay in a small cache from the first to the
    /// last box.
    private static let stripWidth = 64

    /// Blurs `values`, `width` x `height`, in place.
    func blur(
        _ values: UnsafeMutablePointer<Float>, width: Int, height: Int, across: BoxWidth, down: BoxWidth
    ) {
        if !across.isTrivial {
            let scratch = scratch.reserve(6 * (width + across.radius + 1))
            kernel_blur_rows(values, width, height, across.radius, across.edge, scratch)
        }
        guard !down.isTrivial else { return }
        let scratch = scratch.reserve(Self.stripWidth * (2 * height + 12))
        for x in stride(from: 0, to: width, by: Self.stripWidth) {
            let columns = min(Self.stripWidth, width - x)
            kernel_blur_columns(values + x, width, columns, height, down.radius, down.edge, scratch)
        }
    }

    /// Blurs a copy of `mask`, with the standard deviations `sigma` in values of the mask.
    ///
    /// - Returns: the factor by which the result is too large.
    func blur(
        _ mask: FloatImage, into blurred: ScratchBuffer<Float>, sigma: (x: Double, y: Double)
    ) -> Float {
        let count = mask.width * mask.height
        let values = blurred.reserve(count)
        values.update(from: mask.base, count: count)
        let (across, down) = (BoxWidth(variance: sigma.x * sigma.x), BoxWidth(variance: sigma.y * sigma.y))
        blur(values, width: mask.width, height: mask.height, across: across, down: down)
        return across.gain * down.gain
    }
}

/// The width of a box; three boxes, one after the other, blur nearly like a Gaussian.
///
/// The samples at both ends count by a fraction, so that any variance is met exactly ("extended box filter",
/// Gwosdek et al. 2011).
struct BoxWidth: Equatable {
    /// Number of whole samples on each side of the middle.
    let radius: Int
    /// Weight of one more sample on each side, 0..<1.
    let edge: Float

    /// Creates the width at which three boxes together have this variance, in samples squared.
    init(variance: Double) {
        let single = max(0, variance) / 3
        // A box of odd width w has the variance (w^2 - 1) / 12.
        let radius = Int(((12 * single + 1).squareRoot() - 1) / 2)
        let (width, next) = (Double(2 * radius + 1), Double((radius + 1) * (radius + 1)))
        let inner = Double(radius * (radius + 1)) * width / 3
        self.radius = radius
        edge = Float(max(0, (single * width - inner) / (2 * (next - single))))
    }

    /// Factor by which three boxes' sums exceed averages.
    var gain: Float {
        let width = Float(2 * radius + 1) + 2 * edge
        return width * width * width
    }

    /// Whether the box changes nothing.
    var isTrivial: Bool { radius == 0 && edge == 0 }
}
