// cos and sin; the standard library has neither.
import Glibc

extension FrameTransform {
    /// From a space's unit square to its pixels.
    public static func pixels(_ size: Size) -> FrameTransform {
        FrameTransform(xx: size.width, xy: 0, yx: 0, yy: size.height, dx: 0, dy: 0)
    }

    /// From a crop's unit square to the frame's, where the crop is `rectangle` of the frame.
    public static func crop(_ rectangle: Rectangle) -> FrameTransform {
        FrameTransform(
            xx: rectangle.width, xy: 0, yx: 0, yy: rectangle.height, dx: rectangle.x, dy: rectangle.y)
    }

    /// From a crop's unit square to the frame's, where the crop is a turned rectangle of the frame.
    ///
    /// - Parameter frame: the frame's size in (square) pixels, which gives the angle its meaning.
    public static func crop(_ rectangle: RotatedRectangle, frame: Size) -> FrameTransform {
        let (cosine, sine) = (cos(rectangle.angle), sin(rectangle.angle))
        let aspect = frame.width / frame.height
        let linear = FrameTransform(
            xx: rectangle.width * cosine, xy: -rectangle.height * sine / aspect,
            yx: rectangle.width * sine * aspect, yy: rectangle.height * cosine, dx: 0, dy: 0)
        return linear.centred(on: rectangle.center)
    }

    /// From the upright frame's unit square to that of the frame as it is stored.
    public static func orientation(_ orientation: ImageOrientation) -> FrameTransform {
        let linear =
            switch orientation {
            case .up: FrameTransform(xx: 1, xy: 0, yx: 0, yy: 1, dx: 0, dy: 0)
            case .upMirrored: FrameTransform(xx: -1, xy: 0, yx: 0, yy: 1, dx: 0, dy: 0)
            case .down: FrameTransform(xx: -1, xy: 0, yx: 0, yy: -1, dx: 0, dy: 0)
            case .downMirrored: FrameTransform(xx: 1, xy: 0, yx: 0, yy: -1, dx: 0, dy: 0)
            case .leftMirrored: FrameTransform(xx: 0, xy: 1, yx: 1, yy: 0, dx: 0, dy: 0)
            case .right: FrameTransform(xx: 0, xy: 1, yx: -1, yy: 0, dx: 0, dy: 0)
            case .rightMirrored: FrameTransform(xx: 0, xy: -1, yx: -1, yy: 0, dx: 0, dy: 0)
            case .left: FrameTransform(xx: 0, xy: -1, yx: 1, yy: 0, dx: 0, dy: 0)
            }
        return linear.centred(on: Point(x: 0.5, y: 0.5))
    }

    /// The same map, moved so that the unit square's centre goes to `point`.
    private func centred(on point: Point) -> FrameTransform {
        var moved = self
        moved.dx = point.x - (xx + xy) / 2
        moved.dy = point.y - (yx + yy) / 2
        return moved
    }
}
