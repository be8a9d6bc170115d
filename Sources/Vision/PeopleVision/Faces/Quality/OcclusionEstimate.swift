import Glibc

/// Estimates the hidden share of a face from colours: things in front of a face usually differ from skin in
/// hue.
package struct OcclusionEstimate {
    /// Points of the mesh that lie on skin in every face: forehead, cheeks, nose, lip, chin.
    package static let points = [
        10, 67, 109, 151, 338, 297, 69, 299, 50, 101, 118, 205, 187, 147, 280, 330, 347, 425, 411, 376, 5,
        195, 197, 164, 167, 393, 199, 200, 175, 171, 396, 210, 430, 138, 367,
    ]
    /// Difference up to which a hue is that of the skin, in shadows too, relative to the skin's own distance
    /// from grey.
    private static let sameHue = 0.75
    /// Difference from which a hue is not that of the skin, in the same unit.
    private static let otherHue = 1.05
    /// Distance from grey, in shares of red and green, below which the image has no colours.
    private static let minimumColor = 0.01
    /// The sum of red, green and blue, each 0...1, below which a hue is mostly noise.
    private static let darkest: Float = 0.1
    /// The largest component, 0...1, from which on it may be clipped and the hue wrong.
    private static let brightest: Float = 0.98
    /// Minimum number of points with a hue that the median needs.
    private static let fewest = 4

    private var reds: [Double] = []
    private var greens: [Double] = []
    private var sorted: [Double] = []

    package init() {}

    /// Forgets all colours.
    package mutating func begin() {
        reds.removeAll(keepingCapacity: true)
        greens.removeAll(keepingCapacity: true)
    }

    /// Adds the colour at one of the points, each component 0...1.
    package mutating func add(red: Float, green: Float, blue: Float) {
        let sum = red + green + blue
        guard sum.isFinite, sum > Self.darkest, max(red, green, blue) < Self.brightest else { return }
        reds.append(Double(red / sum))
        greens.append(Double(green / sum))
    }

    /// Returns the share of the points that have the skin's hue, which is their median, 0...1.
    package mutating func visibleShare() -> Double {
        guard reds.count >= Self.fewest else { return 0 }
        let (red, green) = (median(of: reds), median(of: greens))
        let color = hypot(red - 1.0 / 3, green - 1.0 / 3)
        guard color > Self.minimumColor else { return 1 }
        var hidden = 0.0
        for (oneRed, oneGreen) in zip(reds, greens) {
            let distance = hypot(oneRed - red, oneGreen - green) / color
            hidden += min(max((distance - Self.sameHue) / (Self.otherHue - Self.sameHue), 0), 1)
        }
        return 1 - hidden / Double(reds.count)
    }

    private mutating func median(of values: [Double]) -> Double {
        sorted.removeAll(keepingCapacity: true)
        sorted.append(contentsOf: values)
        sorted.sort()
        return sorted[sorted.count / 2]
    }
}
