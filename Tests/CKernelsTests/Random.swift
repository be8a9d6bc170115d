import TestSupport

extension SeededGenerator {
    /// Returns random floats between two limits.
    mutating func floats(_ count: Int, _ range: ClosedRange<Double>) -> [Float] {
        (0..<count).map { _ in Float(number(range)) }
    }

    /// Returns random whole numbers between two limits.
    mutating func integers<Number: FixedWidthInteger>(_ count: Int, _ range: ClosedRange<Number>) -> [Number]
    {
        (0..<count).map { _ in Number.random(in: range, using: &self) }
    }
}

/// Returns the largest difference of values from the expected ones.
func worst(_ values: some Collection<Float>, _ expected: some Collection<Double>) -> Double {
    zip(values, expected).map { abs(Double($0) - $1) }.max() ?? .infinity
}

/// Returns the largest difference of samples from the expected ones.
func worst(_ samples: some Collection<some BinaryInteger>, _ expected: some Collection<Double>) -> Double {
    zip(samples, expected).map { abs(Double($0) - $1) }.max() ?? .infinity
}

/// Lengths below, at and above those of vectors.
let rowLengths = [1, 3, 8, 31, 64, 100, 257]
