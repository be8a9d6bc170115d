import Imaging

/// An image as the models see it: upright, in square pixels, origin top-left.
///
/// Things are found, followed and measured in these pixels; only results are converted to the stored image.
package struct UprightFrame {
    let image: ImageView
    /// Size in pixels.
    let size: Size
    /// Distances, at the places of the stored image; nil when unknown.
    let depth: DepthView?
    private let toStored: FrameTransform

    package init(_ frame: InputFrame) {
        (image, depth) = (frame.image, frame.depth)
        size = frame.orientation.uprightSize(of: Size(width: image.width, height: image.height))
        toStored = .orientation(frame.orientation)
    }

    private init(mirroring other: UprightFrame) {
        (image, depth, size) = (other.image, other.depth, other.size)
        toStored = FrameTransform.orientation(.upMirrored).followed(by: other.toStored)
    }

    /// This frame with left and right exchanged.
    var mirrored: UprightFrame { UprightFrame(mirroring: self) }

    /// Returns the transform from the unit square of `square` to that of the stored image.
    func region(of square: RotatedSquare) -> FrameTransform {
        var rotated = FrameTransform.crop(
            RotatedRectangle(
                center: Point(x: square.center.x / size.width, y: square.center.y / size.height),
                width: square.side / size.width, height: square.side / size.height, angle: square.angle),
            frame: size)
        // Sines and cosines of quarter turns are not exactly 0; the sampler's fast path needs them to be.
        if abs(rotated.xx) < 1e-12 * abs(rotated.xy) { (rotated.xx, rotated.yy) = (0, 0) }
        if abs(rotated.xy) < 1e-12 * abs(rotated.xx) { (rotated.xy, rotated.yx) = (0, 0) }
        return rotated.followed(by: toStored)
    }

    /// Returns the transform from the unit square of the whole frame, rotated by `turn`, to that of the
    /// stored image.
    ///
    /// - Parameter turn: maps the rotated frame's unit square to the upright one's.
    func region(rotated turn: FrameTransform) -> FrameTransform { turn.followed(by: toStored) }

    /// The transform from this frame's unit square to the stored image's.
    var transform: FrameTransform { toStored }

    /// Converts a box of the upright frame's unit square to pixels.
    func pixels(_ box: Rectangle) -> Rectangle {
        Rectangle(
            x: box.x * size.width, y: box.y * size.height, width: box.width * size.width,
            height: box.height * size.height)
    }

    /// Converts boxes of the stored image's unit square to pixels; nil where the transform has no inverse.
    func upright(_ boxes: [Rectangle]) -> [Rectangle]? {
        toStored.inverse.map { way in boxes.map { pixels(way.map($0)) } }
    }

    /// Converts a position in pixels to the stored image's unit square.
    func stored(_ x: Double, _ y: Double) -> Point {
        toStored.map(Point(x: x / size.width, y: y / size.height))
    }

    /// Converts a box in pixels to the stored image's unit square.
    func stored(_ box: Rectangle) -> Rectangle {
        toStored.map(
            Rectangle(
                x: box.x / size.width, y: box.y / size.height, width: box.width / size.width,
                height: box.height / size.height))
    }

    /// Whether a position in pixels lies in the frame.
    func contains(_ point: Point) -> Bool {
        point.x >= 0 && point.y >= 0 && point.x <= size.width && point.y <= size.height
    }
}
