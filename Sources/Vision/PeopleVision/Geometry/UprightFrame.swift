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
    /// Size of the whole image, upright, of which this may be a part.
    let wholeSize: Size
    /// The transform from this frame's unit square to that of `image`.
    private let toImage: FrameTransform
    /// The transform from this frame's unit square to that of the whole stored image.
    private let toStored: FrameTransform

    package init(_ frame: InputFrame) {
        (image, depth) = (frame.image, frame.depth)
        size = frame.orientation.uprightSize(of: Size(width: image.width, height: image.height))
        wholeSize = frame.orientation.uprightSize(of: frame.wholeSize)
        (toImage, toStored) = (.orientation(frame.orientation), frame.toStored)
    }

    private init(mirroring other: UprightFrame) {
        (image, depth, size, wholeSize) = (other.image, other.depth, other.size, other.wholeSize)
        (toImage, toStored) = (
            FrameTransform.mirrored.followed(by: other.toImage),
            FrameTransform.mirrored.followed(by: other.toStored)
        )
    }

    /// This frame with left and right exchanged.
    var mirrored: UprightFrame { UprightFrame(mirroring: self) }

    /// Returns the transform from the unit square of `square` to that of `image`.
    func region(of square: RotatedSquare) -> FrameTransform {
        var rotated = FrameTransform.crop(
            RotatedRectangle(
                center: Point(x: square.center.x / size.width, y: square.center.y / size.height),
                width: square.side / size.width, height: square.side / size.height, angle: square.angle),
            frame: size)
        // Sines and cosines of quarter turns are not exactly 0; the sampler's fast path needs them to be.
        if abs(rotated.xx) < 1e-12 * abs(rotated.xy) { (rotated.xx, rotated.yy) = (0, 0) }
        if abs(rotated.xy) < 1e-12 * abs(rotated.xx) { (rotated.xy, rotated.yx) = (0, 0) }
        return rotated.followed(by: toImage)
    }

    /// Returns the transform from the unit square of the whole frame, rotated by `turn`, to that of `image`.
    ///
    /// - Parameter turn: maps the rotated frame's unit square to the upright one's.
    func region(rotated turn: FrameTransform) -> FrameTransform { turn.followed(by: toImage) }

    /// The transform from this frame's unit square to the stored image's.
    var transform: FrameTransform { toStored }

    /// Returns the camera that sees the frame: that of the whole image.
    ///
    /// - Parameter fieldOfView: vertical field of view of the whole image, in radians; nil when unknown.
    func camera(_ fieldOfView: Double?) -> Camera {
        let middle = toStored.inverse?.map(Point(x: 0.5, y: 0.5)) ?? Point(x: 0.5, y: 0.5)
        return Camera(
            focalLength: Camera(fieldOfView, wholeSize).focalLength,
            center: Point(x: middle.x * size.width, y: middle.y * size.height))
    }

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
