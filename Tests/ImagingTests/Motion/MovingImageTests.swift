import Imaging
import Testing

struct MovingImageTests {
    /// Returns an image with `value` at all places.
    private func image(_ value: Float, side: Int = 32) -> FloatImage {
        let image = FloatImage()
        image.resize(width: side, height: side)
        image.fill(value)
        return image
    }

    /// Returns a motion of all points by `across` pixels of 32, lost to the degree `lost`.
    private func motion(_ across: Float, lost: Float = 0) -> MotionField {
        let field = MotionField()
        field.rest(columns: 8, rows: 8, width: 32, height: 32)
        field.across.fill(across)
        field.lost.fill(lost)
        return field
    }

    /// Returns the result for a value of 1 that has moved, beside a value of `own`.
    private func written(_ motion: MotionField, own: Float) -> Float {
        let moving = MovingImage()
        moving.begin(after: motion)
        moving.image.copy(image(1))
        moving.follow(motion)
        let result = image(0)
        moving.write(into: result, besides: image(own))
        return result[16, 16]
    }

    @Test func keepsTheImageAtRest() { #expect(written(motion(0.2), own: 0) == 1) }

    @Test func usesTheOwnImageWhereMotionIsLost() {
        #expect(written(motion(0, lost: 1), own: 0.25) == 0.25)
    }

    /// Errors of the motion may cause small differences, so they do not count.
    @Test func ignoresSmallDifferencesWhereItMoves() {
        #expect(written(motion(3), own: 0.7) == 0.7)
        #expect(abs(written(motion(3), own: 0) - 0.6) < 0.001)
    }

    /// The other image may have any size.
    @Test func usesAnotherImageWhereMotionIsLost() {
        let moving = MovingImage()
        let result = image(0)
        for (lost, expected) in [(Float(0), Float(1)), (0.25, 0.6), (1, 0.2)] {
            let motion = motion(3, lost: lost)
            moving.begin(after: motion)
            moving.image.copy(image(1))
            moving.follow(motion)
            moving.write(into: result, orWhereLost: image(0.2, side: 16))
            #expect(abs(result[16, 16] - expected) < 0.001)
        }
    }

    /// An image that settles on its way arrives where one arrives that moves at once.
    @Test func anImageThatSettlesArrivesInTheSamePlace() {
        let images = (MovingImage(), MovingImage())
        let edge = FloatImage(32, 32) { x, _ in x < 8 ? 1 : 0 }
        for image in [images.0, images.1] {
            image.begin(after: motion(0))
            image.image.copy(edge)
        }
        for step in 1...3 {
            images.0.follow(motion(-2))
            images.1.follow(motion(-2))
            images.0.settle()
            #expect(images.0.age == 0 && images.1.age == step)
        }
        let (settled, moved) = (image(0), image(0))
        images.0.write(into: settled)
        images.1.write(into: moved)
        #expect(settled.array == moved.array && settled.array != edge.array)
    }

    @Test func withoutAnyMotionAnImageSettlesAsItIs() {
        let moving = MovingImage()
        moving.image.copy(image(1))
        moving.follow(MotionField())
        moving.settle()
        #expect(moving.image.array == image(1).array)
    }
}
