import Glibc

/// Brightness, contrast, noise and sharpness of a grey image of a face, measured inside the ellipse that
/// touches the image's edges.
package struct FaceSurface {
    /// Mean brightness, 0...1.
    package private(set) var brightness = 0.0
    /// Standard deviation of the brightness.
    package private(set) var contrast = 0.0
    /// Share of pixels with nearly the lowest or highest brightness.
    package private(set) var clipped = 0.0
    /// Estimated standard deviation of the noise.
    package private(set) var noise = 0.0
    /// Steepness of the sharpest edges, per pixel, without the contribution of noise.
    package private(set) var edges = 0.0

    private static let bins = 1024
    /// Share of the pixels that are less steep than the sharpest edges.
    private static let edgeShare = 0.95

    private var steepness = [Int](repeating: 0, count: Self.bins)
    private var roughness = [Int](repeating: 0, count: Self.bins)

    package init() {}

    /// Measures an image.
    ///
    /// - Parameters:
    ///   - grey: `side` rows of `side` values, 0...1.
    package mutating func measure(_ grey: UnsafeBufferPointer<Float>, side: Int) {
        guard side >= 8, grey.count >= side * side else { return }
        var (sum, squares, extremes, count) = (0.0, 0.0, 0, 0)
        for bin in 0..<Self.bins { (steepness[bin], roughness[bin]) = (0, 0) }
        for y in 1..<(side - 1) {
            for x in Self.columns(y, side) {
                let value = Double(grey[y * side + x])
                sum += value
                squares += value * value
                if value < 0.02 || value > 0.98 { extremes += 1 }
                count += 1
                add(grey, y * side + x, side)
            }
        }
        let mean = sum / Double(max(1, count))
        brightness = mean
        contrast = max(squares / Double(max(1, count)) - mean * mean, 0).squareRoot()
        clipped = Double(extremes) / Double(max(1, count))
        // The constant is the median of a normal distribution's absolute values; the operator's gain is in
        // the histogram.
        noise = Self.percentile(roughness, 0.5, count) / 0.6745
        let steep = Self.percentile(steepness, Self.edgeShare, count)
        edges = max(steep * steep - Self.noiseInEdges * noise * noise, 0).squareRoot()
    }

    /// Contribution of noise to the squared steepness of the sharpest edges, in variances of the noise.
    ///
    /// The squares of both central differences together are chi-squared with two degrees of freedom, scaled
    /// by half.
    private static let noiseInEdges = -log(1 - edgeShare)

    /// Counts the pixel's central differences and the value of Immerkaer's operator, which edges and ramps do
    /// not change ("Fast noise variance estimation", 1996).
    private mutating func add(_ grey: UnsafeBufferPointer<Float>, _ place: Int, _ side: Int) {
        let (up, down) = (place - side, place + side)
        let across = grey[place + 1] - grey[place - 1]
        let along = grey[down] - grey[up]
        let corners = grey[up - 1] + grey[up + 1] + grey[down - 1] + grey[down + 1]
        let cross = grey[up] + grey[down] + grey[place - 1] + grey[place + 1]
        let rough = corners - 2 * cross + 4 * grey[place]
        steepness[Self.bin(Double(across * across + along * along).squareRoot() / 2)] += 1
        roughness[Self.bin(Double(abs(rough)) / 6)] += 1
    }

    /// Returns the columns of row `y` inside the ellipse and off the edge.
    private static func columns(_ y: Int, _ side: Int) -> Range<Int> {
        let height = (2 * Double(y) + 1) / Double(side) - 1
        let half = max(1 - height * height, 0).squareRoot() * Double(side) / 2
        let middle = Double(side) / 2
        let first = max(1, Int(middle - half))
        return first..<max(first, min(side - 1, Int(middle + half)))
    }

    private static func bin(_ value: Double) -> Int {
        value.isFinite ? Int(min(max(value, 0), 1) * Double(bins - 1)) : 0
    }

    /// Returns the value below which `share` of `count` values lie, interpolated linearly within its bin.
    private static func percentile(_ histogram: [Int], _ share: Double, _ count: Int) -> Double {
        let wanted = share * Double(count)
        var below = 0.0
        for (bin, size) in histogram.enumerated() {
            if below + Double(size) >= wanted, size > 0 {
                return (Double(bin) + (wanted - below) / Double(size)) / Double(bins - 1)
            }
            below += Double(size)
        }
        return 1
    }
}
