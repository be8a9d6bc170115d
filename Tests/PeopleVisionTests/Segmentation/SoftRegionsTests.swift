import Imaging
import PeopleVision
import TestSupport
import Testing

struct SoftRegionsTests {
    private static let side = 256
    private let regions = SoftRegions(SegmentationPlan.Extent(width: side, height: side))
    private let moving = FloatImage(side, side) { _, _ in 0 }
    private let resting = FloatImage(side, side) { _, _ in 1 }

    /// Returns the next mask of a person who fills the left half, with a region of one value.
    private func decided(
        _ value: Float, columns: Range<Int> = 40..<80, isResting: Bool = false
    ) -> FloatImage {
        let mask = FloatImage(Self.side, Self.side) { x, y in
            columns.contains(x) && (100..<140).contains(y) ? value : x < 128 ? 1 : 0
        }
        regions.decide(mask, still: isResting ? resting : moving)
        return mask
    }

    // Rule: soft-regions.
    @Test(arguments: [(0.07, 0), (0.2, 0), (0.3, 0), (0.8, 1), (0.85, 1)])
    func aWideRegionBecomesAPersonOrNone(value: Float, answer: Float) {
        #expect(abs(decided(value)[60, 120] - answer) < 0.15)
        #expect(abs(decided(value, columns: 160..<200)[180, 120] - answer) < 0.15)
    }

    @Test func narrowRegionsStay() {
        #expect(decided(0.4, columns: 128..<131)[129, 120] == 0.4)
    }

    @Test func certainRegionsStay() {
        for value in [0, 0.05, 0.93, 1] as [Float] { #expect(decided(value)[60, 120] == value) }
    }

    @Test func whereTheImageRestsADoubtDoesNotChangeTheAnswer() {
        for (first, answer) in [(0.85, 1), (0.15, 0)] as [(Float, Float)] {
            regions.reset()
            _ = decided(first)
            for value in [0.6, 0.4, 0.55, 0.45] as [Float] {
                #expect(abs(decided(value, isResting: true)[60, 120] - answer) < 0.15)
            }
        }
    }

    @Test func nothingIsKnownOfAnotherScene() {
        _ = decided(0.9)
        regions.reset()
        #expect(decided(0.3, isResting: true)[60, 120] < 0.15)
    }

    @Test func aMaskOfAnotherSizeIsDecidedToo() {
        let mask = FloatImage(512, 288) { x, _ in x < 200 ? 1 : x < 300 ? 0.8 : 0 }
        regions.decide(mask, still: moving)
        #expect(mask[250, 150] > 0.9)
    }
}
