import Imaging
import PeopleVision
import TestSupport
import Testing

struct MaskHistoryTests {
    private static let side = 96
    private let history = MaskHistory(SegmentationPlan.Extent(width: side, height: side))
    private let matcher = BlockMatcher(.far)

    /// Returns patches of 4 x 4 pixels, moved to the right by `shift` pixels.
    private func picture(_ shift: Int = 0) -> FloatImage {
        FloatImage(Self.side, Self.side) { x, y in
            Float((x - shift + 300) / 4 * 37 % 101 + y / 4 * 53 % 97) / 200
        }
    }

    private func mask(_ shift: Int = 0) -> FloatImage {
        FloatImage(Self.side, Self.side) { x, y in (30 + shift..<60 + shift).contains(x) && y > 30 ? 1 : 0 }
    }

    /// Goes on to a frame that shows the picture moved by `shift`, and adds its mask.
    private func add(_ mask: FloatImage, _ shift: Int = 0) {
        matcher.follow(mask, to: picture(shift))
        history.follow(matcher.motion)
        _ = history.current()
        history.add(mask, after: matcher.motion)
    }

    @Test func isEmptyAtTheStartOfAScene() {
        #expect(history.current() == nil)
        add(mask())
        #expect(history.current()?.array == mask().array)
        history.reset()
        #expect(history.current() == nil)
    }

    @Test func isTheMeanOfTheFirstMasks() throws {
        for value in [1, 0, 0, 1] as [Float] { add(FloatImage(Self.side, Self.side) { _, _ in value }) }
        let mean = try #require(history.current())
        #expect(abs(mean[50, 50] - 0.5) < 1e-5)
    }

    /// A new area becomes permanent only after some time.
    @Test func newAreasAppearOverASecond() throws {
        let empty = FloatImage(Self.side, Self.side)
        for _ in 0..<20 { add(empty) }
        for _ in 0..<8 { add(mask()) }
        #expect(try #require(history.current())[45, 60] < 0.5)
        for _ in 0..<20 { add(mask()) }
        #expect(try #require(history.current())[45, 60] > 0.8)
    }

    @Test func followsMotion() throws {
        add(mask())
        matcher.follow(mask(), to: picture(4))
        history.follow(matcher.motion)
        let moved = try #require(history.current())
        #expect(moved[31, 60] < 0.2 && moved[61, 60] > 0.8)
    }
}
