/// Linear interpolation of a part of an image.
package final class CropResizer {
    private let taps = LinearTaps()
    private let combined = ScratchBuffer<Float>()

    /// A resizer without tables yet.
    package init() {}

    /// Fills `target` with what `source` has in `crop`; beyond the image its edge values go on.
    ///
    /// - Parameter crop: in the unit square of `source`.
    package func resize(_ crop: Rectangle, of source: FloatImage, into target: FloatImage) {
        guard source.count > 0 else { return target.fill(0) }
        taps.build(count: target.width, samples: source.width) {
            Self.position($0, of: target.width, crop.x, crop.width, samples: source.width)
        }
        // One value more: the tap of the last one reads its neighbour.
        let (combined, last) = (combined.reserve(source.width + 1), source.width)
        for y in 0..<target.height {
            let position = Self.position(y, of: target.height, crop.y, crop.height, samples: source.height)
            let tap = LinearTap(position: position, samples: source.height)
            tap.interpolate(source.row(tap.first), source.row(tap.last), count: last) { combined[$0] = $1 }
            combined[last] = combined[last - 1]
            let row = target.row(y)
            taps.interpolate(combined, 0..<target.width) { row[$0] = $1 }
        }
    }

    /// Where the output `index` of `count` lies among samples, pixel centres aligned.
    private static func position(
        _ index: Int, of count: Int, _ origin: Double, _ extent: Double, samples: Int
    ) -> Double {
        (origin + (Double(index) + 0.5) / Double(count) * extent) * Double(samples) - 0.5
    }
}
