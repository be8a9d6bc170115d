import Imaging
import Testing

@Suite struct MotionPathTests {
    /// Returns the same motion of every point of an 8x6 grid over an image of 32x24 pixels.
    private func motion(_ across: Float, _ down: Float, lost: Float = 0) -> MotionField {
        let field = MotionField()
        field.rest(columns: 8, rows: 6, width: 32, height: 24)
        field.across.fill(across)
        field.down.fill(down)
        field.lost.fill(lost)
        return field
    }

    @Test func motionsOfStepsAreAdded() {
        let path = MotionPath()
        path.begin(after: motion(9, 9, lost: 1))
        for _ in 0..<3 { path.add(motion(-1, 0.5)) }
        #expect(path.field.across.values.allSatisfy { abs($0 + 3) < 1e-4 })
        #expect(path.field.down.values.allSatisfy { abs($0 - 1.5) < 1e-4 })
    }

    /// A point takes over the past of its former position.
    @Test func pathsMoveWithTheirPoints() {
        let path = MotionPath()
        let first = motion(0, 0)
        for y in 0..<6 { first.across.row(y)[2] = 2 }
        path.begin(after: first)
        path.add(first)
        // The distance from one point to the next is four pixels.
        path.add(motion(-4, 0))
        for y in 0..<6 {
            #expect(abs(path.field.across.row(y)[3] - (2 - 4)) < 1e-4)
            #expect(abs(path.field.across.row(y)[5] + 4) < 1e-4)
        }
    }

    @Test func lostPointsStayLost() {
        let path = MotionPath()
        path.begin(after: motion(0, 0, lost: 1))
        path.add(motion(2, 0))
        #expect(path.field.lost.values.allSatisfy { $0 == 0 })
        path.add(motion(0, 0, lost: 1))
        path.add(motion(0, 0))
        #expect(path.field.lost.values.allSatisfy { $0 == 1 })
    }

    @Test func imagesOfAnotherSizeBeginANewPath() {
        let path = MotionPath()
        path.add(motion(-1, 0))
        path.add(motion(-1, 0))
        let other = MotionField()
        other.rest(columns: 4, rows: 4, width: 16, height: 16)
        path.add(other)
        #expect(path.field.across.width == 4 && path.field.across.values.allSatisfy { $0 == 0 })
    }
}
