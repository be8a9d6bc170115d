extension SIMD3<Double> {
    func dot(_ other: Self) -> Double { (self * other).sum() }
    var length: Double { dot(self).squareRoot() }

    /// The vector of length 1; nil when too short or not finite.
    var normalized: Self? {
        let length = length
        return length.isFinite && length > 1e-12 ? self / length : nil
    }

    func crossed(_ other: Self) -> Self {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}
