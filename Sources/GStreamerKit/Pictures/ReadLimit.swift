import CGStreamer

/// Notices files of which a reader gets no picture however often it reads: some that are damaged keep a demuxer asking
/// for the same bytes for ever.
final class ReadLimit: BinObserver {
    /// Reads for a picture: one of 1 GiB takes a tenth of that, in steps of 64 KiB or more.
    private static let most = 100_000

    private let reads = Guarded(0)

    /// Whether more has been read than any picture takes.
    var isExceeded: Bool { reads.snapshot() > Self.most }

    /// Counts what is asked of a source.
    func added(_ element: UnsafeMutablePointer<GstElement>) {
        // Only a source has no sink.
        guard element.pointee.numsinkpads == 0, let pad = gst_element_get_static_pad(element, "src") else {
            return
        }
        defer { gst_object_unref(pad) }
        // Probes of this kind are called before a read, those for buffers only after one that succeeds.
        let types = GST_PAD_PROBE_TYPE_BLOCK.rawValue | GST_PAD_PROBE_TYPE_PULL.rawValue
        gst_pad_add_probe(
            pad, GstPadProbeType(rawValue: types),
            { _, _, data in
                if let data {
                    Unmanaged<ReadLimit>.fromOpaque(data).takeUnretainedValue().reads.update { $0 &+= 1 }
                }
                return GST_PAD_PROBE_PASS
            }, retained, ReadLimit.release)
    }

    private var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }

    private static let release: GDestroyNotify = { data in
        if let data { Unmanaged<ReadLimit>.fromOpaque(data).release() }
    }
}
