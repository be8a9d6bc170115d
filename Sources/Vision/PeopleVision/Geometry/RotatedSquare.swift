import Glibc
package import Imaging

/// A square of an upright frame that is rotated with the thing that it shows.
package struct RotatedSquare {
    /// The centre, in pixels.
    package var center: Point
    /// Length of a side, in pixels.
    package var side: Double
    /// Rotation of the square, clockwise on a screen, in radians.
    package var angle: Double

    package init(center: Point, side: Double, angle: Double) {
        (self.center, self.side, self.angle) = (center, side, angle)
    }
}

extension RotatedSquare {
    /// Creates the smallest square that shows a whole frame of `size`, rotated by `angle`.
    init(wholeOf size: Size, angle: Double) {
        let rotated = size.rotated(by: angle)
        self.init(
            center: Point(x: size.width / 2, y: size.height / 2), side: max(rotated.width, rotated.height),
            angle: angle)
    }

    /// Returns this square in the mirrored frame of `width` pixels.
    func mirrored(width: Double) -> RotatedSquare {
        RotatedSquare(center: Point(x: width - center.x, y: center.y), side: side, angle: -angle)
    }

    /// Whether the square can be sampled: its numbers are finite, and it is at least a pixel and not absurdly
    /// large or far away.
    var isUsable: Bool {
        center.x.isFinite && center.y.isFinite && angle.isFinite && side >= 1 && side <= 1e5
            && abs(center.x) <= 1e5 && abs(center.y) <= 1e5
    }

    /// The upright box around the square.
    var bounds: Rectangle {
        Rectangle(center: center, size: Size(width: side, height: side).rotated(by: angle))
    }

    /// Returns a position in the square's unit square, in pixels of the frame.
    func pixels(_ point: Point) -> Point {
        let (x, y) = ((point.x - 0.5) * side, (point.y - 0.5) * side)
        let (cosine, sine) = (cos(angle), sin(angle))
        return Point(x: center.x + cosine * x - sine * y, y: center.y + sine * x + cosine * y)
    }

    /// Returns a position in pixels of the frame, in the square's unit square.
    func unit(_ point: Point) -> Point {
        let (x, y) = (point.x - center.x, point.y - center.y)
        let (cosine, sine) = (cos(angle), sin(angle))
        return Point(x: (cosine * x + sine * y) / side + 0.5, y: (cosine * y - sine * x) / side + 0.5)
    }

    /// Converts a position in space from a model's axes in the square (x to its right, y down, z away from
    /// the camera) to those of the frame (x to the right, y up, z towards the camera).
    func upright(_ x: Float, _ y: Float, _ z: Float) -> SIMD3<Double> {
        let (x, y, z) = (Double(x), Double(y), Double(z))
        let (cosine, sine) = (cos(angle), sin(angle))
        return SIMD3(cosine * x - sine * y, -(sine * x + cosine * y), -z)
    }
}

extension Size {
    /// Returns the size of the upright box around a rectangle of this size that is rotated by `angle`.
    func rotated(by angle: Double) -> Size {
        // Sines and cosines of quarter turns are not exactly 0 and 1, which would add a row of tiles.
        let (cosine, sine) = (abs(cos(angle)), abs(sin(angle)))
        return Size(
            width: (width * cosine + height * sine).rounded(),
            height: (width * sine + height * cosine).rounded())
    }
}

extension Point {
    static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
    static func * (point: Point, factor: Double) -> Point { Point(x: point.x * factor, y: point.y * factor) }
}
