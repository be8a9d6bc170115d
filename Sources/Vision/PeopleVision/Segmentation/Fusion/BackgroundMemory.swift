package import Imaging

/// Remembers the image of the background, and clears the mask where the image still looks exactly like it.
///
/// A matte sometimes takes things behind a person for a part of that person. Where the camera rests, a
/// place that was background in earlier masks and looks the same is still background. Where the camera
/// moves, hardly anything looks the same, and masks stay as they are. Masks also stay where the coarse
/// coverage is certain of a person and the background has no pattern: clothes may have the colour of the
/// background, but not the same pattern at the same place.
package final class BackgroundMemory {
    /// Number of masks in which a place has to be background before it is remembered.
    private static let minimumCount: Float = 4
    /// Weight of a new image in the remembered one, 0...1: the result is the mean of about five.
    private static let weight: Float = 0.2
    /// Difference from the remembered image that counts as a change, 0...1; below it lies the noise of
    /// sensors and codecs, 2 of 255.
    private static let change = LinearStep(from: 2.0 / 255, to: 6.0 / 255)
    /// Deviation of a pattern from its mean (standard deviation of green, 0...1): two to four times the
    /// noise.
    ///
    /// With twice as much, the clip that gains most has an error of 13.3 instead of 11.2 (masks without
    /// lookahead).
    private static let pattern = LinearStep(from: 4.0 / 255, to: 8.0 / 255)
    /// Widening of `change` for each unit of a pattern's deviation, and its maximum: people's shadows fall on
    /// the pattern.
    private static let (widening, maximumWidening): (Float, Float) = (10, 3)
    /// Radius of the window that is searched for a pattern, and distance from people at which a place may be learned, in pixels
    /// of the coarse model; soft edges belong to people.
    private static let reach = 3

    /// Remembered colours, as three planes, one below the other.
    private let known = FloatImage()
    /// Number of masks in which each place was background, up to `minimumCount`.
    private let counts = FloatImage()
    private let smallMask = FloatImage()
    /// Difference of each place from the remembered image, 0...1; 1 where too little is known.
    private let difference = FloatImage()
    private let same = FloatImage()
    /// Likeness where a pattern is the same, 0...1: clothes cannot have the same pattern.
    private let sure = FloatImage()
    private let mean = FloatImage()
    private let square = FloatImage()
    /// Deviation of the remembered brightness from its mean, around each place.
    private let deviation = FloatImage()
    private let box = BoxMean()
    private let morphology = MorphologyFilter()
    private let maskRows = LinearResizer()
    private let sameRows = LinearResizer()

    /// Creates an empty memory.
    package init() {}

    /// Forgets the background, as the next frame shows another scene.
    package func reset() { counts.fill(0) }

    /// Clears `mask` where the image looks like the background, and learns the background from the mask.
    ///
    /// - Parameters:
    ///   - mask: mask of any size.
    ///   - colors: the same image, as three planes, one below the other.
    ///   - coverage: coverage by people from the coarse model, of the size of a plane.
    package func apply(to mask: FloatImage, colors: FloatImage, coverage: FloatImage) {
        guard colors.width == coverage.width, colors.height == 3 * coverage.height else { return }
        known.resize(width: colors.width, height: colors.height)
        for image in [counts, smallMask, difference, same, sure, mean, square, deviation] {
            image.resize(width: coverage.width, height: coverage.height)
        }
        find(colors, coverage)
        maskRows.resize(mask, into: smallMask)
        take(from: mask)
        learn(colors)
    }

    /// Finds the likeness of the image to the remembered one, 0...1.
    private func find(_ colors: FloatImage, _ coverage: FloatImage) {
        compare(colors)
        findPatterns()
        average(difference, into: same, radius: 1)
        let (target, coverage, sure) = (difference.base, coverage.base, sure.base)
        let (changes, deviations) = (same.base, deviation.base)
        let covers = MaskRule.covered.isOn
        for i in 0..<counts.count {
            target[i] = Self.likeness(changes[i], deviations[i]) * max(covers ? 1 - coverage[i] : 1, sure[i])
        }
        average(difference, into: same, radius: 1)
    }

    /// Returns the likeness of a place, 0...1, where a pattern of this deviation has changed by `change`.
    private static func likeness(_ change: Float, _ deviation: Float) -> Float {
        1 - Self.change.value(change * (1 / min(1 + widening * deviation, maximumWidening)))
    }

    /// Finds the difference of each place from the remembered image, in the colour that differs most.
    private func compare(_ colors: FloatImage) {
        let (count, new, old, counts) = (counts.count, colors.base, known.base, counts.base)
        let difference = difference.base
        for i in 0..<count {
            let (red, green) = (abs(new[i] - old[i]), abs(new[i + count] - old[i + count]))
            let largest = max(red, green, abs(new[i + 2 * count] - old[i + 2 * count]))
            difference[i] = counts[i] >= Self.minimumCount ? largest : 1
        }
    }

    /// Finds places where a pattern is the same, in the green of the remembered image.
    private func findPatterns() {
        measureDeviation(of: known.base + counts.count)
        average(difference, into: same, radius: Self.reach)
        let (sure, changes, deviations) = (sure.base, same.base, deviation.base)
        for i in 0..<counts.count {
            sure[i] = Self.pattern.value(deviations[i]) * Self.likeness(changes[i], deviations[i])
        }
        morphology.dilate(self.sure, radius: Self.reach)
        if !MaskRule.pattern.isOn { self.sure.fill(0) }
    }

    /// Measures the deviation of `green` from its mean around each place; 0 where some of the surroundings is
    /// unknown.
    private func measureDeviation(of green: UnsafePointer<Float>) {
        let (count, squares, deviations) = (counts.count, same.base, deviation.base)
        let counts = counts.base
        for i in 0..<count {
            deviations[i] = counts[i] < Self.minimumCount ? 1 : 0
            squares[i] = green[i] * green[i]
        }
        // An unknown place has an arbitrary colour, which would be a pattern next to its neighbours.
        morphology.dilate(deviation, radius: Self.reach)
        average(same, into: square, radius: Self.reach)
        box.apply(green, width: same.width, height: same.height, radius: Self.reach, into: mean.base)
        let (means, meanSquares) = (mean.base, square.base)
        for i in 0..<count {
            let variance = max(0, meanSquares[i] - means[i] * means[i])
            deviations[i] = deviations[i] > 0 ? 0 : variance.squareRoot()
        }
    }

    private func average(_ source: FloatImage, into target: FloatImage, radius: Int) {
        box.apply(source.base, width: source.width, height: source.height, radius: radius, into: target.base)
    }

    private func take(from mask: FloatImage) {
        sameRows.begin(same, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            let (row, same) = (mask.row(y), sameRows.row(y, of: same))
            for x in 0..<mask.width { row[x] *= max(0, 1 - same[x]) }
        }
    }

    private func learn(_ colors: FloatImage) {
        morphology.dilate(smallMask, radius: Self.reach)
        let (count, new, old) = (counts.count, colors.base, known.base)
        let (counts, covered) = (counts.base, smallMask.base)
        // A faint veil may be a person.
        let limit = 1 - CoverageLimits.certain.high
        for i in 0..<count where covered[i] < limit {
            let weight = counts[i] > 0 ? Self.weight : 1
            for plane in 0..<3 {
                let place = i + plane * count
                old[place] += weight * (new[place] - old[place])
            }
            counts[i] = min(counts[i] + 1, Self.minimumCount)
        }
    }
}
