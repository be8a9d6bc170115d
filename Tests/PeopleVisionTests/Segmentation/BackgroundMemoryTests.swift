import Imaging
import PeopleVision
import TestSupport
import Testing

/// What a mask loses to the background that was seen before.
struct BackgroundMemoryTests {
    private static let side = 32
    private let memory = BackgroundMemory()

    private func image(_ height: Int = side, _ value: (Int, Int) -> Float) -> FloatImage {
        FloatImage(Self.side, height, value)
    }

    /// A pattern in three colours, all of them larger by `difference`.
    private func colors(_ difference: Float = 0) -> FloatImage {
        image(3 * Self.side) { x, y in Float((x * 37 + y * 53) % 97) / 200 + difference }
    }

    /// The mask that is left where it is 1 everywhere and the image looks as `colors` says.
    private func left(_ colors: FloatImage, coverage: Float = 0) -> Float {
        let mask = image { _, _ in 1 }
        memory.apply(to: mask, colors: colors, coverage: image { _, _ in coverage })
        return mask[16, 16]
    }

    /// Shows the pattern without people.
    private func show(_ masks: Int) {
        for _ in 0..<masks {
            memory.apply(to: image { _, _ in 0 }, colors: colors(), coverage: image { _, _ in 0 })
        }
    }

    @Test func whatWasBackgroundIsNoPerson() {
        show(3)
        #expect(left(colors()) == 1)
        show(1)
        #expect(left(colors()) == 0)
    }

    @Test func anotherImageIsNot() {
        show(8)
        #expect(left(colors(0.05)) == 1)
        #expect(abs(left(colors(4.0 / 255)) - 0.5) < 0.01)
    }

    /// Clothes may have the colour of what is behind them.
    @Test func certainCoverageCounts() {
        show(8)
        #expect(left(colors(), coverage: 1) == 1)
        #expect(abs(left(colors(), coverage: 0.4) - 0.4) < 0.01)
    }

    /// What was a hole in earlier masks is a person's again, if masks insist.
    @Test func itIsForgottenWhereMasksInsist() {
        show(20)
        let masks = (0..<12).map { _ in left(colors()) }
        #expect(masks.prefix(9).allSatisfy { $0 == 0 } && masks.last == 1)
    }

    @Test func anotherSceneHasNoBackground() {
        show(8)
        memory.reset()
        #expect(left(colors()) == 1)
    }

    /// Soft edges belong to people.
    @Test func whatIsNearPeopleIsNotLearned() {
        for _ in 0..<8 {
            memory.apply(
                to: image { x, _ in x == 17 ? 0.5 : 0 }, colors: colors(), coverage: image { _, _ in 0 })
        }
        #expect(left(colors()) == 1)
    }
}
