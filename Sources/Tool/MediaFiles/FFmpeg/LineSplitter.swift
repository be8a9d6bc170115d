/// Divides bytes that come in parts into lines.
struct LineSplitter {
    private var line: [CChar] = []

    /// Bytes of the last line, which has no end yet.
    var restCount: Int { line.count }

    /// Calls `body` with each line that ends in a part; it has its end, and a zero byte after that.
    mutating func add(_ part: UnsafeRawBufferPointer, _ body: (UnsafePointer<CChar>) -> Void) {
        var rest = part[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[...end])
            give(body)
            rest = rest[(end + 1)...]
        }
        append(rest)
    }

    /// Calls `body` with the last line, if it has no end.
    mutating func finish(_ body: (UnsafePointer<CChar>) -> Void) {
        if !line.isEmpty { give(body) }
    }

    private mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) {
        line.append(contentsOf: bytes.lazy.map { CChar(bitPattern: $0) })
    }

    private mutating func give(_ body: (UnsafePointer<CChar>) -> Void) {
        line.append(0)
        line.withUnsafeBufferPointer { if let start = $0.baseAddress { body(start) } }
        line.removeAll(keepingCapacity: true)
    }
}
