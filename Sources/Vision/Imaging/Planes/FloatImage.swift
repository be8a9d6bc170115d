/// Values in floats, row by row without gaps: the form in which masks are processed.
///
/// The image keeps its memory, so that a stream of frames of one size allocates nothing.
package final class FloatImage {
    /// Number of values in a row.
    package private(set) var width = 0
    /// Number of rows.
    package private(set) var height = 0
    private let buffer = ScratchBuffer<Float>()
    /// A row of a larger mask; most images never need one.
    private lazy var maskRow = ScratchBuffer<Float>()

    /// Creates an empty image.
    package init() {}

    /// Number of values.
    package var count: Int { width * height }

    /// The first value of the first row.
    package var base: UnsafeMutablePointer<Float> { buffer.base }

    /// All values, row by row.
    package var values: UnsafeMutableBufferPointer<Float> { .init(start: buffer.base, count: count) }

    /// Returns the first value of row `y`.
    package func row(_ y: Int) -> UnsafeMutablePointer<Float> { buffer.base + y &* width }

    /// Resizes the image to `width` x `height` values; a new size loses the stored values.
    ///
    /// - Returns: true when the size is new; all values are then 0.
    @discardableResult
    package func resize(width: Int, height: Int) -> Bool {
        let sides = 1...ImageView.maximumSide
        let (width, height) = (width.clamped(to: sides), height.clamped(to: sides))
        guard width != self.width || height != self.height else { return false }
        self.width = width
        self.height = height
        buffer.reserve(count).update(repeating: 0, count: count)
        return true
    }

    /// Copies size and values of `other`.
    package func copy(_ other: FloatImage) {
        resize(width: other.width, height: other.height)
        base.update(from: other.base, count: count)
    }

    /// Copies the first values of `other`, as many as the image has.
    package func copy(_ other: UnsafeBufferPointer<Float>) {
        guard let source = other.baseAddress, other.count >= count else { return }
        base.update(from: source, count: count)
    }

    /// Copies an image of the same size with mirrored rows; too few values change nothing.
    package func copy(mirrored other: UnsafeBufferPointer<Float>) { combine(mirrored: other) { $1 } }

    /// Replaces each value by its mean with that of an image of the same size with mirrored rows; too few values change
    /// nothing.
    package func average(mirrored other: UnsafeBufferPointer<Float>) {
        combine(mirrored: other) { 0.5 * ($0 + $1) }
    }

    /// Replaces each value by the result for it and the mirrored value of `other`.
    @inline(__always)
    private func combine(mirrored other: UnsafeBufferPointer<Float>, _ result: (Float, Float) -> Float) {
        guard let source = other.baseAddress, other.count >= count else { return }
        for y in 0..<height {
            let (row, end) = (row(y), source + (y + 1) * width - 1)
            for x in 0..<width { row[x] = result(row[x], end[-x]) }
        }
    }

    /// The image as a mask for reading, valid until the next change of size; nil while the image is empty.
    package var view: MaskView? { mutableView.map(MaskView.init) }

    /// The image as a mask for writing; values are clamped to 0...1.
    package var mutableView: MutableMaskView? {
        MutableMaskView(
            format: .f32, width: width, height: height, base: base,
            stride: width * MemoryLayout<Float>.stride, byteCount: count * MemoryLayout<Float>.stride)
    }

    /// Fills the image with the brightness of an image of the same size.
    ///
    /// Brightness is the luma of ITU-R BT.601: any sensible mix would do.
    ///
    /// - Parameter image: R, G, B in the layout of `tensor`; too few values change nothing.
    package func fill(brightnessOf image: UnsafeBufferPointer<Float>, in tensor: TensorInput) {
        guard let pixels = image.baseAddress, image.count >= 3 * count else { return }
        switch tensor.layout {
        case .nhwc: addBrightness(pixels, step: 3, plane: 1)
        case .nchw: addBrightness(pixels, step: 1, plane: count)
        }
        makeUnit(from: tensor)
    }

    @inline(__always)
    private func addBrightness(_ pixels: UnsafePointer<Float>, step: Int, plane: Int) {
        let (values, count, green, blue) = (base, count, pixels + plane, pixels + 2 * plane)
        for i in 0..<count {
            let place = step &* i
            values[i] = 0.299 * pixels[place] + 0.587 * green[place] + 0.114 * blue[place]
        }
    }

    /// Fills the image with colour planes of the same width and a third of the height, red above green above
    /// blue.
    ///
    /// - Parameter image: R, G, B in the layout of `tensor`; too few values change nothing.
    package func fill(planesOf image: UnsafeBufferPointer<Float>, in tensor: TensorInput) {
        guard let pixels = image.baseAddress, image.count >= count else { return }
        let (values, pixelCount) = (base, count / 3)
        switch tensor.layout {
        case .nhwc:
            for plane in 0..<3 {
                for i in 0..<pixelCount { values[plane &* pixelCount &+ i] = pixels[3 &* i &+ plane] }
            }
        case .nchw: values.update(from: pixels, count: count)
        }
        makeUnit(from: tensor)
    }

    /// Scales the range between `tensor.low` and `tensor.high` to 0...1.
    private func makeUnit(from tensor: TensorInput) {
        guard tensor.low != 0 || tensor.high != 1, tensor.low != tensor.high else { return }
        let (values, count, low, scale) = (base, count, tensor.low, 1 / (tensor.high - tensor.low))
        for i in 0..<count { values[i] = (values[i] - low) * scale }
    }

    /// Copies the upper left part of rows of `width` values, as much as fits in this image; too few values
    /// change nothing.
    package func copy(cornerOf values: UnsafeBufferPointer<Float>, width sourceWidth: Int) {
        guard let source = values.baseAddress, sourceWidth >= width, values.count >= sourceWidth * height
        else { return }
        for y in 0..<height { row(y).update(from: source + y * sourceWidth, count: width) }
    }

    /// Copies the means of squares of 2x2 values of `other`; the last row or column may lack a half.
    package func copy(halfOf other: FloatImage) {
        copy(halfOf: UnsafeBufferPointer(other.values), width: other.width, height: other.height)
    }

    /// Copies the means of squares of 2x2 of `width` x `height` values, row by row; too few values change
    /// nothing.
    package func copy(
        halfOf values: UnsafeBufferPointer<Float>, width sourceWidth: Int, height sourceHeight: Int
    ) {
        guard let source = values.baseAddress, sourceWidth > 0, sourceHeight > 0,
            values.count >= sourceWidth * sourceHeight
        else { return }
        resize(width: (sourceWidth + 1) / 2, height: (sourceHeight + 1) / 2)
        let pairs = sourceWidth / 2
        for y in 0..<height {
            let (upper, row) = (source + 2 * y * sourceWidth, row(y))
            let lower = source + min(2 * y + 1, sourceHeight - 1) * sourceWidth
            for x in 0..<pairs {
                row[x] = 0.25 * (upper[2 &* x] + upper[2 &* x &+ 1] + lower[2 &* x] + lower[2 &* x &+ 1])
            }
            if pairs < width { row[pairs] = 0.5 * (upper[sourceWidth - 1] + lower[sourceWidth - 1]) }
        }
    }

    /// Maximum side of a copy by `copy(_:invert:)`; larger masks are averaged down.
    ///
    /// More values cost time, and are not visible in the soft layers computed from such a copy.
    private static let largestSide = 512

    /// Copies a mask, averaged down by a whole factor if a side is longer than 512.
    ///
    /// - Parameter invert: whether coverage becomes 1 - coverage; NaN becomes 0 in either case.
    package func copy(_ mask: MaskView, invert: Bool) {
        let block = (max(mask.width, mask.height) + Self.largestSide - 1) / Self.largestSide
        resize(width: (mask.width + block - 1) / block, height: (mask.height + block - 1) / block)
        maskRow.reserve(mask.width)
        for y in 0..<height { average(mask, row: y, block: block, undefined: invert ? 1 : 0) }
        guard invert else { return }
        let (values, count) = (base, count)
        for i in 0..<count { values[i] = 1 - values[i] }
    }

    private func average(_ mask: MaskView, row y: Int, block: Int, undefined: Float) {
        guard block > 1 else { return mask.readRow(y, undefined: undefined, into: row(y)) }
        let (values, line) = (row(y), maskRow.base)
        values.update(repeating: 0, count: width)
        let rows = (y * block)..<min((y + 1) * block, mask.height)
        for source in rows {
            mask.readRow(source, undefined: undefined, into: line)
            for x in 0..<mask.width { values[x / block] += line[x] }
        }
        for x in 0..<width {
            let columns = min(block, mask.width - x * block)
            values[x] /= Float(columns * rows.count)
        }
    }

    /// Multiplies every value by the corresponding value of `other`, which has the same size.
    package func multiply(_ other: FloatImage) {
        let (values, factors, count) = (base, other.base, min(count, other.count))
        for i in 0..<count { values[i] *= factors[i] }
    }

    /// Raises row `y` to `floor`, one per value.
    package func raise(row y: Int, to floor: UnsafePointer<Float>) {
        let (values, count) = (row(y), width)
        for x in 0..<count { values[x] = max(values[x], floor[x]) }
    }

    /// Lowers row `y` to `ceiling`, one per value.
    package func lower(row y: Int, to ceiling: UnsafePointer<Float>) {
        let (values, count) = (row(y), width)
        for x in 0..<count { values[x] = min(values[x], ceiling[x]) }
    }

    /// Raises every value to that of `floor`, an image of any size, which `rows` resizes.
    package func raise(to floor: FloatImage, by rows: LinearResizer) {
        rows.begin(floor, width: width, height: height)
        for y in 0..<height { raise(row: y, to: rows.row(y, of: floor)) }
    }

    /// Lowers every value to that of `ceiling`, an image of any size, which `rows` resizes.
    package func lower(to ceiling: FloatImage, by rows: LinearResizer) {
        rows.begin(ceiling, width: width, height: height)
        for y in 0..<height { lower(row: y, to: rows.row(y, of: ceiling)) }
    }

    /// Multiplies row `y` by `factors`, one per value.
    package func multiply(row y: Int, by factors: UnsafePointer<Float>) {
        let (values, count) = (row(y), width)
        for x in 0..<count { values[x] *= factors[x] }
    }

    /// Returns the smallest rectangle, in the image's unit square, around all values above `level`; nil
    /// without any.
    package func extent(above level: Float) -> Rectangle? {
        var (left, right, top, bottom) = (width, 0, height, 0)
        for y in 0..<height {
            let row = row(y)
            guard let first = (0..<width).first(where: { row[$0] > level }),
                let last = (0..<width).last(where: { row[$0] > level })
            else { continue }
            (left, right) = (min(left, first), max(right, last + 1))
            (top, bottom) = (min(top, y), y + 1)
        }
        guard left < right else { return nil }
        let (w, h) = (Double(width), Double(height))
        return Rectangle(
            x: Double(left) / w, y: Double(top) / h, width: Double(right - left) / w,
            height: Double(bottom - top) / h)
    }

    /// Sets every value to `value`.
    package func fill(_ value: Float) { base.update(repeating: value, count: count) }
}

extension Comparable {
    fileprivate func clamped(to range: ClosedRange<Self>) -> Self {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
