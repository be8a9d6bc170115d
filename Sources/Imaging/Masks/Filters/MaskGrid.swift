/// Values in floats, row by row without gaps: the form in which masks are worked on.
///
/// It keeps its memory, so that a stream of frames of one size allocates nothing.
package final class MaskGrid {
    /// Values in a row.
    package private(set) var width = 0
    /// Rows.
    package private(set) var height = 0
    private let buffer = ScratchBuffer<Float>()

    /// An empty grid.
    package init() {}

    /// Number of values.
    package var count: Int { width * height }

    /// First value of the first row.
    package var base: UnsafeMutablePointer<Float> { buffer.base }

    /// All values, row by row.
    package var values: UnsafeMutableBufferPointer<Float> { .init(start: buffer.base, count: count) }

    /// First value of row `y`.
    package func row(_ y: Int) -> UnsafeMutablePointer<Float> { buffer.base + y &* width }

    /// Makes room for `width` x `height` values; a new size loses what was stored.
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

    /// Takes over size and values of `other`.
    package func copy(_ other: MaskGrid) {
        resize(width: other.width, height: other.height)
        base.update(from: other.base, count: count)
    }

    /// Takes over the first values of `other`, as many as the grid has.
    package func copy(_ other: UnsafeBufferPointer<Float>) {
        guard let source = other.baseAddress, other.count >= count else { return }
        base.update(from: source, count: count)
    }

    /// Takes over the brightness of a picture of the same size.
    ///
    /// The luma of ITU-R BT.601: any sensible mix would do.
    ///
    /// - Parameter picture: R, G, B side by side; too few values change nothing.
    package func fill(brightnessOf picture: UnsafeBufferPointer<Float>) {
        guard let pixels = picture.baseAddress, picture.count >= 3 * count else { return }
        let (values, count) = (base, count)
        for i in 0..<count {
            values[i] = 0.299 * pixels[3 &* i] + 0.587 * pixels[3 &* i &+ 1] + 0.114 * pixels[3 &* i &+ 2]
        }
    }

    /// Takes over a picture of the same width and a third of the height, red above green above blue.
    ///
    /// - Parameter picture: R, G, B side by side; too few values change nothing.
    package func fill(planesOf picture: UnsafeBufferPointer<Float>) {
        guard let pixels = picture.baseAddress, picture.count >= count else { return }
        let (values, count) = (base, count / 3)
        for plane in 0..<3 {
            for i in 0..<count { values[plane &* count &+ i] = pixels[3 &* i &+ plane] }
        }
    }

    /// Takes over the means of squares of 2x2 values of `other`; the last row or column may lack a half.
    package func copy(halfOf other: MaskGrid) {
        copy(halfOf: UnsafeBufferPointer(other.values), width: other.width, height: other.height)
    }

    /// The same of `width` x `height` values, row by row; too few change nothing.
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

    /// Multiplies every value by that of `other`, which has the same size.
    package func multiply(_ other: MaskGrid) {
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

    /// Multiplies row `y` by `factors`, one per value.
    package func multiply(row y: Int, by factors: UnsafePointer<Float>) {
        let (values, count) = (row(y), width)
        for x in 0..<count { values[x] *= factors[x] }
    }

    /// Makes every value `value`.
    package func fill(_ value: Float) { base.update(repeating: value, count: count) }
}

extension Comparable {
    fileprivate func clamped(to range: ClosedRange<Self>) -> Self {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
