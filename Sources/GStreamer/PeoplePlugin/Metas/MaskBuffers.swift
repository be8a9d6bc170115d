import GStreamerKit
import Imaging
import PeopleVision

/// The buffers of a frame's masks, stored until the next analysis.
final class MaskBuffers {
    /// The mask of all people.
    let mask = BufferSlot()
    /// The label map.
    let labels = BufferSlot()
    /// One mask per label, from 1 on.
    private let parts = GeneratePersonInstanceMaskRequest.possibleInstances.map { _ in BufferSlot() }

    /// Returns the mask of one label.
    func part(_ label: Int) -> BufferSlot { parts[min(max(label, 1), parts.count) - 1] }

    /// Releases all buffers.
    func clear() {
        mask.clear()
        labels.clear()
        parts.forEach { $0.clear() }
    }
}

/// The pools of the mask buffers, whose memory is reused.
struct MaskPools {
    private var pools: [Int: MemoryPool] = [:]

    /// Stores a new buffer for a mask of `layout` in `slot`; `write` fills it.
    ///
    /// - Throws: when memory is short, or `write` fails. An unwritten mask must not be attached, because it
    ///   could show the background.
    mutating func keep(
        _ layout: MaskLayout, in slot: BufferSlot,
        _ write: (MutableMaskView) throws(VisionError) -> Void
    ) throws(ElementError) {
        let stride = layout.width * layout.format.bytesPerValue
        guard let buffer = pool(of: stride * layout.height)?.acquire() else {
            throw ElementError(.streamFailed, "There is no memory for a mask of \(layout).")
        }
        var failure: ElementError? = ElementError(.streamFailed, "The memory of a mask could not be written.")
        _ = buffer.withMutableBytes { bytes in
            guard let mask = MutableMaskView(bytes, layout, stride: stride) else { return }
            do throws(VisionError) {
                try write(mask)
                failure = nil
            } catch { failure = ElementError(error) }
        }
        if let failure { throw failure }
        if layout.format == .gray8 {
            buffer.describeAsGray(width: layout.width, height: layout.height, stride: stride)
        }
        slot.keep(buffer)
    }

    private mutating func pool(of byteCount: Int) -> MemoryPool? {
        if let pool = pools[byteCount] { return pool }
        // Sizes change with the caps; earlier ones are not needed again. Two are in use: those of masks and
        // of label maps.
        if pools.count > 1 { pools.removeAll() }
        pools[byteCount] = MemoryPool(byteCount: byteCount)
        return pools[byteCount]
    }
}

extension MutableMaskView {
    /// Views pool memory as a mask.
    fileprivate init?(_ bytes: UnsafeMutableRawBufferPointer, _ layout: MaskLayout, stride: Int) {
        guard let base = bytes.baseAddress else { return nil }
        self.init(
            format: layout.format, width: layout.width, height: layout.height, base: base, stride: stride,
            byteCount: bytes.count)
    }
}
