package import Imaging

/// Remembers what the background looks like, and takes from a mask what still looks exactly like it.
///
/// A matte takes things behind a person for a part of that person now and then. Where the camera rests, what has been
/// background in earlier masks and looks the same is background still. Where the camera moves, hardly anything looks
/// the same, and masks stay as they are. So they do where the coarse coverage is certain of a person and the background
/// has no pattern: clothes may have the colour of what is behind them, but not the same pattern at the same place.
package final class BackgroundMemory {
    /// Masks in which a place has to have been background.
    private static let minimumCount: Float = 4
    /// Masks that are counted: where later ones are sure of a person, as many make the memory forget.
    private static let maximumCount: Float = 12
    /// What a new image counts in the remembered one, 0...1: it is the mean of about five.
    private static let weight: Float = 0.2
    /// The difference from the remembered image that is one, 0...1: below it lies the noise of sensors and codecs,
    /// 2 of 255.
    private static let change = LinearStep(from: 2.0 / 255, to: 6.0 / 255)
    /// The difference from which on a place shows something else than before, 0...1: what a person holds there.
    private static let other: Float = 24.0 / 255
    /// What a mask in which a place shows something else takes from its count: some 100 of them make the memory forget.
    ///
    /// With 1, a pipe that a person holds still and the masks miss is background after half a second.
    private static let fading: Float = 0.1
    /// How far a pattern deviates from its mean (standard deviation of green, 0...1): by two to four times the noise.
    ///
    /// With twice as much, the clip that gains most has an error of 13.3 instead of 11.2 (masks without lookahead).
    private static let pattern = LinearStep(from: 4.0 / 255, to: 8.0 / 255)
    /// By how much a pattern widens `change` for each unit of its deviation, and at most: people's shadows fall on it.
    private static let (widening, maximumWidening): (Float, Float) = (10, 3)
    /// Half the width of what is looked at for a pattern, in pixels of the coarse model.
    private static let reach = 3
    /// The mask up to which a place is background, and from which on it is a person's for sure, 0...1.
    private static let (background, person): (Float, Float) = (0.05, 0.9)
    /// The distance from people at which a place may be learned, in pixels of the coarse model: soft edges are theirs.
    private static let distance = 2

    /// Colours as three planes, one below the other.
    private let known = FloatImage()
    /// In how many masks each place was background.
    private let counts = FloatImage()
    private let held = FloatImage()
    /// By how much each place differs from what is remembered, 0...1.
    private let changed = FloatImage()
    /// By how much each place differs from what is remembered, 0...1; 1 where too little is known.
    private let difference = FloatImage()
    private let same = FloatImage()
    /// Where a pattern is the same, 0...1: no clothes can have it.
    private let sure = FloatImage()
    private let mean = FloatImage()
    private let square = FloatImage()
    /// How far the brightness of what is remembered deviates from its mean, around each place.
    private let deviation = FloatImage()
    private let box = BoxMean()
    private let morphology = MorphologyFilter()
    private let heldRows = LinearResizer()
    private let sameRows = LinearResizer()

    /// A memory of nothing.
    package init() {}

    /// The next frame shows another scene.
    package func reset() { counts.fill(0) }

    /// Takes from `mask` what looks like the background, and learns what is background in it.
    ///
    /// - Parameters:
    ///   - mask: of any size.
    ///   - colors: the same image, as three planes, one below the other.
    ///   - coverage: by people, as the coarse model finds it, of the size of a plane.
    package func apply(to mask: FloatImage, colors: FloatImage, coverage: FloatImage) {
        guard colors.width == coverage.width, colors.height == 3 * coverage.height else { return }
        known.resize(width: colors.width, height: colors.height)
        for image in [counts, held, changed, difference, same, sure, mean, square, deviation] {
            image.resize(width: coverage.width, height: coverage.height)
        }
        find(colors, coverage)
        heldRows.resize(mask, into: held)
        take(from: mask)
        forget()
        learn(colors)
    }

    /// Finds where the image is the same, 0...1.
    private func find(_ colors: FloatImage, _ coverage: FloatImage) {
        compare(colors)
        findPatterns()
        average(difference, into: same, radius: 1)
        let (target, coverage, sure) = (difference.base, coverage.base, sure.base)
        let (changes, deviations) = (same.base, deviation.base)
        for i in 0..<counts.count {
            target[i] = Self.likeness(changes[i], deviations[i]) * max(1 - coverage[i], sure[i])
        }
        average(difference, into: same, radius: 1)
    }

    /// How much a place looks as before, 0...1, where a pattern of this deviation has changed by `change`.
    private static func likeness(_ change: Float, _ deviation: Float) -> Float {
        1 - Self.change.value(change * (1 / min(1 + widening * deviation, maximumWidening)))
    }

    /// Finds by how much each place differs from what is remembered, in the colour that differs most.
    private func compare(_ colors: FloatImage) {
        let (count, new, old, counts) = (counts.count, colors.base, known.base, counts.base)
        let (changed, difference) = (changed.base, difference.base)
        for i in 0..<count {
            let (red, green) = (abs(new[i] - old[i]), abs(new[i + count] - old[i + count]))
            let largest = max(red, green, abs(new[i + 2 * count] - old[i + 2 * count]))
            changed[i] = largest
            difference[i] = counts[i] >= Self.minimumCount ? largest : 1
        }
    }

    /// Finds where a pattern is the same; it shows in the green of what is remembered.
    private func findPatterns() {
        measureDeviation(of: known.base + counts.count)
        average(difference, into: same, radius: Self.reach)
        let (sure, changes, deviations) = (sure.base, same.base, deviation.base)
        for i in 0..<counts.count {
            sure[i] = Self.pattern.value(deviations[i]) * Self.likeness(changes[i], deviations[i])
        }
        morphology.dilate(self.sure, radius: Self.reach)
    }

    /// Measures how far `green` deviates from its mean around each place; 0 where not all of the surroundings is known.
    private func measureDeviation(of green: UnsafePointer<Float>) {
        let (count, squares, deviations) = (counts.count, same.base, deviation.base)
        let counts = counts.base
        for i in 0..<count {
            deviations[i] = counts[i] < Self.minimumCount ? 1 : 0
            squares[i] = green[i] * green[i]
        }
        // A place that is not known has some colour or other, which would be a pattern beside its neighbours.
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

    /// What was a hole in earlier masks must not stay one: here the mask insists on a person.
    private func forget() {
        for i in 0..<counts.count where held.base[i] > Self.person && same.base[i] > 0.5 {
            counts.base[i] -= 1
        }
    }

    private func learn(_ colors: FloatImage) {
        morphology.dilate(held, radius: Self.distance)
        let (count, new, old) = (counts.count, colors.base, known.base)
        let (counts, held, changed) = (counts.base, held.base, changed.base)
        for i in 0..<count where held[i] < Self.background {
            // Background lasts: what is new in front of it is rather something that a person holds.
            if counts[i] > 0, changed[i] > Self.other {
                counts[i] -= Self.fading
                continue
            }
            let weight = counts[i] > 0 ? Self.weight : 1
            for plane in 0..<3 {
                let place = i + plane * count
                old[place] += weight * (new[place] - old[place])
            }
            counts[i] = min(counts[i] + 1, Self.maximumCount)
        }
    }
}
