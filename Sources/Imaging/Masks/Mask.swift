import Glibc

/// A mask that owns its memory: soft coverage, 0 = background, full scale = person.
public final class Mask {
    /// The mask's memory for writing, valid as long as the mask lives.
    public let mutableView: MutableMaskView
    /// The mask's memory for reading, valid as long as the mask lives.
    public var view: MaskView { MaskView(mutableView) }
    private let memory: UnsafeMutableRawPointer

    /// A mask that is background everywhere.
    ///
    /// - Returns: nil when a side is not in 1...`ImageView.maximumSide`, or the system has no memory.
    public init?(format: MaskFormat, width: Int, height: Int) {
        let sides = 1...ImageView.maximumSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        let stride = width * format.bytesPerValue
        guard let memory = calloc(height, stride) else { return nil }
        guard
            let view = MutableMaskView(
                format: format, width: width, height: height, base: memory, stride: stride,
                byteCount: stride * height)
        else {
            free(memory)
            return nil
        }
        mutableView = view
        self.memory = memory
    }

    deinit { free(memory) }

    /// All values from 0 to 1, row by row.
    public var values: [Float] {
        let (width, height) = (view.width, view.height)
        return [Float](unsafeUninitializedCapacity: width * height) { buffer, count in
            if let base = buffer.baseAddress {
                for y in 0..<height { view.readRow(y, into: base + y * width) }
            }
            count = width * height
        }
    }
}
