import Glibc

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

extension CutOut {
    /// Cuts out the part that a mask covers, upright, and removes the old background's colour from soft
    /// edges.
    ///
    /// - Parameters:
    ///   - image: image of any format; only its colours count, not its alpha.
    ///   - mask: mask of the whole stored image, at any size.
    ///   - orientation: orientation of the stored image.
    ///   - smallestPart: minimum certain area of a part, as a share of the largest one's, 0...1; smaller
    ///     parts are left out.
    ///   - isCropped: whether the result is cropped to the visible part.
    /// - Returns: nil when nothing is visible, or memory is short.
    package init?(
        _ image: ImageView, mask: Mask, orientation: ImageOrientation = .up, smallestPart: Double = 0.002,
        isCropped: Bool = true
    ) {
        guard let copy = UprightImage(image, orientation), let mask = mask.upright(orientation) else {
            return nil
        }
        // The code below uses only pointers into the memory of both.
        defer { withExtendedLifetime((copy, mask)) {} }
        let composition = Composition(source: .transparent(premultiplied: false), decontaminate: true)
        do throws(CompositingError) {
            try MaskCompositor().composite(copy.view, mask: mask.view, composition)
        } catch { return nil }
        self.init(ImageView(copy.view), smallestPart: smallestPart, isCropped: isCropped)
    }
}

extension Mask {
    /// Returns the mask of the upright image; nil when memory is short.
    package func upright(_ orientation: ImageOrientation) -> Mask? {
        guard orientation != .up else { return self }
        let (width, height) = orientation.upright(view.width, view.height)
        guard let region = FrameTransform.orientation(orientation).inverse else { return nil }
        let rotated = try? Mask(format: view.format, width: width, height: height) { rotated in
            try values.withUnsafeBufferPointer { values in
                try MaskWriter().write(
                    values, width: view.width, height: view.height, region: region, into: rotated)
            }
        }
        return rotated ?? nil
    }
}

/// An opaque, upright RGBA copy of an image.
package final class UprightImage {
    /// The copy, valid as long as the object lives.
    package let view: MutableImageView
    private let memory: UnsafeMutableRawPointer

    /// Number of rows that are converted at a time: their values take four times the memory of the pixels.
    private static let rowsAtATime = 64

    /// Copies an image in its own size; nil when memory is short.
    package convenience init?(_ image: ImageView, _ orientation: ImageOrientation) {
        self.init(image, orientation, of: .unit, size: orientation.upright(image.width, image.height))
    }

    /// Copies an image in another size, which it fills: what sticks out is cut off evenly.
    ///
    /// - Returns: nil when memory is short.
    package convenience init?(
        _ image: ImageView, _ orientation: ImageOrientation, filling size: (width: Int, height: Int)
    ) {
        let whole = orientation.upright(image.width, image.height)
        let part = PictureFit.cover.placement(of: whole, in: size).source
        let (width, height) = (Double(whole.width), Double(whole.height))
        let shown = Rectangle(
            x: Double(part.x) / width, y: Double(part.y) / height, width: Double(part.width) / width,
            height: Double(part.height) / height)
        self.init(image, orientation, of: shown, size: size)
    }

    private init?(
        _ image: ImageView, _ orientation: ImageOrientation, of part: Rectangle,
        size: (width: Int, height: Int)
    ) {
        let (width, height) = size
        // `calloc` is used because `allocate` ends the program when memory is short.
        guard let memory = calloc(height, 4 * width) else { return nil }
        guard
            let view = MutableImageView(
                format: .rgba, width: width, height: height,
                plane: MutablePlane(base: memory, stride: 4 * width), byteCount: 4 * width * height)
        else {
            free(memory)
            return nil
        }
        (self.view, self.memory) = (view, memory)
        let region = FrameTransform.crop(part).followed(by: .orientation(orientation))
        do throws(SamplingError) {
            for top in stride(from: 0, to: height, by: Self.rowsAtATime) {
                try copy(image, region, rows: top..<min(top + Self.rowsAtATime, height))
            }
        } catch { return nil }
    }

    deinit { free(memory) }

    /// - Parameter whole: maps the unit square of the copy to that of the image.
    private func copy(_ image: ImageView, _ whole: FrameTransform, rows: Range<Int>) throws(SamplingError) {
        let sampler = try TensorSampler(
            TensorInput(width: view.width, height: rows.count, low: 0, high: 255))
        let values = UnsafeMutableBufferPointer<Float>.allocate(capacity: sampler.input.valueCount)
        defer { values.deallocate() }
        values.initialize(repeating: 0)
        let band = Rectangle(
            x: 0, y: Double(rows.lowerBound) / Double(view.height),
            width: 1, height: Double(rows.count) / Double(view.height))
        try sampler.sample(image, region: FrameTransform.crop(band).followed(by: whole), into: values)
        for y in rows {
            let (source, target) = (3 * view.width * (y - rows.lowerBound), view.plane(0).row(y))
            for x in 0..<view.width {
                for channel in 0..<3 {
                    target[4 * x + channel] = .rounded(min(max(values[source + 3 * x + channel], 0), 255))
                }
                target[4 * x + 3] = 255
            }
        }
    }
}
