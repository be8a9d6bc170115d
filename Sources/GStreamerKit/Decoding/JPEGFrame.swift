/// What the header of a frame in a JPEG claims: ISO/IEC 10918-1, section B.2.2.
struct JPEGFrame {
    /// In pixels.
    let width: Int
    /// In pixels.
    let height: Int
    /// Bytes of all coefficients, which decoders keep of progressive frames; 0 for others, which are decoded row by row.
    let coefficients: Int

    /// The first header in `bytes` that is `wanted`; damaged files may have several, or others before.
    static func first(in bytes: UnsafeRawBufferPointer, where wanted: (JPEGFrame) -> Bool) -> JPEGFrame? {
        for index in bytes.indices where bytes[index] == 0xff {
            let frame = JPEGFrame(UnsafeRawBufferPointer(rebasing: bytes[index...]))
            if let frame, wanted(frame) { return frame }
        }
        return nil
    }

    /// The header at the start of `bytes`; nil where there is none.
    private init?(_ bytes: UnsafeRawBufferPointer) {
        // Marker, length, bits of a sample, height, width and number of components.
        let start = 10
        // The others of these markers are tables.
        guard bytes.count >= start, (0xc0...0xcf).contains(bytes[1]), ![0xc4, 0xc8, 0xcc].contains(bytes[1])
        else { return nil }
        func number(_ index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }
        let components = Int(bytes[9])
        guard number(2) == 8 + 3 * components, bytes.count >= start + 3 * components else { return nil }
        (height, width) = (number(5), number(7))
        guard bytes[1] & 3 == 2 else {
            coefficients = 0
            return
        }
        // Samples of each component along both axes, as shares of the most.
        var (samples, across, down) = (0, 1, 1)
        for component in 0..<components {
            let factors = bytes[start + 3 * component + 1]
            let (x, y) = (Int(factors >> 4), Int(factors & 15))
            (samples, across, down) = (samples + x * y, max(across, x), max(down, y))
        }
        coefficients = 2 * width * height * samples / (across * down)
    }
}
