import Imaging

/// Draws into an image at normalised positions.
struct OverlayPen {
    let rasterizer: ShapeRasterizer
    /// Size of the image as it is stored, in pixels.
    let size: Size
    /// Width of a thin line, in pixels.
    let width: Double

    init(_ image: MutableImageView) {
        rasterizer = ShapeRasterizer(image)
        size = Size(width: image.width, height: image.height)
        width = max(1.5, min(size.width, size.height) / 320)
    }

    /// Converts a position to pixels.
    func pixels(_ point: Point) -> Point { Point(x: point.x * size.width, y: point.y * size.height) }

    /// Draws the outline of a box.
    func draw(_ box: Rectangle, color: RGBColor) {
        let pixels = Rectangle(
            x: box.x * size.width, y: box.y * size.height, width: box.width * size.width,
            height: box.height * size.height)
        rasterizer.rectangle(pixels, width: width, color: color)
    }

    /// Draws a line between two positions, `width` pixels wide.
    func line(from start: Point, to end: Point, width: Double, color: RGBColor) {
        rasterizer.line(from: pixels(start), to: pixels(end), width: width, color: color)
    }

    /// Draws a filled circle of `radius` pixels.
    func disc(_ center: Point, radius: Double, color: RGBColor) {
        rasterizer.disc(center: pixels(center), radius: radius, color: color)
    }
}

extension RGBColor {
    static let yellow = RGBColor(red: 255, green: 212, blue: 0)
    static let red = RGBColor(red: 255, green: 40, blue: 40)
    static let green = RGBColor(red: 40, green: 220, blue: 40)
    static let blue = RGBColor(red: 60, green: 120, blue: 255)
    static let grey = RGBColor(red: 150, green: 150, blue: 150)
    static let cyan = RGBColor(red: 0, green: 200, blue: 220)
    static let orange = RGBColor(red: 255, green: 120, blue: 0)
    static let white = RGBColor(red: 255, green: 255, blue: 255)
}
