public import Imaging

/// A mask that owns its memory, with padded rows and canary bytes around every row.
public final class TestMask {
    /// The mask for writing; valid as long as this object lives.
    public let mutableView: MutableMaskView
    /// The mask for reading; valid as long as this object lives.
    public var view: MaskView { MaskView(mutableView) }
    private let memory: UnsafeMutableRawPointer
    private let byteCount: Int
    private static let canary: UInt8 = 0xA5
    private static let guardBytes = 32

    /// Makes a mask that is background everywhere.
    public init(_ format: MaskFormat, _ width: Int, _ height: Int, padding: Int = 8) {
        let stride = width * format.bytesPerValue + padding
        byteCount = 2 * Self.guardBytes + stride * height
        memory = .allocate(byteCount: byteCount, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: Self.canary, count: byteCount)
        guard
            let view = MutableMaskView(
                format: format, width: width, height: height, base: memory + Self.guardBytes,
                stride: stride, byteCount: stride * height)
        else { fatalError("a test mask of \(format) \(width)x\(height) is not valid") }
        mutableView = view
        fill { _, _ in 0 }
    }

    deinit { memory.deallocate() }

    /// Writes every value.
    public func fill(_ value: (_ x: Int, _ y: Int) -> Float) {
        for y in 0..<view.height {
            mutableView.writeRow(y, from: (0..<view.width).map { value($0, y) })
        }
    }

    /// All values from 0 to 1, row by row.
    public var values: [[Float]] {
        (0..<view.height).map { y in
            var row = [Float](repeating: -1, count: view.width)
            view.readRow(y, into: &row)
            return row
        }
    }

    /// Whether every byte outside the values is unchanged.
    public var canariesAreIntact: Bool {
        let rowBytes = view.width * view.format.bytesPerValue
        return (0..<byteCount).allSatisfy { offset in
            let inside = offset - Self.guardBytes
            let isValue = inside >= 0 && inside / view.stride < view.height && inside % view.stride < rowBytes
            return isValue || memory.load(fromByteOffset: offset, as: UInt8.self) == Self.canary
        }
    }
}
