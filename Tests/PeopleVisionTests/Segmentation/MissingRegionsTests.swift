import Imaging
import PeopleVision
import TestSupport
import Testing

/// Which regions that a matte misses are filled in.
struct MissingRegionsTests {
    private static let side = 96
    /// A person whom the lower edge of the image cuts.
    private let person = FloatImage(side, side) { x, y in (20..<80).contains(x) && y >= 20 ? 1 : 0 }

    /// The person without `columns` and `rows`.
    private func matte(without columns: Range<Int>, _ rows: Range<Int>) -> FloatImage {
        FloatImage(Self.side, Self.side) { x, y in
            columns.contains(x) && rows.contains(y) ? 0 : person[x, y]
        }
    }

    private func filled(_ matte: FloatImage, history: FloatImage? = nil) -> FloatImage {
        let floor = FloatImage(Self.side, Self.side)
        MissingRegions(.balanced).add(to: floor, held: matte, people: person, history: history)
        return floor
    }

    @Test func aPieceWithinThePersonIsFilledIn() {
        #expect(filled(matte(without: 40..<56, 50..<70))[48, 60] == 1)
    }

    @Test func aPieceAtTheOutlineIsNot() {
        #expect(filled(matte(without: 68..<80, 64..<96)).array.allSatisfy { $0 == 0 })
    }

    @Test func aPieceAtTheOutlineThatWasThereForAWhileIs() {
        let piece = matte(without: 68..<80, 64..<96)
        #expect(filled(piece, history: person)[74, 80] == 1)
        let faint = FloatImage(Self.side, Self.side) { x, y in 0.7 * person[x, y] }
        #expect(filled(piece, history: faint).array.allSatisfy { $0 == 0 })
    }

    @Test func aLargePieceIsNotEvenThen() {
        let piece = matte(without: 56..<80, 40..<96)
        #expect(filled(piece, history: person).array.allSatisfy { $0 == 0 })
    }
}
