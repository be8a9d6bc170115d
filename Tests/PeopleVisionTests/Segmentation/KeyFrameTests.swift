import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of how long coverage of an earlier frame is used.
struct KeyFrameTests {
    private static let side = 96
    private let box = Rectangle(x: 0.3, y: 0.3, width: 0.3, height: 0.7)

    private func image(_ value: (Int, Int) -> Float) -> FloatImage {
        let image = FloatImage()
        image.resize(width: Self.side, height: Self.side)
        for y in 0..<Self.side { for x in 0..<Self.side { image.row(y)[x] = value(x, y) } }
        return image
    }

    /// Returns patches of 4 x 4 pixels, moved to the right by `shift` pixels.
    private func picture(_ shift: Int = 0) -> FloatImage {
        image { x, y in Float((x - shift + 300) / 4 * 37 % 101 + y / 4 * 53 % 97) / 200 }
    }

    private func coverage(_ shift: Int = 0) -> FloatImage {
        image { x, y in (30 + shift..<60 + shift).contains(x) && y > 30 ? 1 : 0 }
    }

    /// Returns a key frame of one person, and a matcher that has seen its picture.
    private func keyFrame(at time: UInt64? = nil) -> (KeyFrame, BlockMatcher) {
        let matcher = BlockMatcher(.far)
        matcher.follow(nil, to: picture())
        let frame = KeyFrame()
        frame.follow(matcher)
        #expect(throws: Never.self) {
            try frame.replace(by: [box], at: time) { (_) throws(VisionError) in coverage() }
        }
        return (frame, matcher)
    }

    private func moved(_ frame: KeyFrame, _ box: Rectangle) -> FloatImage {
        let result = coverage()
        frame.write(box, into: result, orWhereLost: image { _, _ in 0.5 })
        return result
    }

    @Test func isInvalidBeforeTheFirstAndAfterAReset() {
        #expect(!KeyFrame().holds([box], at: nil))
        let (frame, _) = keyFrame()
        #expect(frame.holds([box], at: nil))
        frame.reset()
        #expect(!frame.holds([box], at: nil))
    }

    // Rule: key-frames.
    @Test func staysValidInAStillImageUntilTooOld() {
        let (frame, matcher) = keyFrame()
        // A second and a half at 30 frames a second.
        for _ in 1..<45 {
            matcher.follow(coverage(), to: picture())
            frame.follow(matcher)
            #expect(frame.holds([box], at: nil))
        }
        #expect(moved(frame, box).array == coverage().array)
        matcher.follow(coverage(), to: picture())
        frame.follow(matcher)
        #expect(!frame.holds([box], at: nil))
    }

    @Test func timestampsLimitTheAge() {
        let (frame, matcher) = keyFrame(at: 5_000_000_000)
        matcher.follow(coverage(), to: picture())
        frame.follow(matcher)
        #expect(frame.holds([box], at: 6_400_000_000))
        #expect(!frame.holds([box], at: 6_500_000_000))
        #expect(!frame.holds([box], at: 4_000_000_000))
    }

    @Test func coverageFollowsMotion() {
        let (frame, matcher) = keyFrame()
        matcher.follow(coverage(), to: picture(1))
        frame.follow(matcher)
        #expect(frame.holds([box], at: nil))
        let found = moved(frame, box)
        #expect(found[30, 60] < 0.2 && found[60, 60] > 0.8)
    }

    @Test func farMotionEndsTheKeyFrame() {
        let (frame, matcher) = keyFrame()
        for shift in 1...3 {
            matcher.follow(coverage(shift - 1), to: picture(shift))
            frame.follow(matcher)
        }
        #expect(!frame.holds([box], at: nil))
    }

    /// Encoding is expensive, and with lookahead the masks before and after correct the one between.
    @Test func suddenFarMotionEndsTheKeyFrameOneFrameLater() {
        let (frame, matcher) = keyFrame()
        matcher.follow(coverage(), to: picture(5))
        frame.follow(matcher)
        #expect(frame.holds([box], at: nil))
        matcher.follow(coverage(5), to: picture(5))
        frame.follow(matcher)
        #expect(!frame.holds([box], at: nil))
    }

    /// The key frame has no effect if the motion is lost.
    @Test func aKeyFrameHasNoEffectWhereMotionIsLost() {
        let (frame, matcher) = keyFrame()
        matcher.follow(coverage(), to: image { _, _ in 1 })
        frame.follow(matcher)
        #expect(moved(frame, box)[30, 60] == 0.5)
    }

    @Test func anotherImageEndsTheKeyFrame() {
        let (frame, matcher) = keyFrame()
        matcher.follow(coverage(), to: image { _, _ in 1 })
        frame.follow(matcher)
        #expect(!frame.holds([box], at: nil))
    }

    @Test func aNewPersonEndsTheKeyFrame() {
        let (frame, _) = keyFrame()
        let other = Rectangle(x: 0.7, y: 0.3, width: 0.2, height: 0.7)
        #expect(!frame.holds([box, other], at: nil))
        #expect(moved(frame, other).array == coverage().array)
    }

    /// A box that changes little by little stays the same person's.
    @Test func comparesBoxesWithThoseOfTheLastFrame() {
        let (frame, _) = keyFrame()
        for step in 1...5 {
            let box = Rectangle(x: 0.3 + 0.06 * Double(step), y: 0.3, width: 0.3, height: 0.7)
            #expect(frame.holds([box], at: nil))
        }
        #expect(!frame.holds([box], at: nil))
    }
}
