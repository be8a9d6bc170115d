/// The sums of squares and products of vectors: of gradients, which say how exactly motion is known, or of places.
struct SecondMoments {
    private var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)

    /// Sum of squared gradients, of brightness 0...1 by pixel, below which there is no texture.
    private static let smallest: Float = 1e-4
    /// Multiple of the motion that noise explains from which on motion counts.
    ///
    /// At rest few windows exceed it by chance. With any motion counted, the joints of still people jitter twice as
    /// much (docs/experiments/2026-11-27-moved-landmarks.md).
    private static let significance: Float = 3
    /// Minimum noise of brightness, 0...1: half of a step of 255.
    private static let smallestNoise: Float = 0.5 / 255

    /// The sum of squared lengths.
    var size: Float { xx + yy }

    /// The spread in all directions: 0 where the vectors lie on a line, and 1 where no direction is preferred.
    var roundness: Float { size > 0 ? 4 * (xx * yy - xy * xy) / (size * size) : 0 }

    mutating func add(_ vector: SIMD2<Float>) {
        xx += vector.x * vector.x
        xy += vector.x * vector.y
        yy += vector.y * vector.y
    }

    /// Adds those of gradients under a motion of two parts: `first` for a unit of the one, `second` for one of the other.
    mutating func add(_ other: Self, by first: SIMD2<Float>, _ second: SIMD2<Float>, weight: Float) {
        let (one, two) = (other.times(first), other.times(second))
        xx += weight * (first * one).sum()
        xy += weight * (second * one).sum()
        yy += weight * (second * two).sum()
    }

    /// Returns the sums' product with a motion.
    func times(_ motion: SIMD2<Float>) -> SIMD2<Float> {
        SIMD2(xx * motion.x + xy * motion.y, xy * motion.x + yy * motion.y)
    }

    /// Returns the motion whose product with the sums is `pull`; a short one where there is no texture.
    func solve(_ pull: SIMD2<Float>) -> SIMD2<Float> {
        let (xx, yy) = (xx + Self.smallest, yy + Self.smallest)
        let determinant = xx * yy - xy * xy
        guard determinant > 0 else { return .zero }
        return SIMD2(yy * pull.x - xy * pull.y, xx * pull.y - xy * pull.x) / determinant
    }

    /// Returns the degree, 0...1, to which a motion exceeds what noise explains.
    ///
    /// - Parameter difference: mean change of brightness, 0...1, that the motion does not explain.
    func certainty(of motion: SIMD2<Float>, _ difference: Float) -> Float {
        let change = (motion * times(motion)).sum()
        let noise = Self.significance * max(difference, Self.smallestNoise)
        let excess = change - noise * noise
        return excess > 0 ? excess / (excess + noise * noise) : 0
    }
}
