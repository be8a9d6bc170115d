package import Imaging

/// Remembers what the background looks like, and takes from a mask what still looks exactly like it.
///
/// A matte takes things behind a person for a part of that person now and then. Where the camera rests, what has been background
/// in earlier masks and looks the same is background still. Where the camera moves, hardly anything looks the same, and masks
/// stay as they are. So they do where the coarse coverage is certain of a person: clothes may have the colour of what is behind
/// them.
package final class BackgroundMemory {
    /// Masks in which a place has to have been background.
    private static let minimumCount: Float = 4
    /// Masks that are counted: where later ones are sure of a person, as many make the memory forget.
    private static let maximumCount: Float = 12
    /// What a new image counts in the remembered one, 0...1: it is the mean of about five.
    private static let weight: Float = 0.2
    /// The difference from the remembered image that is one, 0...1: below it lies the noise of sensors and codecs, 2 of 255.
    private static let change = LinearStep(from: 2.0 / 255, to: 6.0 / 255)
    /// The mask up to which a place is background, and from which on it is a person's for sure, 0...1.
    private static let (background, person): (Float, Float) = (0.05, 0.9)
    /// The distance from people at which a place may be learned, in pixels of the coarse model: soft edges are theirs.
    private static let distance = 2

    /// Colours as three planes, one below the other.
    private let known = FloatImage()
    /// In how many masks each place was background.
    private let counts = FloatImage()
    private let held = FloatImage()
    private let difference = FloatImage()
    private let same = FloatImage()
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
        for image in [counts, held, difference, same] {
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
        let (count, new, old) = (counts.count, colors.base, known.base)
        for i in 0..<count {
            let (red, green) = (abs(new[i] - old[i]), abs(new[i + count] - old[i + count]))
            let largest = max(red, green, abs(new[i + 2 * count] - old[i + 2 * count]))
            difference.base[i] = counts.base[i] >= Self.minimumCount ? largest : 1
        }
        box.apply(
            difference.base, width: counts.width, height: counts.height, radius: 1, into: same.base)
        for i in 0..<count {
            difference.base[i] = (1 - Self.change.value(same.base[i])) * (1 - coverage.base[i])
        }
        box.apply(
            difference.base, width: counts.width, height: counts.height, radius: 1, into: same.base)
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
        let count = counts.count
        for i in 0..<count where held.base[i] < Self.background {
            let weight = counts.base[i] > 0 ? Self.weight : 1
            for plane in 0..<3 {
                let place = i + plane * count
                known.base[place] += weight * (colors.base[place] - known.base[place])
            }
            counts.base[i] = min(counts.base[i] + 1, Self.maximumCount)
        }
    }
}
