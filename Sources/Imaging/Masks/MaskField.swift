/// A frame's mask as plain floats, from which layers at about the mask's resolution are made.
///
/// Large masks are averaged down: what is made of them is soft or smooth anyway.
final class MaskField {
    private let buffer = ScratchBuffer<Float>()
    private let row = ScratchBuffer<Float>()
    private(set) var width = 0
    private(set) var height = 0

    /// More values than this along a side cost time and show no more.
    private static let largestSide = 512

    /// Coverage from 0 to 1, row by row.
    var values: UnsafePointer<Float> { UnsafePointer(buffer.base) }

    /// Reads a mask; when inverted, its subject counts as background.
    func load(_ mask: MaskView, invert: Bool) {
        let block = (max(mask.width, mask.height) + Self.largestSide - 1) / Self.largestSide
        width = (mask.width + block - 1) / block
        height = (mask.height + block - 1) / block
        let values = buffer.reserve(width * height)
        row.reserve(mask.width)
        for y in 0..<height { readRow(y, of: mask, block: block, into: values + y * width) }
        guard invert else { return }
        for i in 0..<(width * height) { values[i] = 1 - values[i] }
    }

    private func readRow(_ y: Int, of mask: MaskView, block: Int, into values: UnsafeMutablePointer<Float>) {
        guard block > 1 else { return mask.readRow(y, into: values) }
        values.update(repeating: 0, count: width)
        let rows = (y * block)..<min((y + 1) * block, mask.height)
        for source in rows {
            mask.readRow(source, into: row.base)
            for x in 0..<mask.width { values[x / block] += row.base[x] }
        }
        for x in 0..<width {
            let columns = min(block, mask.width - x * block)
            values[x] /= Float(columns * rows.count)
        }
    }
}
