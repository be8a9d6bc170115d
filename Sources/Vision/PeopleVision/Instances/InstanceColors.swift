package import Imaging

/// The colours of a person's clothes or of another subject: histograms of the upper and the lower half of the
/// visible part.
///
/// Two samples of one person are alike while the light stays the same. They distinguish people of a stream
/// whose ways cross; faces are not compared.
package final class InstanceColors {
    /// Number of levels of each of red, green and blue.
    private static let levels = 4
    private static let bins = levels * levels * levels
    private static let halves = 2
    /// Minimum coverage of a pixel that counts as the person's, 0...1: outlines also show the background.
    private static let certain: Float = 0.8
    /// Distance of the pixels that count, along both sides: a thousand of 256x256 are enough for a person.
    private static let step = 4

    /// The bins of the pixels that count, row by row.
    private var samples: [UInt8] = []
    /// Shares of each half's pixels; all 0 where a half is not visible.
    private var shares = [Float](repeating: 0, count: halves * bins)

    /// Creates unknown colours.
    package init() {}

    /// Whether nothing has been measured, or no person was visible.
    package var isUnknown: Bool { shares.allSatisfy { $0 == 0 } }

    /// Copies the colours of `other`.
    func copy(_ other: InstanceColors) { (samples, shares) = (other.samples, other.shares) }

    /// Samples an image, for `measure`.
    ///
    /// - Parameter image: R, G and B in the layout of `tensor`.
    package func sample(_ image: UnsafeBufferPointer<Float>, in tensor: TensorInput) {
        samples.removeAll(keepingCapacity: true)
        let (width, height) = (tensor.width, tensor.height)
        guard image.count >= 3 * width * height, tensor.low != tensor.high else { return }
        let (pixel, plane) = tensor.layout == .nhwc ? (3, 1) : (1, width * height)
        let scale = Float(Self.levels) / (tensor.high - tensor.low)
        for y in stride(from: 0, to: height, by: Self.step) {
            for x in stride(from: 0, to: width, by: Self.step) {
                let place = (y * width + x) * pixel
                var bin = 0
                for channel in 0..<3 {
                    let value = (image[place + channel * plane] - tensor.low) * scale
                    bin = bin * Self.levels + Self.level(value)
                }
                samples.append(UInt8(truncatingIfNeeded: bin))
            }
        }
    }

    /// Measures the colours of a person in the image.
    ///
    /// - Parameters:
    ///   - coverage: coverage by the person, 0...1, of the image's size.
    ///   - isOwn: whether the person is in front at a position in the unit square.
    package func measure(_ coverage: FloatImage, isOwn: (_ x: Double, _ y: Double) -> Bool) {
        for i in shares.indices { shares[i] = 0 }
        let (width, height) = (coverage.width, coverage.height)
        guard let extent = coverage.extent(above: Self.certain) else { return }
        let middle = (extent.y + extent.height / 2) * Double(height)
        var (index, upper, lower) = (0, Float(0), Float(0))
        for y in stride(from: 0, to: height, by: Self.step) {
            let row = coverage.row(y)
            for x in stride(from: 0, to: width, by: Self.step) {
                defer { index += 1 }
                guard index < samples.count, row[x] > Self.certain,
                    isOwn((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
                else { continue }
                let isLower = Double(y) >= middle
                shares[(isLower ? Self.bins : 0) + Int(samples[index])] += 1
                if isLower { lower += 1 } else { upper += 1 }
            }
        }
        for i in shares.indices { shares[i] /= max(1, i < Self.bins ? upper : lower) }
    }

    /// Returns a level, 0..<`levels`, for any value.
    private static func level(_ value: Float) -> Int {
        value > 0 ? (value < Float(levels) ? Int(value) : levels - 1) : 0
    }

    /// Returns the similarity of the colours, 0...1: the mean of the halves' Bhattacharyya coefficients.
    ///
    /// It is nil if no half is known of both.
    package func similarity(to other: InstanceColors) -> Double? {
        var (sum, known): (Float, Float) = (0, 0)
        for half in 0..<Self.halves {
            var (coefficient, mass, otherMass): (Float, Float, Float) = (0, 0, 0)
            for i in (half * Self.bins)..<((half + 1) * Self.bins) {
                coefficient += (shares[i] * other.shares[i]).squareRoot()
                mass += shares[i]
                otherMass += other.shares[i]
            }
            guard mass > 0, otherMass > 0 else { continue }
            sum += coefficient
            known += 1
        }
        return known > 0 ? Double(sum / known) : nil
    }

    /// Moves the colours towards `other` by `share`, 0...1; unknown colours become those of `other`.
    package func approach(_ other: InstanceColors, by share: Float) {
        guard !other.isUnknown else { return }
        let share = isUnknown ? 1 : share
        for i in shares.indices { shares[i] += share * (other.shares[i] - shares[i]) }
    }
}
