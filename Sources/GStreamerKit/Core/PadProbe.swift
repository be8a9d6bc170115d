import CGStreamer

/// Sees what passes a pad, and says what becomes of it.
typealias Probe = @Sendable (UnsafeMutablePointer<GstPad>, inout GstPadProbeInfo) -> GstPadProbeReturn

/// Calls `body` for what passes `pad` and is of one of `types`, on the thread that it passes on, as long as the pad exists
/// (`gst_pad_add_probe`).
func addProbe(
    to pad: UnsafeMutablePointer<GstPad>, _ types: GstPadProbeType...,
    body: @escaping Probe
) {
    gst_pad_add_probe(
        pad, GstPadProbeType(rawValue: types.reduce(0) { $0 | $1.rawValue }),
        { pad, info, data in
            guard let pad, let info, let data else { return GST_PAD_PROBE_OK }
            return Unmanaged<ProbeBox>.fromOpaque(data).takeUnretainedValue().body(pad, &info.pointee)
        }, Unmanaged.passRetained(ProbeBox(body)).toOpaque(),
        { data in
            if let data { Unmanaged<ProbeBox>.fromOpaque(data).release() }
        })
}

private final class ProbeBox {
    let body: Probe

    init(_ body: @escaping Probe) { self.body = body }
}

extension GstPadProbeInfo {
    /// The buffer that passes; nil when it is something else.
    var buffer: UnsafeMutablePointer<GstBuffer>? {
        type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue == 0
            ? nil : data?.assumingMemoryBound(to: GstBuffer.self)
    }

    /// The event that passes downstream; nil when it is something else.
    var event: UnsafeMutablePointer<GstEvent>? {
        type.rawValue & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue == 0
            ? nil : data?.assumingMemoryBound(to: GstEvent.self)
    }
}
