// `cos` and `sin`; the standard library has neither.
import Glibc

/// An affine map from one image space to another.
///
/// The spaces are unit squares ([0, 1] both ways, origin top-left, x right, y down) of a stored frame, of the
/// upright frame, or of a crop for a model; or pixels, with `pixels(_:)`.
/// An image of n samples per row divides [0, 1] into n equal parts: sample i covers
/// [i / n, (i + 1) / n) and its centre is (i + 0.5) / n.
package struct FrameTransform: Sendable, Hashable, Codable {
    /// Share of the source's x in the target's x.
    package var xx: Double
    /// Share of the source's y in the target's x.
    package var xy: Double
    /// Share of the source's x in the target's y.
    package var yx: Double
    /// Share of the source's y in the target's y.
    package var yy: Double
    /// The constant part of the target's x.
    package var dx: Double
    /// The constant part of the target's y.
    package var dy: Double

    /// Creates the map x' = `xx` x + `xy` y + `dx`, y' = `yx` x + `yy` y + `dy`.
    package init(xx: Double, xy: Double, yx: Double, yy: Double, dx: Double, dy: Double) {
        self.xx = xx
        self.xy = xy
        self.yx = yx
        self.yy = yy
        self.dx = dx
        self.dy = dy
    }

    /// The map that moves no point: a crop that is the whole frame.
    package static let identity = FrameTransform(xx: 1, xy: 0, yx: 0, yy: 1, dx: 0, dy: 0)
    /// The map from the unit square to its mirror image, left and right exchanged.
    package static let mirrored = FrameTransform(xx: -1, xy: 0, yx: 0, yy: 1, dx: 1, dy: 0)

    /// Returns the image of a point.
    package func map(_ point: Point) -> Point {
        Point(x: xx * point.x + xy * point.y + dx, y: yx * point.x + yy * point.y + dy)
    }

    /// Returns the smallest axis-aligned rectangle around the image of `rectangle`.
    package func map(_ rectangle: Rectangle) -> Rectangle {
        let width = abs(xx * rectangle.width) + abs(xy * rectangle.height)
        let height = abs(yx * rectangle.width) + abs(yy * rectangle.height)
        return Rectangle(center: map(rectangle.center), size: Size(width: width, height: height))
    }

    /// Returns the map that applies this map first, then `next`.
    package func followed(by next: FrameTransform) -> FrameTransform {
        let origin = next.map(Point(x: dx, y: dy))
        return FrameTransform(
            xx: next.xx * xx + next.xy * yx, xy: next.xx * xy + next.xy * yy,
            yx: next.yx * xx + next.yy * yx, yy: next.yx * xy + next.yy * yy,
            dx: origin.x, dy: origin.y)
    }

    /// The inverse map; nil when the map flattens the plane or is not finite.
    package var inverse: FrameTransform? {
        let determinant = xx * yy - xy * yx
        guard isFinite, determinant.isFinite, abs(determinant) > .leastNormalMagnitude else { return nil }
        let (ixx, ixy) = (yy / determinant, -xy / determinant)
        let (iyx, iyy) = (-yx / determinant, xx / determinant)
        return FrameTransform(
            xx: ixx, xy: ixy, yx: iyx, yy: iyy,
            dx: -(ixx * dx + ixy * dy), dy: -(iyx * dx + iyy * dy))
    }

    /// Whether all numbers are finite.
    package var isFinite: Bool {
        xx.isFinite && xy.isFinite && yx.isFinite && yy.isFinite && dx.isFinite && dy.isFinite
    }

    /// Whether the map is finite, and so small that positions in pixels are exact to far below a pixel and
    /// fit integers.
    var isWithinReason: Bool {
        let largest = max(max(abs(xx), abs(xy), abs(yx)), max(abs(yy), abs(dx), abs(dy)))
        return isFinite && largest <= 1e6
    }
}

extension FrameTransform {
    /// Returns the map from a space's unit square to its pixels.
    package static func pixels(_ size: Size) -> FrameTransform {
        FrameTransform(xx: size.width, xy: 0, yx: 0, yy: size.height, dx: 0, dy: 0)
    }

    /// Returns the map from a crop's unit square to the frame's, where the crop is `rectangle` of the frame.
    package static func crop(_ rectangle: Rectangle) -> FrameTransform {
        FrameTransform(
            xx: rectangle.width, xy: 0, yx: 0, yy: rectangle.height, dx: rectangle.x, dy: rectangle.y)
    }

    /// Returns the map from a crop's unit square to the frame's, where the crop is a rotated rectangle of the
    /// frame.
    ///
    /// - Parameter frame: the frame's size in (square) pixels, in which the angle is measured.
    package static func crop(_ rectangle: RotatedRectangle, frame: Size) -> FrameTransform {
        let (cosine, sine) = (cos(rectangle.angle), sin(rectangle.angle))
        let aspect = frame.width / frame.height
        let linear = FrameTransform(
            xx: rectangle.width * cosine, xy: -rectangle.height * sine / aspect,
            yx: rectangle.width * sine * aspect, yy: rectangle.height * cosine, dx: 0, dy: 0)
        return linear.centred(on: rectangle.center)
    }

    /// Returns the map from the upright frame's unit square to that of the stored frame.
    package static func orientation(_ orientation: ImageOrientation) -> FrameTransform {
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

    /// Returns this map, moved so that the unit square's centre is mapped to `point`.
    private func centred(on point: Point) -> FrameTransform {
        var moved = self
        moved.dx = point.x - (xx + xy) / 2
        moved.dy = point.y - (yx + yy) / 2
        return moved
    }
}
