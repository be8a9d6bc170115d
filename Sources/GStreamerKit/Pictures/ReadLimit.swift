import CGStreamer

/// Notices files of which a reader gets no picture however often it reads: some that are damaged keep a demuxer asking
/// for the same bytes for ever.
final class ReadLimit: Sendable {
    /// Reads for a picture: one of 1 GiB takes a tenth of that, in steps of 64 KiB or more.
    private static let most = 100_000

    private let reads = Guarded(0)

    /// Whether more has been read than any picture takes.
    var isExceeded: Bool { reads.snapshot() > Self.most }

    /// Counts what is asked of the source that is put into `bin`.
    func watch(_ bin: UnsafeMutablePointer<GstElement>) {
        typealias Added =
            @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void
        let added: Added = { _, _, element, data in
            // Only a source has no sink.
            guard let element, let data, element.pointee.numsinkpads == 0,
                let pad = gst_element_get_static_pad(element, "src")
            else { return }
            Unmanaged<ReadLimit>.fromOpaque(data).takeUnretainedValue().watch(pad: pad)
            gst_object_unref(pad)
        }
        g_signal_connect_data(
            bin, "deep-element-added", unsafeBitCast(added, to: GCallback.self), retained,
            { data, _ in ReadLimit.release(data) }, GConnectFlags(rawValue: 0))
    }

    private func watch(pad: UnsafeMutablePointer<GstPad>) {
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
