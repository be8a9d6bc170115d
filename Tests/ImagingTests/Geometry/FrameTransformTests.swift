import Imaging
import TestSupport
import Testing

@Suite struct FrameTransformTests {
    private func expect(
        _ point: Point, _ x: Double, _ y: Double, location: SourceLocation = #_sourceLocation
    ) {
        #expect(abs(point.x - x) < 1e-9 && abs(point.y - y) < 1e-9, sourceLocation: location)
    }

    /// The upright positions of the stored image's first sample, and of the end of its first row, by EXIF.
    private static let seen: [(ImageOrientation, first: (Double, Double), rowEnd: (Double, Double))] = [
        (.up, (0, 0), (1, 0)), (.upMirrored, (1, 0), (0, 0)), (.down, (1, 1), (0, 1)),
        (.downMirrored, (0, 1), (1, 1)), (.leftMirrored, (0, 0), (0, 1)), (.right, (1, 0), (1, 1)),
        (.rightMirrored, (1, 1), (1, 0)), (.left, (0, 1), (0, 0)),
    ]

    @Test func orientationsFollowExif() {
        #expect(Self.seen.map(\.0) == ImageOrientation.allCases)
        for (orientation, first, rowEnd) in Self.seen {
            let transform = FrameTransform.orientation(orientation)
            expect(transform.map(Point(x: first.0, y: first.1)), 0, 0)
            expect(transform.map(Point(x: rowEnd.0, y: rowEnd.1)), 1, 0)
        }
    }

    @Test(arguments: ImageOrientation.allCases)
    func orientationAndItsInverseCancel(orientation: ImageOrientation) {
        let both = FrameTransform.orientation(orientation).followed(by: .orientation(orientation.inverse))
        expect(both.map(Point(x: 0.2, y: 0.7)), 0.2, 0.7)
        let upright = orientation.uprightSize(of: Size(width: 4, height: 3))
        #expect(upright == (orientation.swapsAxes ? Size(width: 3, height: 4) : Size(width: 4, height: 3)))
    }

    @Test func cropsMapTheirCorners() {
        let crop = FrameTransform.crop(Rectangle(x: 0.25, y: -0.5, width: 0.5, height: 2))
        expect(crop.map(Point(x: 0, y: 0)), 0.25, -0.5)
        expect(crop.map(Point(x: 1, y: 1)), 0.75, 1.5)
        let pixels = crop.followed(by: .pixels(Size(width: 200, height: 100)))
        expect(pixels.map(Point(x: 0.5, y: 0.5)), 100, 50)
    }

    @Test func turnedCropsTurnClockwiseInPixels() {
        // After a quarter turn, the crop's x axis runs down the frame.
        let rectangle = RotatedRectangle(
            center: Point(x: 0.5, y: 0.5), width: 0.2, height: 0.4, angle: .pi / 2)
        let frame = Size(width: 200, height: 100)
        let crop = FrameTransform.crop(rectangle, frame: frame).followed(by: .pixels(frame))
        expect(crop.map(Point(x: 0.5, y: 0.5)), 100, 50)
        expect(crop.map(Point(x: 1, y: 0.5)), 100, 50 + 20)
        expect(crop.map(Point(x: 0.5, y: 1)), 100 - 20, 50)
    }

    @Test func turnedCropsKeepLengths() {
        let rectangle = RotatedRectangle(center: Point(x: 0.3, y: 0.6), width: 0.2, height: 0.4, angle: 0.7)
        let frame = Size(width: 1280, height: 720)
        let crop = FrameTransform.crop(rectangle, frame: frame).followed(by: .pixels(frame))
        #expect(abs((crop.xx * crop.xx + crop.yx * crop.yx).squareRoot() - 256) < 1e-9)
        #expect(abs((crop.xy * crop.xy + crop.yy * crop.yy).squareRoot() - 288) < 1e-9)
        #expect(abs(crop.xx * crop.xy + crop.yx * crop.yy) < 1e-9)
    }

    @Test func inversesUndoEverything() throws {
        var generator = SeededGenerator(seed: 11)
        for orientation in ImageOrientation.allCases {
            let rectangle = RotatedRectangle(
                center: Point(x: generator.number(-1...2), y: generator.number(-1...2)),
                width: generator.number(0.1...3), height: generator.number(0.1...3),
                angle: generator.number(-9...9))
            let transform = FrameTransform.orientation(orientation)
                .followed(by: .crop(rectangle, frame: Size(width: 640, height: 480)))
                .followed(by: .crop(Rectangle(x: -0.2, y: 0.1, width: 1.4, height: 0.3)))
            let inverse = try #require(transform.inverse)
            let point = Point(x: generator.number(-2...2), y: generator.number(-2...2))
            expect(inverse.map(transform.map(point)), point.x, point.y)
            expect(transform.followed(by: inverse).map(point), point.x, point.y)
        }
    }

    @Test func flatOrInfiniteMapsHaveNoInverse() {
        #expect(FrameTransform.crop(Rectangle(x: 0, y: 0, width: 0, height: 1)).inverse == nil)
        #expect(FrameTransform.crop(Rectangle(x: 0, y: .nan, width: 1, height: 1)).inverse == nil)
        #expect(FrameTransform.crop(Rectangle(x: 0, y: 0, width: .infinity, height: 1)).inverse == nil)
    }

    @Test func rectanglesMapToTheirBounds() {
        let half = FrameTransform.orientation(.right).map(Rectangle(x: 0, y: 0, width: 0.5, height: 1))
        #expect(half == Rectangle(x: 0, y: 0.5, width: 1, height: 0.5))
        let turned = FrameTransform.crop(
            RotatedRectangle(center: Point(x: 0.5, y: 0.5), width: 1, height: 1, angle: .pi / 4),
            frame: Size(width: 100, height: 100))
        #expect(abs(turned.map(.unit).width - 2.0.squareRoot()) < 1e-9)
    }
}
