import Imaging
import PeopleVision
import TestSupport
import Testing

struct InteriorPersistenceTests {
    private static let side = 96
    private let persistence = InteriorPersistence(SegmentationPlan.Extent(width: side, height: side))
    private let matcher = BlockMatcher()
    /// A person who is cut by the lower edge of the image.
    private let person = FloatImage(side, side) { x, y in (20..<80).contains(x) && y >= 20 ? 1 : 0 }

    /// Returns the person without `columns` and `rows`.
    private func mask(without columns: Range<Int> = 0..<0, _ rows: Range<Int> = 40..<60) -> FloatImage {
        FloatImage(Self.side, Self.side) { x, y in
            columns.contains(x) && rows.contains(y) ? 0 : person[x, y]
        }
    }

    /// Returns the mask of the next frame, which looks like the last.
    private func raised(_ mask: FloatImage, people: FloatImage? = nil) -> FloatImage {
        matcher.follow(mask, to: FloatImage(Self.side, Self.side) { x, y in Float((x ^ y) & 7) / 8 })
        persistence.follow(matcher.motion)
        persistence.raise(mask, people: people ?? person)
        return mask
    }

    private func showPerson() { for _ in 0..<16 { _ = raised(mask()) } }

    // Rule: persistence.
    @Test func aPartOfThePersonOutlastsAFewMasksWithoutIt() {
        showPerson()
        for _ in 0..<2 { #expect(raised(mask(without: 40..<60))[50, 50] > 0.9) }
        for _ in 0..<2 { _ = raised(mask(without: 40..<60)) }
        #expect(raised(mask(without: 40..<60))[50, 50] == 0)
    }

    @Test func whatTheCoverageDoesNotShowIsNotKept() {
        showPerson()
        #expect(raised(mask(without: 40..<60), people: mask(without: 40..<60))[50, 50] == 0)
    }

    @Test func outlinesAreNotKept() {
        showPerson()
        #expect(raised(mask(without: 78..<80))[79, 50] == 0)
    }

    @Test func nothingIsKeptOfAnotherScene() {
        showPerson()
        persistence.reset()
        #expect(raised(mask(without: 40..<60))[50, 50] == 0)
    }
}
