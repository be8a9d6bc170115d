/// The visible part of an image with a transparent background, cropped.
///
/// Parts with little certain area are left out, because they are noise of a mask, or traces of another
/// person.
public struct CutOut: Sendable {
    /// Number of pixels in a row.
    public let width: Int
    /// Number of rows.
    public let height: Int
    /// R', G', B' and straight alpha of each pixel, 8 bits each, row by row without gaps.
    public private(set) var pixels: [UInt8]

    /// A line around the cut-out, as on stickers.
    package struct Outline {
        let color: RGBColor
        /// Width of the line, as a share of the longer side of the cut-out.
        let width: Double

        /// Creates a line; `width` is a share of the longer side of the cut-out, 0...0.2.
        package init(color: RGBColor, width: Double) {
            self.color = color
            self.width = width.limited(0, 0.2)
        }
    }

    /// Cuts out the visible part of `image`.
    ///
    /// - Parameters:
    ///   - image: RGBA with straight alpha.
    ///   - smallestPart: minimum certain area of a part, as a share of the largest one's; smaller parts are
    ///     left out.
    ///   - isCropped: whether the result is cropped to the visible part; otherwise it has the image's size.
    ///   - outline: drawn outside of the cut-out, if it is cropped beyond the image's edges too; no outline
    ///     by default. With an outline, the cut-out gets a firmer edge.
    /// - Returns: nil when nothing is visible, or the result would be too large.
    package init?(
        _ image: ImageView, smallestPart: Double, isCropped: Bool = true, outline: Outline? = nil
    ) {
        guard image.format == .rgba,
            let parts = VisibleParts(image, smallest: smallestPart, isFirm: outline != nil)
        else { return nil }
        let whole = PixelRect(x: 0, y: 0, width: image.width, height: image.height)
        let extent = isCropped ? parts.extent : whole
        let line = (outline?.width ?? 0) * Double(max(parts.extent.width, parts.extent.height))
        let margin = line > 0 && isCropped ? Int(line.rounded(.up)) + Self.edge : 0
        (width, height) = (extent.width + 2 * margin, extent.height + 2 * margin)
        guard max(width, height) <= ImageView.maximumSide else { return nil }
        pixels = [UInt8](repeating: 0, count: 4 * width * height)
        copy(image, parts, extent, margin: margin)
        if let outline, line > 0 { draw(outline, width: line) }
    }

    /// Number of pixels over which an outline's edge fades.
    private static let edge = 2

    private mutating func copy(
        _ image: ImageView, _ parts: VisibleParts, _ extent: PixelRect, margin: Int
    ) {
        for y in 0..<extent.height {
            let source = image.plane(0).row(extent.y + y) + 4 * extent.x
            let target = 4 * ((margin + y) * width + margin)
            for x in 0..<extent.width where parts.contains(x: extent.x + x, y: extent.y + y) {
                for channel in 0..<4 { pixels[target + 4 * x + channel] = source[4 * x + channel] }
            }
        }
    }

    /// Range in which coverage rises from none to full if there is an outline, which surrounds everything
    /// above.
    fileprivate static let firmEdge: (low: Float, high: Float) = (0.25, 0.75)
    private static let firm = LinearStep(from: firmEdge.low, to: firmEdge.high)

    /// Composes the opaque colours over the outline, with alpha as the mask.
    private mutating func draw(_ outline: Outline, width line: Double) {
        guard let mask = MaskMemory(format: .gray8, width: width, height: height) else { return }
        // The code below uses only pointers into the memory of `mask`.
        defer { withExtendedLifetime(mask) {} }
        let view = mask.mutableView
        var row = [Float](repeating: 0, count: width)
        for y in 0..<height {
            for x in 0..<width {
                let alpha = 4 * (y * width + x) + 3
                row[x] = Self.firm.value(Float(pixels[alpha]) / 255)
                pixels[alpha] = 255
            }
            view.writeRow(y, from: row)
        }
        let halo = Halo(color: outline.color, width: line / Double(height))
        let composition = Composition(source: .transparent(premultiplied: false), effects: [.halo(halo)])
        let (width, height) = (width, height)
        pixels.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress,
                let image = MutableImageView(
                    format: .rgba, width: width, height: height,
                    plane: MutablePlane(base: base, stride: 4 * width), byteCount: bytes.count)
            else { return }
            // The call cannot fail: its only requirement is alpha, which RGBA has.
            try? MaskCompositor().composite(image, mask: mask.view, composition)
        }
    }
}

/// The visible parts of an image with alpha: parts with a certainly visible core, with the soft edges around
/// them.
private struct VisibleParts {
    /// The box around all parts, in pixels.
    private(set) var extent = PixelRect(x: 0, y: 0, width: 0, height: 0)
    /// The mask of the parts, by squares of pixels: 1 for parts that count.
    private let isPart = FloatImage()
    /// Side of a square.
    private let side: Int

    /// Minimum alpha of a visible value, of a connected value, and of the peak of a part.
    private static let (visible, connected, certain): (Float, Float, Float) = (0.02, 0.1, 0.5)
    /// Weight of alpha in a part's core.
    ///
    /// Traces of a neighbour in a person's mask may be large, but are faint.
    private static let core = LinearStep(from: certain, to: 0.75)
    /// Reach of soft edges, in shares of the image's longer side: hair of a portrait reaches as far.
    private static let fringe = 0.02

    /// Finds the visible parts.
    ///
    /// - Parameters:
    ///   - smallest: minimum area of a part's core, as a share of the largest one's.
    ///   - isFirm: whether edges are firm, without the soft values around them.
    /// - Returns: nil when nothing is visible.
    init?(_ image: ImageView, smallest: Double, isFirm: Bool) {
        guard let alpha = Self.alpha(of: image) else { return nil }
        // Parts are found in averages over squares, which is faster and connects parts at that scale.
        let squares = FloatImage()
        squares.copy(alpha.view, invert: false)
        // The longer side determines the squares' side, because the last square of the other side may be
        // mostly outside.
        let (long, count) = (max(image.width, image.height), max(squares.width, squares.height))
        side = (long + count - 1) / count
        // An outline would also surround faint traces that touch a person.
        findParts(in: squares, above: isFirm ? Self.certain : Self.connected, smallest)
        MorphologyFilter().dilate(
            isPart, radius: isFirm ? 1 : Int((Self.fringe * Double(count)).rounded(.up)))
        guard let extent = extent(in: alpha.view) else { return nil }
        self.extent = extent
        // The code above used only pointers into the memory of `alpha`.
        withExtendedLifetime(alpha) {}
    }

    func contains(x: Int, y: Int) -> Bool { isPart.row(y / side)[x / side] > 0 }

    private static func alpha(of image: ImageView) -> MaskMemory? {
        let mask = MaskMemory(format: .gray8, width: image.width, height: image.height)
        var row = [Float](repeating: 0, count: image.width)
        for y in 0..<image.height {
            let pixels = image.plane(0).row(y)
            for x in 0..<image.width { row[x] = Float(pixels[4 * x + 3]) / 255 }
            mask?.mutableView.writeRow(y, from: row)
        }
        return mask
    }

    private func findParts(in squares: FloatImage, above level: Float, _ smallest: Double) {
        let components = ConnectedComponents()
        components.find(in: squares, above: level, reaching: Self.certain)
        squares.apply(Self.core)
        components.measure(squares)
        var largest: Float = 0
        components.forEach { largest = max(largest, $0.sum) }
        isPart.resize(width: squares.width, height: squares.height)
        components.paint(on: isPart) { $0.sum > 0 && $0.sum >= Float(smallest) * largest ? 1 : nil }
    }

    private func extent(in alpha: MaskView) -> PixelRect? {
        var (left, right, top, bottom) = (alpha.width, 0, alpha.height, 0)
        var row = [Float](repeating: 0, count: alpha.width)
        for y in 0..<alpha.height {
            alpha.readRow(y, into: &row)
            for x in 0..<alpha.width where row[x] > Self.visible && contains(x: x, y: y) {
                (left, right) = (min(left, x), max(right, x + 1))
                (top, bottom) = (min(top, y), y + 1)
            }
        }
        return left < right ? PixelRect(x: left, y: top, width: right - left, height: bottom - top) : nil
    }
}
