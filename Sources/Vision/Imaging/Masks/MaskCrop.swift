/// Shows a part of a mask in a mask of another size.
package final class MaskCrop {
    private let source = FloatImage()
    private let target = FloatImage()
    private let resizer = CropResizer()

    /// Creates a cutter without tables.
    package init() {}

    /// Writes a part of `mask` into `result`, interpolated linearly; edge values are repeated beyond the mask.
    ///
    /// - Parameter part: a rectangle in the unit square of `mask`.
    /// - Returns: false if the mask has values that are not numbers, which must stay hidden whatever is shown.
    package func cut(_ part: Rectangle, of mask: MaskView, into result: MutableMaskView) -> Bool {
        guard FrameTransform.crop(part).isWithinReason else { return false }
        source.resize(width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            let row = source.row(y)
            mask.readRow(y, undefined: .nan, into: row)
            for x in 0..<mask.width where row[x].isNaN { return false }
        }
        target.resize(width: result.width, height: result.height)
        resizer.resize(part, of: source, into: target)
        for y in 0..<result.height { result.writeRow(y, from: target.row(y)) }
        return true
    }

    /// Writes a part of a label map of 8 bits into `result`, without mixing labels.
    ///
    /// - Returns: false for masks of other formats.
    package func cut(labels part: Rectangle, of map: MaskView, into result: MutableMaskView) -> Bool {
        guard FrameTransform.crop(part).isWithinReason, map.format == .gray8, result.format == .gray8 else {
            return false
        }
        let row = target
        row.resize(width: result.width, height: 1)
        for y in 0..<result.height {
            let down = (Double(y) + 0.5) / Double(result.height)
            for x in 0..<result.width {
                let across = (Double(x) + 0.5) / Double(result.width)
                let place = Point(
                    x: min(max(part.x + across * part.width, 0), 1),
                    y: min(max(part.y + down * part.height, 0), 1))
                row.base[x] = Float(map.value(at: place) ?? 0) / 255
            }
            result.writeRow(y, from: row.base)
        }
        return true
    }
}
