/// Adds what a model saw in a crop to a mask of the whole frame.
package final class FeatheredPaste {
    /// Towards edges of the crop inside the frame coverage fades out, so that what the crop cuts off
    /// ends in no seam; a share of the crop's size.
    private static let fade: Float = 0.03

    private let taps = ScratchBuffer<LinearTap>()
    private let weights = ScratchBuffer<Float>()
    private let combined = ScratchBuffer<Float>()

    /// A paste without scratch memory yet.
    package init() {}

    /// Raises `mask` to the crop's coverage where that is larger.
    ///
    /// - Parameters:
    ///   - values: `width` x `height` floats, row by row.
    ///   - crop: where they belong, in the unit square of the mask.
    package func add(
        _ values: UnsafeBufferPointer<Float>, width: Int, height: Int, crop: Rectangle, to mask: FloatImage
    ) {
        guard let base = values.baseAddress, width > 0, height > 0, values.count >= width * height,
            crop.width > 0, crop.height > 0
        else { return }
        let place = PixelRect(crop, width: mask.width, height: mask.height)
        let (taps, weights) = (taps.reserve(place.width), weights.reserve(place.width))
        for x in 0..<place.width {
            let at = Self.position(place.x + x, of: mask.width, crop.x, crop.width)
            taps[x] = LinearTap(position: at * Double(width) - 0.5, samples: width)
            weights[x] = Self.weight(at, crop.x, crop.width)
        }
        let combined = combined.reserve(width + 1)
        for y in place.y..<(place.y + place.height) {
            let at = Self.position(y, of: mask.height, crop.y, crop.height)
            let tap = LinearTap(position: at * Double(height) - 0.5, samples: height)
            let (upper, lower) = (base + Int(tap.index) &* width, base + tap.last &* width)
            let share = Self.weight(at, crop.y, crop.height)
            for x in 0..<width { combined[x] = (upper[x] + (lower[x] - upper[x]) * tap.fraction) * share }
            combined[width] = combined[width - 1]
            raise(mask.row(y) + place.x, count: place.width)
        }
    }

    private func raise(_ row: UnsafeMutablePointer<Float>, count: Int) {
        let (taps, weights, combined) = (taps.base, weights.base, combined.base)
        for x in 0..<count {
            let (index, fraction) = (Int(taps[x].index), taps[x].fraction)
            let value = combined[index] + (combined[index &+ 1] - combined[index]) * fraction
            row[x] = max(row[x], value * weights[x])
        }
    }

    /// Where the centre of pixel `index` lies in the crop's unit square.
    private static func position(_ index: Int, of count: Int, _ origin: Double, _ extent: Double) -> Double {
        ((Double(index) + 0.5) / Double(count) - origin) / extent
    }

    /// 1 inside, falling to 0 at edges that are not the frame's.
    private static func weight(_ at: Double, _ origin: Double, _ extent: Double) -> Float {
        let before = origin <= 0 ? 1 : Float(at) / fade
        let after = origin + extent > 1 - 1e-9 ? 1 : Float(1 - at) / fade
        return MaskCoding.clamped(min(before, after))
    }
}
