import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of the choice of regions that are filled in because a matte misses them.
struct MissingRegionsTests {
    private static let side = 96
    /// A person who is cut by the lower edge of the image.
    private let person = FloatImage(side, side) { x, y in (20..<80).contains(x) && y >= 20 ? 1 : 0 }

    /// Returns the person without `columns` and `rows`.
    private func matte(without columns: Range<Int>, _ rows: Range<Int>) -> FloatImage {
        FloatImage(Self.side, Self.side) { x, y in
            columns.contains(x) && rows.contains(y) ? 0 : person[x, y]
        }
    }

    private func filled(
        _ matte: FloatImage, history: FloatImage? = nil, faces: FloatImage? = nil
    ) -> FloatImage {
        let (floor, missing) = (FloatImage(Self.side, Self.side), MissingRegions())
        missing.find(in: matte, people: person)
        #expect(!missing.isEmpty)
        missing.add(to: floor, matte, people: person, history: history, faces: faces)
        return floor
    }

    @Test func fillsAPieceWithinThePerson() {
        #expect(filled(matte(without: 40..<56, 50..<70))[48, 60] == 1)
    }

    @Test func doesNotFillAPieceAtTheOutline() {
        #expect(filled(matte(without: 68..<80, 64..<96)).array.allSatisfy { $0 == 0 })
    }

    // Rule: lasting.
    @Test func fillsAnOutlinePieceThatTheHistoryCovers() {
        let piece = matte(without: 68..<80, 64..<96)
        #expect(filled(piece, history: person)[74, 80] == 1)
        let faint = FloatImage(Self.side, Self.side) { x, y in 0.7 * person[x, y] }
        #expect(filled(piece, history: faint).array.allSatisfy { $0 == 0 })
    }

    /// A face of 20x20 at the upper end of the person, in the form of `FaceFinder`.
    private let face = FloatImage(side, side) { x, y in
        (40..<60).contains(x) && (24..<44).contains(y) ? 1 / 400 : 0
    }

    // Rule: faces.
    /// The lost half of the face and the chest reaches the outline.
    @Test func fillsAPieceAtTheOutlineThatContainsPartOfAFace() {
        let lost = matte(without: 50..<80, 20..<70)
        #expect(filled(lost).array.allSatisfy { $0 == 0 })
        let floor = filled(lost, faces: face)
        #expect(floor[55, 34] == 1 && floor[70, 65] == 1)
        #expect(floor[90, 34] == 0)
    }

    @Test func doesNotFillAPieceBesideAFace() {
        let beside = matte(without: 59..<80, 20..<70)
        #expect(filled(beside, faces: face).array.allSatisfy { $0 == 0 })
    }

    @Test func fillsAFaceThatTheMatteCoversPartly() {
        let faint = FloatImage(Self.side, Self.side) { x, y in face[x, y] > 0 ? 0.7 : person[x, y] }
        let floor = filled(faint, faces: face)
        #expect(floor[50, 34] == 1)
    }
}
