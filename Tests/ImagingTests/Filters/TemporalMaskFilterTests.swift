import Imaging
import TestSupport
import Testing

@Suite struct TemporalMaskFilterTests {
    private func still(_ value: Float) -> FloatImage { FloatImage(4, 4) { _, _ in value } }

    @Test func theFirstMaskIsLeftAsItIs() {
        var images = RandomImages()
        let mask = images.random(8, 6)
        let before = mask.array
        TemporalMaskFilter().smooth(mask, still: still(1), strength: 1)
        #expect(mask.array == before)
    }

    @Test func masksStayUnchangedWhereTheImageMoves() {
        var images = RandomImages()
        let filter = TemporalMaskFilter()
        for _ in 0..<5 {
            let mask = images.random(8, 6)
            let before = mask.array
            filter.smooth(mask, still: still(0), strength: 1)
            #expect(distance(mask.array, before) < 1e-6)
        }
    }

    // Rule: smoothing.
    @Test func anImageAtRestShowsTheMean() {
        let filter = TemporalMaskFilter()
        let values: [Float] = [0.5, 0.7, 0.4, 0.6, 0.3]
        for (index, value) in values.enumerated() {
            let mask = FloatImage(5, 3) { _, _ in value }
            filter.smooth(mask, still: still(1), strength: 1)
            let mean = values[...index].reduce(0, +) / Float(index + 1)
            #expect(abs(mask[2, 1] - mean) < 1e-5)
        }
    }

    /// Returns the value after empty masks followed by full ones.
    private func value(after empty: Int, full: Int, still: Float) -> Float {
        let filter = TemporalMaskFilter()
        for _ in 0..<empty { filter.smooth(FloatImage(4, 4), still: self.still(still), strength: 0.95) }
        var value: Float = 0
        for _ in 0..<full {
            let mask = FloatImage(4, 4) { _, _ in 1 }
            filter.smooth(mask, still: self.still(still), strength: 0.95)
            value = mask[1, 1]
        }
        return value
    }

    @Test func aContradictionIsTakenAtOnceUnlessTheImageHasStoodStill() {
        #expect(value(after: 20, full: 1, still: 0.79) == 1)
        #expect(value(after: 1, full: 1, still: 1) == 1)
    }

    @Test func atRestAContradictionNeedsToBeConfirmed() {
        #expect(value(after: 20, full: 1, still: 1) == 0)
        #expect(value(after: 20, full: 2, still: 1) == 1)
    }

    @Test func aWrongValueIsCorrectedOnceTheImageRests() {
        let filter = TemporalMaskFilter()
        for _ in 0..<20 { filter.smooth(FloatImage(4, 4) { _, _ in 0.9 }, still: still(1), strength: 0.95) }
        filter.smooth(FloatImage(4, 4) { _, _ in 0.5 }, still: still(0), strength: 0.95)
        var last: Float = 0
        for _ in 0..<4 {
            let mask = FloatImage(4, 4) { _, _ in 0.1 }
            filter.smooth(mask, still: still(1), strength: 0.95)
            last = mask[0, 0]
        }
        #expect(last < 0.2)
    }

    /// Returns a mask of the columns before `column`.
    private func mask(to column: Int) -> FloatImage { FloatImage(32, 32) { x, _ in x < column ? 1 : 0 } }

    /// Returns the motion of such a mask by one column to the right.
    private func motionToTheRight() -> MotionField {
        let motion = MotionField()
        motion.rest(columns: 4, rows: 4, width: 32, height: 32)
        motion.across.fill(-1)
        return motion
    }

    @Test func whatMovesAlongIsNoChange() {
        let filter = TemporalMaskFilter()
        let motion = motionToTheRight()
        for step in 0..<6 {
            let next = mask(to: 10 + step)
            let before = next.array
            if step > 0 { filter.follow(motion) }
            filter.smooth(next, still: still(0.7), strength: 0.95)
            #expect(distance(next.array, before) < 1e-6)
        }
    }

    @Test func aMaskThatMovedAlongIsTheMeanOfItsOwnFrame() {
        let filter = TemporalMaskFilter()
        let motion = motionToTheRight()
        filter.smooth(mask(to: 10), still: still(0.7), strength: 0.95)
        filter.follow(motion)
        filter.adopt(mask(to: 11))
        filter.follow(motion)
        let last = mask(to: 12)
        filter.smooth(last, still: still(0.7), strength: 0.95)
        #expect(distance(last.array, mask(to: 12).array) < 1e-6)
    }

    @Test func withoutStrengthAndAfterAResetTheMaskIsNew() {
        let filter = TemporalMaskFilter()
        filter.smooth(FloatImage(4, 4), still: still(1), strength: 0.95)
        let unsmoothed = FloatImage(4, 4) { _, _ in 0.5 }
        filter.smooth(unsmoothed, still: still(1), strength: 0)
        #expect(unsmoothed[0, 0] == 0.5)
        filter.reset()
        let fresh = FloatImage(4, 4) { _, _ in 0.2 }
        filter.smooth(fresh, still: still(1), strength: 0.95)
        #expect(fresh[0, 0] == 0.2)
    }
}
