/// Fits a coarse mask to the edges of a finer image.
///
/// Within each window of the coarse grid the mask is approximated by a linear function of the image's
/// brightness; the functions are interpolated and applied to the fine image. Sources: He, Sun, Tang, "Guided
/// Image Filtering", PAMI 2013; He, Sun, "Fast Guided Filter", 2015.
package final class GuidedFilter {
    private let radius: Int
    private let flatness: Float
    private let box = BoxMean()
    private let slope = FloatImage()
    private let offset = FloatImage()
    private let guideMean = FloatImage()
    private let maskMean = FloatImage()
    private let product = FloatImage()
    private let slopes = LinearResizer()
    private let offsets = LinearResizer()

    /// Creates a filter for one stream.
    ///
    /// - Parameters:
    ///   - radius: windows are 2 `radius` + 1 values of the coarse grid wide.
    ///   - flatness: a variance of brightness (0...1); flatter windows are smoothed, others keep edges.
    package init(radius: Int, flatness: Float) {
        self.radius = radius
        self.flatness = flatness
    }

    /// Fills `target` with `mask` at the size of `guide`, fitted to its edges.
    ///
    /// - Parameter coarse: `guide` at the size of `mask`.
    package func refine(_ mask: FloatImage, coarse: FloatImage, guide: FloatImage, into target: FloatImage) {
        guard coarse.width == mask.width, coarse.height == mask.height else { return }
        fit(mask, coarse)
        let (width, height) = (guide.width, guide.height)
        target.resize(width: width, height: height)
        slopes.begin(slope, width: width, height: height)
        offsets.begin(offset, width: width, height: height)
        for y in 0..<height {
            Self.apply(
                slopes.row(y, of: slope), offsets.row(y, of: offset), guide.row(y), into: target.row(y),
                count: width)
        }
    }

    private static func apply(
        _ slope: UnsafePointer<Float>, _ offset: UnsafePointer<Float>, _ guide: UnsafePointer<Float>,
        into target: UnsafeMutablePointer<Float>, count: Int
    ) {
        for x in 0..<count { target[x] = slope[x] * guide[x] + offset[x] }
    }

    private func fit(_ mask: FloatImage, _ guide: FloatImage) {
        product.resize(width: mask.width, height: mask.height)
        average(guide, into: guideMean)
        average(mask, into: maskMean)
        multiply(guide, guide)
        average(product, into: slope)
        multiply(guide, mask)
        average(product, into: offset)
        solve(count: mask.count)
    }

    /// Converts mean products, in `slope` and `offset`, to the linear functions.
    private func solve(count: Int) {
        let (squares, products) = (slope.base, offset.base)
        let (guide, mask) = (guideMean.base, maskMean.base)
        for i in 0..<count {
            let variance = squares[i] - guide[i] * guide[i]
            let slope = (products[i] - guide[i] * mask[i]) / (max(variance, 0) + flatness)
            squares[i] = slope
            products[i] = mask[i] - slope * guide[i]
        }
    }

    private func multiply(_ left: FloatImage, _ right: FloatImage) {
        let (left, right, product, count) = (left.base, right.base, product.base, product.count)
        for i in 0..<count { product[i] = left[i] * right[i] }
    }

    private func average(_ source: FloatImage, into target: FloatImage) {
        target.resize(width: source.width, height: source.height)
        box.apply(
            source.base, width: source.width, height: source.height, radius: radius, into: target.base)
    }
}
