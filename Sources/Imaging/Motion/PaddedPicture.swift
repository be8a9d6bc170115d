import CKernels

/// Brightness in bytes, with a margin of repeated edges, so that blocks may begin outside.
struct PaddedPicture {
    /// Pixels on each side: blocks begin up to a quarter of their side outside, and are searched for around there.
    private static let margin = Int(kernel_block_side) / 4 + Int(kernel_block_reach)

    private(set) var width = 0
    private(set) var height = 0
    private let pixels = ScratchBuffer<UInt8>()

    /// Pixels from one row to the next.
    var pitch: Int { width + 2 * Self.margin }

    /// The pixel at a place, which may lie in the margin.
    func pixel(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
        pixels.base + (y + Self.margin) * pitch + x + Self.margin
    }

    /// Takes over a picture's brightness, 0...1.
    mutating func fill(_ brightness: FloatImage) {
        (width, height) = (brightness.width, brightness.height)
        pixels.reserve(pitch * (height + 2 * Self.margin))
        for y in 0..<height {
            let (row, values) = (pixel(0, y), brightness.row(y))
            for x in 0..<width { row[x] = roundedByte(min(max(values[x] * 255, 0), 255)) }
            for x in 1...Self.margin { (row[-x], row[width - 1 + x]) = (row[0], row[width - 1]) }
        }
        let (top, bottom) = (pixel(-Self.margin, 0), pixel(-Self.margin, height - 1))
        for y in 1...Self.margin {
            (top - y * pitch).update(from: top, count: pitch)
            (bottom + y * pitch).update(from: bottom, count: pitch)
        }
    }
}
