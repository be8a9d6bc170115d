import Imaging
import PeopleVision
import TestSupport
import Testing

/// Holes in people.
struct HoleTests {
    /// A body of 60x70 at the lower edge of 120x100.
    private func isBody(_ x: Int, _ y: Int) -> Bool { (30..<90).contains(x) && y >= 30 }

    /// A matte of twice that size that is `left` where something is missing, and what becomes of it.
    private func filled(
        left: Float = 0, sure: Float = 1, missing isMissing: (Int, Int) -> Bool
    ) -> (matte: FloatImage, filled: FloatImage) {
        let people = FloatImage(120, 100) { x, y in isBody(x, y) ? sure : 0 }
        let matte = FloatImage(240, 200) { x, y in
            !isBody(x / 2, y / 2) ? 0 : isMissing(x / 2, y / 2) ? left : 1
        }
        let filled = FloatImage()
        filled.copy(matte)
        MatteHoles().fill(filled, people: people)
        return (matte, filled)
    }

    private let whole = FloatImage(240, 200) { x, y in (60..<180).contains(x) && y >= 60 ? 1 : 0 }

    @Test(arguments: [Float(0), 0.39, 0.89]) func aHoleDeepInsideIsFilled(left: Float) {
        let (_, filled) = filled(left: left) { x, y in (50..<62).contains(x) && (60..<70).contains(y) }
        #expect(distance(filled.array, whole.array) < 1e-5)
    }

    @Test func aHoleAtTheFramesEdgeIsDeepInside() {
        let (_, filled) = filled { x, y in (50..<62).contains(x) && y >= 92 }
        #expect(distance(filled.array, whole.array) < 1e-5)
    }

    @Test func aHoleNearTheOutlineStays() {
        // The outline's inner 0.03 of 120: three values.
        let (matte, filled) = filled { x, y in (31..<40).contains(x) && (60..<70).contains(y) }
        #expect(distance(filled.array, matte.array) == 0)
    }

    @Test func anOpenGapStays() {
        let (matte, filled) = filled { x, y in (50..<55).contains(x) && y < 60 }
        #expect(distance(filled.array, matte.array) == 0)
    }

    @Test func whatTheSmallModelDoubtsStays() {
        let (matte, filled) = filled(sure: 0.94) { x, y in (50..<62).contains(x) && (60..<70).contains(y) }
        #expect(distance(filled.array, matte.array) == 0)
    }

    @Test func whatIsLargerThanAFiftiethOfTheFrameStays() {
        // 240 of 12000 values is the largest.
        let (_, largest) = filled { x, y in (50..<65).contains(x) && (50..<66).contains(y) }
        #expect(distance(largest.array, whole.array) < 1e-5)
        let (matte, filled) = filled { x, y in (50..<65).contains(x) && (50..<67).contains(y) }
        #expect(distance(filled.array, matte.array) == 0)
    }
}
