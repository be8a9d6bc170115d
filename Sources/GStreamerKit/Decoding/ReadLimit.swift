import CGStreamer

/// Ends reading that gives no frame: some damaged files keep a demuxer asking for the same bytes for ever, and a server may
/// send for ever what a parser keeps in memory.
final class ReadLimit: BinObserver {
    /// Reads for a frame: one of 1 GiB takes a tenth of that, in steps of 64 KiB or more.
    private static let maximumReads = 100_000
    /// Bytes for a frame that come over a network: 128 MiB.
    ///
    /// Uncompressed, with four bytes a pixel, the largest frames of ITU-R BT.2020 (7680x4320) take 127 MiB.
    private static let maximumBytes = 1 << 27

    private struct Count: Sendable {
        var (reads, bytes) = (0, 0)
        var isExceeded = false
    }

    private let count = Guarded(Count())
    private let countsBytes: Bool

    /// - Parameter isFile: whether what is read is a file of this machine, whose bytes are not counted.
    init(isFile: Bool) { countsBytes = !isFile }

    /// Why reading ends; nil while it may go on.
    var fault: String? {
        let count = count.snapshot()
        if count.isExceeded { return "\(Self.maximumBytes >> 20) MiB arrived without an image" }
        return count.reads > Self.maximumReads ? "reading it does not end" : nil
    }

    /// Counts what is asked of a source, and what it sends.
    func added(_ element: UnsafeMutablePointer<GstElement>) {
        // Only a source has no sink.
        guard element.pointee.numsinkpads == 0, let pad = gst_element_get_static_pad(element, "src") else {
            return
        }
        defer { gst_object_unref(pad) }
        // Probes of this kind are called before a read, those for buffers only after one that succeeds.
        addProbe(to: pad, GST_PAD_PROBE_TYPE_BLOCK, GST_PAD_PROBE_TYPE_PULL) { [count] _, _ in
            count.update { $0.reads &+= 1 }
            return GST_PAD_PROBE_PASS
        }
        guard countsBytes else { return }
        addProbe(to: pad, GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_PUSH) { [self] _, info in
            guard let buffer = info.buffer, isExceeded(by: buffer) else { return GST_PAD_PROBE_OK }
            // The source reads no more.
            gst_buffer_unref(buffer)
            info.data = nil
            info.ABI.abi.flow_ret = GST_FLOW_ERROR
            return GST_PAD_PROBE_HANDLED
        }
    }

    private func isExceeded(by buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        let size = Int(clamping: gst_buffer_get_size(buffer))
        return count.update { count in
            count.bytes += size
            count.isExceeded = count.isExceeded || count.bytes > Self.maximumBytes
            return count.isExceeded
        }
    }

    /// Begins to count anew with each frame that comes to `pad`.
    func watchFrames(at pad: UnsafeMutablePointer<GstPad>) {
        addProbe(to: pad, GST_PAD_PROBE_TYPE_BUFFER) { [count] _, _ in
            count.update { ($0.reads, $0.bytes) = (0, 0) }
            return GST_PAD_PROBE_OK
        }
    }
}
