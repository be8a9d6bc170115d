/// Draws lines and discs into a frame, in place and in the frame's own format, antialiased.
///
/// Positions are in pixels of the frame, continuous: (0, 0) is the upper left corner of the first pixel.
/// A chroma sample takes the mean coverage of the pixels that share it. Shapes are opaque, and lie over what is there: of a
/// pixel that is transparent nothing shows through at their edges.
public struct ShapeRasterizer {
    private let frame: MutableImageView

    /// A rasterizer for `frame`.
    public init(_ frame: MutableImageView) { self.frame = frame }

    /// A line with round ends; at least a pixel wide.
    public func line(from start: Point, to end: Point, width: Double, color: RGBColor) {
        guard let capsule = Capsule(from: start, to: end, radius: width / 2) else { return }
        fill(capsule, color)
    }

    /// The outline of a rectangle.
    public func rectangle(_ box: Rectangle, width: Double, color: RGBColor) {
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

    /// A filled circle; at least a pixel wide.
    public func disc(center: Point, radius: Double, color: RGBColor) {
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

    /// What a shape has of the colour of pixels that it covers by `coverage`, 0...1: all of it where they are transparent
    /// (Porter and Duff's "over", straight alpha).
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

    /// A value between two code values, and so a code value.
    private func mixed(_ old: UInt16, _ new: UInt16, _ coverage: Double) -> UInt16 {
        UInt16((Double(old) + (Double(new) - Double(old)) * coverage).rounded())
    }
}

extension ComponentLayout {
    /// The samples that pixels `pixels` share, along one direction.
    fileprivate func samples(_ pixels: Range<Int>, shift: Int) -> Range<Int> {
        guard !pixels.isEmpty else { return 0..<0 }
        return (pixels.lowerBound >> shift)..<(((pixels.upperBound - 1) >> shift) + 1)
    }

    /// The pixels that share sample `index`; the last one may be alone.
    fileprivate func pixels(_ index: Int, shift: Int, count: Int) -> Range<Int> {
        let first = index << shift
        return first..<max(first, min(first + (1 << shift), count))
    }
}
