import CGStreamer
import Synchronization

/// Ends a demuxer that asks for the same bytes without end.
///
/// GStreamer 1.22's demuxers of FFmpeg read no bytes where a file ends, which FFmpeg 5 does not take for the end: GIFs never
/// end. An error makes them end the stream, or report that nothing was found.
enum EndlessReading {
    /// Reads in a row; other demuxers look at the same place a few times.
    private static let most = 1000

    private struct State {
        var offset: UInt64 = .max
        var count = 0
    }

    /// - Parameter source: what reads the file.
    static func stop(at source: Element) {
        guard let pad = gst_element_get_static_pad(source, "src") else { return }
        defer { gst_object_unref(pad) }
        let state = Mutex(State())
        // Probes of this kind are called before a read, those for buffers only after one that succeeds.
        let kind = GST_PAD_PROBE_TYPE_BLOCK.rawValue | GST_PAD_PROBE_TYPE_PULL.rawValue
        onProbe(pad, GstPadProbeType(rawValue: kind)) { info in
            let offset = UInt64(info.pointee.offset)
            let count = state.withLock { state in
                state.count = offset == state.offset ? state.count + 1 : 0
                state.offset = offset
                return state.count
            }
            guard count > most else { return GST_PAD_PROBE_PASS }
            info.answer(GST_FLOW_ERROR)
            return GST_PAD_PROBE_HANDLED
        }
    }
}
