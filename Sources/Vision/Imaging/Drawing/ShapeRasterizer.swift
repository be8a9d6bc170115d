/// Draws lines and discs into a frame, in place and in the frame's own format, antialiased.
///
/// Positions are in pixels of the frame, continuous: (0, 0) is the upper left corner of the first pixel. A
/// chroma sample gets the mean coverage of the pixels that share it. Shapes are opaque and lie over the
/// frame's content; nothing of a transparent pixel shows through at their edges.
package struct ShapeRasterizer {
    let frame: MutableImageView

    /// Creates a rasterizer for `frame`.
    package init(_ frame: MutableImageView) { self.frame = frame }

    /// Draws a line with round ends, at least a pixel wide.
    package func line(from start: Point, to end: Point, width: Double, color: RGBColor) {
        guard let capsule = Capsule(from: start, to: end, radius: width / 2) else { return }
        fill(capsule, color)
    }

    /// Draws the outline of a rectangle.
    package func rectangle(_ box: Rectangle, width: Double, color: RGBColor) {
        let (right, bottom) = (box.x + box.width, box.y + box.height)
        let corners = (
            Point(x: box.x, y: box.y), Point(x: right, y: box.y), Point(x: right, y: bottom),
            Point(x: box.x, y: bottom)
        )
        line(from: corners.0, to: corners.1, width: width, color: color)
        line(from: corners.1, to: corners.2, width: width, color: color)
        line(from: corners.2, to: corners.3, width: width, color: color)
        line(from: corners.3, to: corners.0, width: width, color: color)
    }

    /// Draws a filled circle, at least a pixel wide.
    package func disc(center: Point, radius: Double, color: RGBColor) {
        guard let capsule = Capsule(from: center, to: center, radius: radius) else { return }
        fill(capsule, color)
    }

    private func fill(_ capsule: Capsule, _ color: RGBColor) {
        let layout = frame.format.layout
        let values = color.components(of: frame.format, colorimetry: frame.colorimetry)
        // Colours are mixed by the alpha that was there before.
        fill(layout.component(0), with: values.0, capsule)
        if layout.colorCount == 3 {
            fill(layout.component(1), with: values.1, capsule)
            fill(layout.component(2), with: values.2, capsule)
        }
        if let alpha = layout.alpha { fill(alpha, with: UInt16(layout.maximum), capsule, isAlpha: true) }
    }

    private func fill(
        _ part: ComponentLayout, with value: UInt16, _ capsule: Capsule, isAlpha: Bool = false
    ) {
        let rows = part.samples(capsule.rows(height: frame.height), shift: part.heightShift)
        for y in rows {
            let pixels = part.pixels(y, shift: part.heightShift, count: frame.height)
            let columns = capsule.columns(rows: pixels, width: frame.width)
            let row = frame.plane(part.plane).row(y) + part.offset
            for x in part.samples(columns, shift: part.widthShift) {
                let shared = part.pixels(x, shift: part.widthShift, count: frame.width)
                let coverage = meanCoverage(of: capsule, shared, pixels)
                let share = isAlpha ? coverage : shareOfColor(coverage, shared, pixels)
                blend(value, into: row + x * part.pixelStride, share)
            }
        }
    }

    private func meanCoverage(of capsule: Capsule, _ columns: Range<Int>, _ rows: Range<Int>) -> Double {
        var sum = 0.0
        for y in rows { for x in columns { sum += capsule.coverage(x, y) } }
        return sum / Double(max(1, columns.count * rows.count))
    }

    /// Returns the share of a shape's colour in pixels that it covers by `coverage`, 0...1; 1 where the
    /// pixels are transparent (Porter and Duff's "over", straight alpha).
    private func shareOfColor(_ coverage: Double, _ columns: Range<Int>, _ rows: Range<Int>) -> Double {
        guard let alpha = frame.format.layout.alpha, coverage > 0 else { return coverage }
        var sum = 0.0
        for y in rows {
            let row = frame.plane(alpha.plane).row(y) + alpha.offset
            for x in columns { sum += Double(sample(row + x * alpha.pixelStride)) }
        }
        let count = Double(max(1, columns.count * rows.count))
        let visible = sum / count / Double(frame.format.layout.maximum) * (1 - coverage)
        return coverage / (coverage + visible)
    }

    private func sample(_ bytes: UnsafeMutablePointer<UInt8>) -> UInt16 {
        let layout = frame.format.layout
        guard layout.bytesPerSample == 2 else { return UInt16(bytes.pointee) }
        return bytes.withMemoryRebound(to: UInt16.self, capacity: 1) { $0.pointee >> UInt16(layout.shift) }
    }

    private func blend(_ value: UInt16, into bytes: UnsafeMutablePointer<UInt8>, _ coverage: Double) {
        let layout = frame.format.layout
        guard layout.bytesPerSample == 2 else {
            bytes.pointee = UInt8(truncatingIfNeeded: mixed(UInt16(bytes.pointee), value, coverage))
            return
        }
        bytes.withMemoryRebound(to: UInt16.self, capacity: 1) { sample in
            let shift = UInt16(layout.shift)
            sample.pointee = mixed(sample.pointee >> shift, value, coverage) << shift
        }
    }

    /// Returns a value between two code values, which is therefore a code value.
    private func mixed(_ old: UInt16, _ new: UInt16, _ coverage: Double) -> UInt16 {
        UInt16((Double(old) + (Double(new) - Double(old)) * coverage).rounded())
    }
}

extension ComponentLayout {
    /// Returns the samples that pixels `pixels` share, along one direction.
    fileprivate func samples(_ pixels: Range<Int>, shift: Int) -> Range<Int> {
        guard !pixels.isEmpty else { return 0..<0 }
        return (pixels.lowerBound >> shift)..<(((pixels.upperBound - 1) >> shift) + 1)
    }

    /// Returns the pixels that share sample `index`; the last one may be alone.
    fileprivate func pixels(_ index: Int, shift: Int, count: Int) -> Range<Int> {
        let first = index << shift
        return first..<max(first, min(first + (1 << shift), count))
    }
}

/// The points within a radius of a segment: a line with round ends, or a disc if both ends are equal.
///
/// Positions are continuous pixel positions: pixel (x, y) covers [x, x + 1) by [y, y + 1).
struct Capsule {
    private let start: Point
    private let along: Point
    private let squaredLength: Double
    /// Distance of half a pixel beyond the edge, from which on coverage is 0.
    private let reach: Double

    /// Maximum coordinate of ends that are drawn: positions must stay exact and fit integers.
    private static let farthest = 1e6
    /// Minimum radius; a thinner line would miss pixels' centres.
    private static let thinnest = 0.5

    /// Creates a capsule.
    ///
    /// - Returns: nil where a number is not finite or too large.
    init?(from start: Point, to end: Point, radius: Double) {
        let numbers = SIMD4(start.x, start.y, end.x, end.y)
        guard radius.isFinite, radius <= Self.farthest,
            (0..<4).allSatisfy({ abs(numbers[$0]) <= Self.farthest })
        else { return nil }
        self.start = start
        along = Point(x: end.x - start.x, y: end.y - start.y)
        squaredLength = along.x * along.x + along.y * along.y
        reach = max(radius, Self.thinnest) + 0.5
    }

    /// Returns the covered share of pixel (x, y), 0...1, from the distance of its centre from the edge.
    func coverage(_ x: Int, _ y: Int) -> Double {
        let (dx, dy) = (Double(x) + 0.5 - start.x, Double(y) + 0.5 - start.y)
        let projection = (dx * along.x + dy * along.y) / max(squaredLength, .leastNormalMagnitude)
        let nearest = min(max(projection, 0), 1)
        let (ex, ey) = (dx - nearest * along.x, dy - nearest * along.y)
        return min(max(reach - (ex * ex + ey * ey).squareRoot(), 0), 1)
    }

    /// Returns the rows with covered pixels, within 0..<`height`.
    func rows(height: Int) -> Range<Int> {
        let (low, high) = (min(start.y, start.y + along.y), max(start.y, start.y + along.y))
        return Self.pixels(low - reach, high + reach, count: height)
    }

    /// Returns columns, within 0..<`width`, outside of which no pixel of the rows `rows` is covered.
    func columns(rows: Range<Int>, width: Int) -> Range<Int> {
        let (top, bottom) = (Double(rows.lowerBound) - reach, Double(rows.upperBound) + reach)
        var (first, last) = (0.0, 1.0)
        if abs(along.y) > 1e-9 {
            let (a, b) = ((top - start.y) / along.y, (bottom - start.y) / along.y)
            (first, last) = (max(first, min(a, b)), min(last, max(a, b)))
            guard first <= last else { return 0..<0 }
        }
        let (a, b) = (start.x + first * along.x, start.x + last * along.x)
        return Self.pixels(min(a, b) - reach, max(a, b) + reach, count: width)
    }

    private static func pixels(_ low: Double, _ high: Double, count: Int) -> Range<Int> {
        let first = Int(min(max(low.rounded(.down), 0), Double(count)))
        return first..<max(first, Int(min(max(high.rounded(.up), 0), Double(count))))
    }
}

/// Capital letters of straight strokes, for a few words in a frame.
extension ShapeRasterizer {
    /// Writes two lines into the middle of the frame, white with a black rim, so that they are legible before any
    /// picture.
    ///
    /// - Parameter lines: capital letters, spaces and hyphens; other characters leave a space. Each line has the size
    ///   that fits.
    package func writeSign(_ lines: (StaticString, StaticString)) {
        let middle = Double(frame.height) / 2
        write(lines.0, aroundRow: middle - Letter.largestHeight * Double(frame.height))
        write(lines.1, aroundRow: middle + Letter.largestHeight * Double(frame.height))
    }

    private func write(_ line: StaticString, aroundRow row: Double) {
        let cells = Double(line.utf8CodeUnitCount) * Letter.advance - (Letter.advance - Letter.width)
        let unit = min(
            Letter.largestShare * Double(frame.width) / max(1, cells),
            Letter.largestHeight * Double(frame.height) / Letter.height)
        let start = Point(
            x: (Double(frame.width) - cells * unit) / 2, y: row - Letter.height * unit / 2)
        draw(line, at: start, unit, width: Letter.rim * unit, .black)
        draw(line, at: start, unit, width: unit, .white)
    }

    private func draw(
        _ line: StaticString, at start: Point, _ unit: Double, width: Double, _ color: RGBColor
    ) {
        line.withUTF8Buffer { letters in
            for (index, letter) in letters.enumerated() {
                let place = Point(x: start.x + Double(index) * Letter.advance * unit, y: start.y)
                draw(strokes: Letter.strokes(letter), at: place, unit, width: width, color)
            }
        }
    }

    /// Draws the strokes of a letter: columns and rows of points as digits; a space begins another stroke.
    private func draw(
        strokes: StaticString, at place: Point, _ unit: Double, width: Double, _ color: RGBColor
    ) {
        strokes.withUTF8Buffer { digits in
            var (last, index): (Point?, Int) = (nil, 0)
            while index + 1 < digits.count {
                if digits[index] == UInt8(ascii: " ") {
                    (last, index) = (nil, index + 1)
                    continue
                }
                let (x, y) = (Double(digits[index]) - 48, Double(digits[index + 1]) - 48)
                let point = Point(x: place.x + x * unit, y: place.y + y * unit)
                if let last { line(from: last, to: point, width: width, color: color) }
                (last, index) = (point, index + 2)
            }
        }
    }
}

/// The strokes of the letters, on a grid of 4 x 6 units.
private enum Letter {
    static let (width, height, advance) = (4.0, 6.0, 6.0)
    /// Width of the black strokes below the white ones.
    static let rim = 2.4
    /// Maximum width of a line, in frame widths.
    static let largestShare = 0.9
    /// Maximum height of a letter, in frame heights.
    static let largestHeight = 0.08

    static func strokes(_ letter: UInt8) -> StaticString {
        switch letter {
        case UInt8(ascii: "A"): "0602204246 0444"
        case UInt8(ascii: "B"): "003041423303 334445360600"
        case UInt8(ascii: "C"): "4130100105163645"
        case UInt8(ascii: "D"): "00204244260600"
        case UInt8(ascii: "E"): "40000646 0333"
        case UInt8(ascii: "F"): "400006 0333"
        case UInt8(ascii: "G"): "41301001051636454323"
        case UInt8(ascii: "H"): "0006 4046 0343"
        case UInt8(ascii: "I"): "2026"
        case UInt8(ascii: "J"): "4045361605"
        case UInt8(ascii: "K"): "0006 400346"
        case UInt8(ascii: "L"): "000646"
        case UInt8(ascii: "M"): "0600234046"
        case UInt8(ascii: "N"): "06004640"
        case UInt8(ascii: "O"): "103041453616050110"
        case UInt8(ascii: "P"): "06003041423303"
        case UInt8(ascii: "Q"): "103041453616050110 3446"
        case UInt8(ascii: "R"): "06003041423303 2346"
        case UInt8(ascii: "S"): "413010010213334445361605"
        case UInt8(ascii: "T"): "0040 2026"
        case UInt8(ascii: "U"): "000516364540"
        case UInt8(ascii: "V"): "002640"
        case UInt8(ascii: "W"): "0016233640"
        case UInt8(ascii: "X"): "0046 4006"
        case UInt8(ascii: "Y"): "002340 2326"
        case UInt8(ascii: "Z"): "00400646"
        case UInt8(ascii: "-"): "1333"
        default: ""
        }
    }
}
