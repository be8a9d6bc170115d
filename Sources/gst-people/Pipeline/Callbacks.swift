import CGStreamer

/// A closure behind one of GStreamer's user-data pointers.
private final class Box<Argument> {
    let body: @Sendable (Argument) -> Void

    init(_ body: @escaping @Sendable (Argument) -> Void) { self.body = body }

    static func call(_ data: gpointer?, _ argument: Argument) {
        guard let data else { return }
        Unmanaged<Box>.fromOpaque(data).takeUnretainedValue().body(argument)
    }

    static func release(_ data: gpointer?) {
        guard let data else { return }
        Unmanaged<Box>.fromOpaque(data).release()
    }

    var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }
}

/// Calls `body` on one of GStreamer's threads with each new pad of `element`.
func onPadAdded(_ element: Element, _ body: @escaping @Sendable (Pad) -> Void) {
    let callback: @convention(c) (Element?, Pad?, gpointer?) -> Void = { _, pad, data in
        if let pad { Box<Pad>.call(data, pad) }
    }
    let release: @convention(c) (gpointer?, UnsafeMutablePointer<GClosure>?) -> Void = { data, _ in
        Box<Pad>.release(data)
    }
    g_signal_connect_data(
        element, "pad-added", unsafeBitCast(callback, to: GCallback.self), Box(body).retained, release,
        GConnectFlags(rawValue: 0))
}

/// Calls `body` when `element` has shown all its pads.
func onNoMorePads(_ element: Element, _ body: @escaping @Sendable () -> Void) {
    let callback: @convention(c) (Element?, gpointer?) -> Void = { _, data in Box<Void>.call(data, ()) }
    let release: @convention(c) (gpointer?, UnsafeMutablePointer<GClosure>?) -> Void = { data, _ in
        Box<Void>.release(data)
    }
    g_signal_connect_data(
        element, "no-more-pads", unsafeBitCast(callback, to: GCallback.self), Box<Void>(body).retained,
        release, GConnectFlags(rawValue: 0))
}

/// Calls `body` with the probe of each buffer that passes `pad`.
func onBuffer(_ pad: Pad, _ body: @escaping @Sendable (UnsafeMutablePointer<GstPadProbeInfo>) -> Void) {
    typealias Info = UnsafeMutablePointer<GstPadProbeInfo>
    gst_pad_add_probe(
        pad, GST_PAD_PROBE_TYPE_BUFFER,
        { _, info, data in
            if let info { Box<Info>.call(data, info) }
            return GST_PAD_PROBE_OK
        }, Box<Info>(body).retained, { Box<Info>.release($0) })
}

extension Progress {
    /// Counts the buffers that pass `pad`.
    func count(_ pad: Pad) {
        onBuffer(pad) { [self] info in
            guard let data = info.pointee.data else { return }
            let buffer = data.assumingMemoryBound(to: GstBuffer.self).pointee
            let none = GstClockTime.max
            count(
                presented: buffer.pts == none ? nil : UInt64(buffer.pts),
                duration: buffer.duration == none ? 0 : UInt64(buffer.duration))
        }
    }
}
