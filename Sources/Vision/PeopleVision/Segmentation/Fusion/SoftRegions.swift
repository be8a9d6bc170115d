package import Imaging

/// Turns soft regions of a stream's masks that are too wide for hair or blur into a person or none.
///
/// There the models doubt, and a mean of two answers shows a ghost that is neither.
package final class SoftRegions {
    /// The last mask, at the size of the plan's prior; no answer where a scene begins.
    private let last = FloatImage()
    private let small = FloatImage()
    private let mean = FloatImage()
    private let still = FloatImage()
    /// Places of wide soft regions, 0...1.
    private let wide = FloatImage()
    private let morphology = MorphologyFilter()
    private let box = BoxMean()
    private let smallRows = LinearResizer()
    private let stillRows = LinearResizer()
    private let wideRows = LinearResizer()
    private let meanRows = LinearResizer()

    /// Creates regions of masks that are compared at the size `extent`.
    package init(_ extent: SegmentationPlan.Extent) {
        for image in [last, small, mean, still, wide] {
            image.resize(width: extent.width, height: extent.height)
        }
        reset()
    }

    /// Forgets the last mask, as the next frame does not follow it.
    package func reset() { last.fill(0.5) }

    /// Decides about the soft regions of the next mask.
    ///
    /// - Parameter stillness: stillness of the image since the frame before, 0...1, at any size.
    package func decide(_ mask: FloatImage, still stillness: FloatImage) {
        smallRows.resize(mask, into: small)
        // Half of a region's minimum width. With half of this, soft hair is a region, and the error of a moving person grows by an eighth.
        let radius = Int((CoverageLimits.outlineTolerance(of: small) / 2).rounded())
        guard find(radius) else { return last.copy(small) }
        weigh(stillness, radius)
        write(into: mask)
        smallRows.resize(mask, into: last)
    }

    /// Fills `wide`; returns whether there is such a region.
    private func find(_ radius: Int) -> Bool {
        // A faint veil is visible before dark backgrounds, a faint shade inside of people is not.
        let soft = (1 - CoverageLimits.certain.high)...(1 - CoverageLimits.possible.low)
        for i in 0..<small.count { wide.base[i] = soft.contains(small.base[i]) ? 1 : 0 }
        morphology.erode(wide, radius: radius)
        guard wide.extent(above: 0.5) != nil else { return false }
        morphology.dilate(wide, radius: radius + 1)
        return true
    }

    /// Fills `mean` with the mean of each place's surroundings.
    ///
    /// A doubt does not change the last answer while the image stands still: without that, flicker of four clips with doubts grows
    /// by a tenth.
    private func weigh(_ stillness: FloatImage, _ radius: Int) {
        stillRows.resize(stillness, into: still)
        for i in 0..<small.count {
            small.base[i] += still.base[i] * (last.base[i] - 0.5)
        }
        box.apply(small.base, width: small.width, height: small.height, radius: radius, into: mean.base)
    }

    private func write(into mask: FloatImage) {
        wideRows.begin(wide, width: mask.width, height: mask.height)
        meanRows.begin(mean, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            let (row, wide, mean) = (mask.row(y), wideRows.row(y, of: wide), meanRows.row(y, of: mean))
            for x in 0..<mask.width where wide[x] > 0 {
                row[x] += wide[x] * (CoverageLimits.figure.value(mean[x]) - row[x])
            }
        }
    }
}
