import Imaging

/// A picture as the models see it: upright, in square pixels, origin top-left.
///
/// Faces are found, followed and measured in these pixels; only results go back to the stored picture.
struct UprightFrame {
    let image: ImageView
    /// Size in pixels.
    let size: Size
    private let toStored: FrameTransform

    init(_ image: ImageView, orientation: ImageOrientation) {
        self.image = image
        size = orientation.uprightSize(of: Size(width: image.width, height: image.height))
        toStored = .orientation(orientation)
    }

    private init(mirroring other: UprightFrame) {
        image = other.image
        size = other.size
        toStored = FrameTransform.orientation(.upMirrored).followed(by: other.toStored)
    }

    /// The same picture with left and right exchanged.
    var mirrored: UprightFrame { UprightFrame(mirroring: self) }

    /// From the unit square of `crop` to that of the stored picture.
    func region(of crop: FaceCrop) -> FrameTransform {
        var turned = FrameTransform.crop(
            RotatedRectangle(
                center: Point(x: crop.center.x / size.width, y: crop.center.y / size.height),
                width: crop.side / size.width, height: crop.side / size.height, angle: crop.angle),
            frame: size)
        // Sines and cosines of quarter turns miss 0 by a hair, and with it the sampler's fast path.
        if abs(turned.xx) < 1e-12 * abs(turned.xy) { (turned.xx, turned.yy) = (0, 0) }
        if abs(turned.xy) < 1e-12 * abs(turned.xx) { (turned.xy, turned.yx) = (0, 0) }
        return turned.followed(by: toStored)
    }

    /// A pixel position in the stored picture's unit square.
    func stored(_ x: Double, _ y: Double) -> Point {
        toStored.map(Point(x: x / size.width, y: y / size.height))
    }

    /// A box in pixels in the stored picture's unit square.
    func stored(_ box: Rectangle) -> Rectangle {
        toStored.map(
            Rectangle(
                x: box.x / size.width, y: box.y / size.height, width: box.width / size.width,
                height: box.height / size.height))
    }
}

/// A square of an upright frame, turned with the face in it.
struct FaceCrop {
    /// The middle, in pixels.
    var center: Point
    /// Length of a side, in pixels.
    var side: Double
    /// How far the square is turned, clockwise on a screen, in radians.
    var angle: Double

    /// False where there is nothing to sample.
    var isUsable: Bool {
        center.x.isFinite && center.y.isFinite && angle.isFinite && side >= 1 && side <= 1e5
            && abs(center.x) <= 1e5 && abs(center.y) <= 1e5
    }
}
