import Imaging
import PeopleVision
import TestSupport
import Testing

struct InstanceColorsTests {
    private let input = TensorInput(width: 32, height: 32)
    private let everywhere = FloatImage(32, 32) { _, _ in 1 }

    /// Returns the colours of a person who fills an image, from one colour for each row.
    private func colors(
        _ rgb: (Int) -> (Float, Float, Float), isOwn: (Double, Double) -> Bool = { _, _ in true }
    ) -> InstanceColors {
        let image = (0..<32).flatMap { y in (0..<32).flatMap { _ in [rgb(y).0, rgb(y).1, rgb(y).2] } }
        let colors = InstanceColors()
        image.withUnsafeBufferPointer { colors.sample($0, in: input) }
        colors.measure(everywhere, isOwn: isOwn)
        return colors
    }

    private let red: (Float, Float, Float) = (0.9, 0.1, 0.1)
    private let blue: (Float, Float, Float) = (0.1, 0.1, 0.9)

    @Test func theSameClothesAreAlikeAndOthersAreNot() {
        #expect(colors { _ in red }.similarity(to: colors { _ in red }) == 1)
        #expect(colors { _ in red }.similarity(to: colors { _ in blue }) == 0)
    }

    @Test func comparesUpperAndLowerClothesSeparately() throws {
        let shirt = colors { $0 < 16 ? red : blue }
        #expect(shirt.similarity(to: colors { $0 < 16 ? blue : red }) == 0)
        #expect(try abs(#require(shirt.similarity(to: colors { _ in red })) - 0.5) < 1e-6)
    }

    @Test func countsOnlyThePersonsOwnPixels() {
        let mixed = colors({ $0 % 8 < 4 ? red : blue }, isOwn: { _, y in Int(y * 32) % 8 < 4 })
        #expect(mixed.similarity(to: colors { _ in red }) == 1)
    }

    @Test func colorsAreUnknownWithoutOwnPixels() {
        let none = colors({ _ in red }, isOwn: { _, _ in false })
        #expect(none.isUnknown && none.similarity(to: colors { _ in red }) == nil)
        none.approach(colors { _ in blue }, by: 0.1)
        #expect(none.similarity(to: colors { _ in blue }) == 1)
        none.approach(InstanceColors(), by: 1)
        #expect(!none.isUnknown)
    }

    @Test func toleratesUndefinedImages() {
        for value in [Float.nan, .infinity, -.infinity, 1e30] {
            let strange = colors { _ in (value, value, value) }
            #expect(!strange.isUnknown)
        }
        let colors = InstanceColors()
        [Float(0.5)].withUnsafeBufferPointer { colors.sample($0, in: input) }
        colors.measure(everywhere) { _, _ in true }
        #expect(colors.isUnknown)
    }
}
