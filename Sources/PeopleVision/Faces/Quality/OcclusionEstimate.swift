import Glibc

/// How much of a face's skin is seen: what lies in front of it usually has another colour.
package struct SkinSurvey {
    /// Points of the mesh where everybody has skin: forehead, cheeks, nose, lip, chin.
    package static let points = [
        10, 67, 109, 151, 338, 297, 69, 299, 50, 101, 118, 205, 187, 147, 280, 330, 347, 425, 411, 376, 5,
        195, 197, 164, 167, 393, 199, 200, 175, 171, 396, 210, 430, 138, 367,
    ]
    /// Hues differ by less on one person's skin, whatever the shadows: distances of the shares of red and
    /// green, as shares of the skin's own distance from grey.
    private static let alike = 0.75
    private static let other = 1.05
    /// Below this distance from grey the picture has no colours.
    private static let palest = 0.01
    /// Darker colours have no hue to speak of, and brighter ones have lost it.
    private static let darkest: Float = 0.1
    private static let brightest: Float = 0.98
    /// Fewer points say nothing.
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

    /// Takes note of the colour at one of the points, 0...1.
    package mutating func add(red: Float, green: Float, blue: Float) {
        let sum = red + green + blue
        guard sum.isFinite, sum > Self.darkest, max(red, green, blue) < Self.brightest else { return }
        reds.append(Double(red / sum))
        greens.append(Double(green / sum))
    }

    /// The share of the points that have the skin's colour, 0...1.
    package mutating func seen() -> Double {
        guard reds.count >= Self.fewest else { return 0 }
        let (red, green) = (median(of: reds), median(of: greens))
        let color = hypot(red - 1.0 / 3, green - 1.0 / 3)
        guard color > Self.palest else { return 1 }
        var strangers = 0.0
        for (oneRed, oneGreen) in zip(reds, greens) {
            let distance = hypot(oneRed - red, oneGreen - green) / color
            strangers += min(max((distance - Self.alike) / (Self.other - Self.alike), 0), 1)
        }
        return 1 - strangers / Double(reds.count)
    }

    private mutating func median(of values: [Double]) -> Double {
        sorted.removeAll(keepingCapacity: true)
        sorted.append(contentsOf: values)
        sorted.sort()
        return sorted[sorted.count / 2]
    }
}
