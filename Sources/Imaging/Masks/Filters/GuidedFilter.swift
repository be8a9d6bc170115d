/// Makes a mask follow the edges of a picture, at a higher resolution than its own.
///
/// Within each window the mask is taken for a linear function of the picture's brightness; the
/// function is found at the mask's resolution and applied to a larger picture.
/// Sources: He, Sun, Tang, "Guided Image Filtering", PAMI 2013; He, Sun, "Fast Guided Filter", 2015.
package final class GuidedFilter {
    private let radius: Int
    private let flatness: Float
    private let box = BoxMean()
    private let slope = MaskGrid()
    private let offset = MaskGrid()
    private let guideMean = MaskGrid()
    private let maskMean = MaskGrid()
    private let product = MaskGrid()
    private let slopes = GridStretch()
    private let offsets = GridStretch()

    /// A filter for one stream.
    ///
    /// - Parameters:
    ///   - radius: windows are 2 `radius` + 1 values wide.
    ///   - flatness: a variance of brightness (0...1); flatter windows are smoothed, others keep edges.
    package init(radius: Int, flatness: Float) {
        self.radius = radius
        self.flatness = flatness
    }

    /// Fills `target`, which has the size of `fine`.
    ///
    /// - Parameters:
    ///   - mask: the mask to refine.
    ///   - coarse: the picture's brightness 0...1 at the mask's size.
    ///   - fine: the brightness at the target's size.
    package func refine(_ mask: MaskGrid, coarse: MaskGrid, fine: MaskGrid, into target: MaskGrid) {
        guard coarse.width == mask.width, coarse.height == mask.height else { return }
        fit(mask, coarse)
        target.resize(width: fine.width, height: fine.height)
        slopes.begin(slope, width: fine.width, height: fine.height)
        offsets.begin(offset, width: fine.width, height: fine.height)
        for y in 0..<fine.height {
            let (slope, offset) = (slopes.row(y, of: slope), offsets.row(y, of: offset))
            let (guide, row) = (fine.row(y), target.row(y))
            for x in 0..<fine.width { row[x] = slope[x] * guide[x] + offset[x] }
        }
    }

    /// The linear functions, averaged over all windows that hold a pixel.
    private func fit(_ mask: MaskGrid, _ guide: MaskGrid) {
        product.resize(width: mask.width, height: mask.height)
        average(guide, into: guideMean)
        average(mask, into: maskMean)
        multiply(guide, guide)
        average(product, into: slope)
        multiply(guide, mask)
        average(product, into: offset)
        solve(count: mask.count)
        average(guideMean, into: slope)
        average(maskMean, into: offset)
    }

    /// Turns means and mean products into slope and offset, which take the place of the means.
    private func solve(count: Int) {
        let (squares, products) = (slope.base, offset.base)
        let (guide, mask) = (guideMean.base, maskMean.base)
        for i in 0..<count {
            let variance = squares[i] - guide[i] * guide[i]
            let slope = (products[i] - guide[i] * mask[i]) / (max(variance, 0) + flatness)
            mask[i] -= slope * guide[i]
            guide[i] = slope
        }
    }

    private func multiply(_ left: MaskGrid, _ right: MaskGrid) {
        let (left, right, product, count) = (left.base, right.base, product.base, product.count)
        for i in 0..<count { product[i] = left[i] * right[i] }
    }

    private func average(_ source: MaskGrid, into target: MaskGrid) {
        target.resize(width: source.width, height: source.height)
        box.apply(
            source.base, width: source.width, height: source.height, radius: radius, into: target.base)
    }
}
