/// The extent of what a mask shows.
package struct MaskOutline: Sendable, Equatable {
    /// The box in the unit square of the mask.
    package var box: Rectangle
    /// The horizontal place of the uppermost part, such as a head.
    package var top: Double

    /// Share of the box's height that belongs to the uppermost part: an eighth is a standing person's head.
    private static let topShare = 0.125
    /// Share of the mask's width that a row must show to count; less is noise.
    private static let minimumShare = 0.01

    /// Finds what a mask shows; nil if that is nothing.
    ///
    /// - Parameter row: memory for one row of the mask.
    package init?(_ mask: MaskView, row: FloatImage) {
        row.resize(width: mask.width, height: 1)
        let minimum = max(1, Int(Self.minimumShare * Double(mask.width)))
        var (left, right, first, last) = (mask.width, -1, mask.height, -1)
        for y in 0..<mask.height {
            let shown = Self.extent(of: mask, y, row)
            guard shown.count >= minimum else { continue }
            (left, right, first, last) = (min(left, shown.low), max(right, shown.high), min(first, y), y)
        }
        guard last >= first, right >= left else { return nil }
        var (sum, count) = (0, 0)
        for y in first..<(first + max(1, Int(Self.topShare * Double(last - first + 1)))) {
            let shown = Self.extent(of: mask, y, row)
            (sum, count) = (sum + shown.sum, count + shown.count)
        }
        let (width, height) = (Double(mask.width), Double(mask.height))
        box = Rectangle(
            x: Double(left) / width, y: Double(first) / height, width: Double(right - left + 1) / width,
            height: Double(last - first + 1) / height)
        top = (Double(sum) / Double(max(1, count)) + 0.5) / width
    }

    /// Returns the first and the last column that a row shows, and the sum and number of all.
    private static func extent(
        of mask: MaskView, _ y: Int, _ row: FloatImage
    ) -> (low: Int, high: Int, sum: Int, count: Int) {
        mask.readRow(y, undefined: 0, into: row.base)
        let values = row.base
        var (low, high, sum, count) = (mask.width, -1, 0, 0)
        for x in 0..<mask.width where values[x] >= 0.5 {
            (low, high, sum, count) = (min(low, x), x, sum &+ x, count &+ 1)
        }
        return (low, high, sum, count)
    }
}
