import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of the parts of a mask that are removed because they look like known background.
struct BackgroundMemoryTests {
    private static let side = 32
    private let memory = BackgroundMemory()

    private func image(_ height: Int = side, _ value: (Int, Int) -> Float) -> FloatImage {
        FloatImage(Self.side, height, value)
    }

    /// Returns a pattern in three colours, all of them larger by `difference`.
    private func colors(_ difference: Float = 0) -> FloatImage {
        image(3 * Self.side) { x, y in Float((x * 37 + y * 53) % 97) / 200 + difference }
    }

    /// Returns a value of a mask that was 1 everywhere, after an image with `colors`.
    private func left(_ colors: FloatImage, coverage: Float = 0) -> Float {
        let mask = image { _, _ in 1 }
        memory.apply(to: mask, colors: colors, coverage: image { _, _ in coverage })
        return mask[16, 16]
    }

    /// Shows the pattern, or `colors`, without people.
    private func show(_ masks: Int, _ colors: FloatImage? = nil) {
        for _ in 0..<masks {
            memory.apply(
                to: image { _, _ in 0 }, colors: colors ?? self.colors(), coverage: image { _, _ in 0 })
        }
    }

    // Rule: background.
    @Test func removesBackgroundSeenInFourFrames() {
        show(3)
        #expect(left(colors()) == 1)
        show(1)
        #expect(left(colors()) == 0)
    }

    @Test func keepsMasksWhereTheImageDiffers() {
        show(8)
        #expect(left(colors(0.08)) == 1)
        let plain = image(3 * Self.side) { _, _ in 0.5 }
        memory.reset()
        show(8, plain)
        #expect(abs(left(image(3 * Self.side) { _, _ in 0.5 + 4.0 / 255 }) - 0.5) < 0.01)
    }

    // Rule: covered.
    /// Clothes may have the colour of the background.
    @Test func keepsCertainCoverageOnPlainBackground() {
        let plain = image(3 * Self.side) { _, _ in 0.5 }
        show(8, plain)
        #expect(left(plain, coverage: 1) == 1)
        #expect(abs(left(plain, coverage: 0.4) - 0.4) < 0.01)
    }

    // Rule: pattern.
    /// Clothes do not have the same pattern at the same place by chance.
    @Test func aMatchingPatternOverridesCertainCoverage() {
        show(8)
        #expect(left(colors(), coverage: 1) == 0)
        #expect(left(colors(0.08), coverage: 1) == 1)
        let pale = image(3 * Self.side) { x, y in 0.5 + Float((x + y) % 2) / 255 }
        memory.reset()
        show(8, pale)
        #expect(left(pale, coverage: 1) == 1)
    }

    /// Shadows of people change a pattern by less than clothes would.
    @Test func recognisesAPatternInShadow() {
        let plain = image(3 * Self.side) { _, _ in 0.5 }
        let shadow = image(3 * Self.side) { _, _ in 0.5 - 6.0 / 255 }
        show(8, plain)
        #expect(left(shadow) == 1)
        memory.reset()
        show(8)
        #expect(left(colors(-6.0 / 255)) < 0.2)
    }

    @Test func aResetErasesTheBackground() {
        show(8)
        memory.reset()
        #expect(left(colors()) == 1)
    }

    /// Soft edges belong to people.
    @Test func doesNotLearnBackgroundNearPeople() {
        for _ in 0..<8 {
            memory.apply(
                to: image { x, _ in x == 17 ? 0.5 : 0 }, colors: colors(), coverage: image { _, _ in 0 })
        }
        #expect(left(colors()) == 1)
    }
}
