/// The length that the header of a WebP file names.
enum WebPLength {
    /// Returns a truncated file, with zeros in the place of what is missing; nil for others.
    static func padded(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard bytes.count >= 12 else { return nil }
        let named = (4..<8).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) } + 8
        // More than 64 times of what is there is taken for a wrong length.
        guard named > bytes.count, named / 64 <= bytes.count else { return nil }
        return Array(bytes) + [UInt8](repeating: 0, count: named - bytes.count)
    }
}
