/// Pastes a matte of a crop into a mask of the whole frame.
package final class FeatheredPaste {
    /// Width of the feather inside the crop's edges, as a share of the crop's size.
    ///
    /// A subject that the crop cuts off then has no visible seam; 0.03 is about 15 values of a crop of 512.
    package static let feather = 0.03

    private let taps = LinearTaps()
    private let weights = ScratchBuffer<Float>()
    private let combined = ScratchBuffer<Float>()

    /// Creates a paste without scratch memory.
    package init() {}

    /// Raises `mask` to the crop's coverage where that is larger.
    ///
    /// Towards edges of the crop that are not the frame's, coverage fades to 0.
    ///
    /// - Parameters:
    ///   - values: coverage of the crop, `width` x `height` floats, row by row.
    ///   - crop: the crop in the unit square of the mask; it may reach outside.
    package func add(
        _ values: UnsafeBufferPointer<Float>, width: Int, height: Int, crop: Rectangle, to mask: FloatImage
    ) {
        guard let base = values.baseAddress, width > 0, height > 0, values.count >= width * height,
            crop.width > 0, crop.height > 0
        else { return }
        let place = PixelRect(crop, width: mask.width, height: mask.height)
        let across = Span(origin: crop.x, extent: crop.width, count: mask.width)
        let down = Span(origin: crop.y, extent: crop.height, count: mask.height)
        taps.build(count: place.width, samples: width) {
            across.position(place.x + $0) * Double(width) - 0.5
        }
        let weights = weights.reserve(place.width)
        for x in 0..<place.width { weights[x] = across.weight(place.x + x) }
        let combined = combined.reserve(width + 1)
        for y in place.y..<(place.y + place.height) {
            let tap = LinearTap(position: down.position(y) * Double(height) - 0.5, samples: height)
            let weight = down.weight(y)
            tap.interpolate(base + tap.first &* width, base + tap.last &* width, count: width) {
                combined[$0] = $1 * weight
            }
            combined[width] = combined[width - 1]
            let row = mask.row(y) + place.x
            taps.interpolate(combined, 0..<place.width) { row[$0] = max(row[$0], $1 * weights[$0]) }
        }
    }

    /// A crop along one axis of a mask of `count` values.
    private struct Span {
        let origin: Double
        let extent: Double
        let count: Int

        /// Returns the place of the centre of value `index`, from 0 to 1 within the crop.
        func position(_ index: Int) -> Double { ((Double(index) + 0.5) / Double(count) - origin) / extent }

        /// Returns the weight: 1 inside, falling to 0 at edges that are not the frame's.
        func weight(_ index: Int) -> Float {
            let position = position(index)
            let low = origin <= 0 ? 1 : Float(position) / Float(FeatheredPaste.feather)
            // Crops are computed in floating point: one that ends at 1 may miss it by a rounding error.
            let high = origin + extent > 1 - 1e-9 ? 1 : Float(1 - position) / Float(FeatheredPaste.feather)
            return MaskCoding.clamped(min(low, high))
        }
    }
}
