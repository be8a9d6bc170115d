import Imaging
import TestSupport

/// Plain definitions of what rules of the mask have in common.
enum PlainMask {
    /// Returns 0 up to `low`, 1 from `high` on, and a straight line between.
    static func step(_ value: Float, _ low: Float, _ high: Float) -> Float {
        min(max((value - low) / (high - low), 0), 1)
    }

    /// Raises `lower` in pieces of people that the matte misses.
    ///
    /// The matte and the frame's edges bound at least 0.7 of a piece's outline.
    static func fillMissingRegions(
        of matte: FloatImage, _ people: FloatImage, _ side: Double, in lower: FloatImage
    ) {
        let (width, height) = (matte.width, matte.height)
        let isMissing = (0..<matte.count).map { people.base[$0] >= 0.95 && matte.base[$0] < 0.95 }
        let bounded: Float = 0.7
        func balance(_ x: Int, _ y: Int) -> Float {
            guard (0..<width).contains(x), (0..<height).contains(y) else { return 1 - bounded }
            if isMissing[y * width + x] { return 0 }
            return matte[x, y] >= 0.95 ? 1 - bounded : -bounded
        }
        let closed = FloatImage(width, height)
        let pieces = floodedRegions(width, height) { isMissing[$0] }
        for piece in pieces where piece.contains(where: { matte.base[$0] < 0.6 }) {
            var sum: Float = 0
            for place in piece {
                let (x, y) = (place % width, place / width)
                sum += balance(x - 1, y) + balance(x + 1, y) + balance(x, y - 1) + balance(x, y + 1)
            }
            if sum >= 0 { for place in piece { closed.base[place] = 1 } }
        }
        // Narrow pieces are gaps that the coarse model overlooks.
        let wide = window(closed, Int(0.015 * side)) { $0.min() }
        let filled = FloatImage(width, height)
        for piece in pieces where piece.contains(where: { wide.base[$0] > 0 }) {
            for place in piece { filled.base[place] = 1 }
        }
        let rimmed = window(filled, 1) { $0.max() }
        for i in 0..<lower.count {
            lower.base[i] = max(lower.base[i], rimmed.base[i] * step(people.base[i], 0.6, 0.95))
        }
    }

    /// Returns for each value the choice of `choose` from the window around it.
    static func window(_ image: FloatImage, _ radius: Int, _ choose: ([Float]) -> Float?) -> FloatImage {
        FloatImage(image.width, image.height) { x, y in
            var values: [Float] = []
            for v in max(0, y - radius)...min(image.height - 1, y + radius) {
                for u in max(0, x - radius)...min(image.width - 1, x + radius) { values.append(image[u, v]) }
            }
            return choose(values) ?? 0
        }
    }
}
