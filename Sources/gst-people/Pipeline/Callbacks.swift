import CGStreamer

/// A closure behind one of GStreamer's user-data pointers.
private final class Box<Argument, Result> {
    let body: @Sendable (Argument) -> Result

    init(_ body: @escaping @Sendable (Argument) -> Result) { self.body = body }

    @discardableResult
    static func call(_ data: gpointer?, _ argument: Argument) -> Result? {
        guard let data else { return nil }
        return Unmanaged<Box>.fromOpaque(data).takeUnretainedValue().body(argument)
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
        if let pad { Box<Pad, Void>.call(data, pad) }
    }
    let release: @convention(c) (gpointer?, UnsafeMutablePointer<GClosure>?) -> Void = { data, _ in
        Box<Pad, Void>.release(data)
    }
    g_signal_connect_data(
        element, "pad-added", unsafeBitCast(callback, to: GCallback.self), Box<Pad, Void>(body).retained,
        release,
        GConnectFlags(rawValue: 0))
}

/// Calls `body` when `element` has shown all its pads.
func onNoMorePads(_ element: Element, _ body: @escaping @Sendable () -> Void) {
    let callback: @convention(c) (Element?, gpointer?) -> Void = { _, data in Box<Void, Void>.call(data, ()) }
    let release: @convention(c) (gpointer?, UnsafeMutablePointer<GClosure>?) -> Void = { data, _ in
        Box<Void, Void>.release(data)
    }
    g_signal_connect_data(
        element, "no-more-pads", unsafeBitCast(callback, to: GCallback.self), Box<Void, Void>(body).retained,
        release, GConnectFlags(rawValue: 0))
}

/// Asks `body` whether a decodebin is to take a stream of some caps further apart.
func onAutoplug(_ decoder: Element, _ body: @escaping @Sendable (Caps) -> Bool) {
    let callback: @convention(c) (Element?, Pad?, Caps?, gpointer?) -> gboolean = { _, _, caps, data in
        guard let caps else { return 1 }
        return Box<Caps, Bool>.call(data, caps) ?? true ? 1 : 0
    }
    let release: @convention(c) (gpointer?, UnsafeMutablePointer<GClosure>?) -> Void = { data, _ in
        Box<Caps, Bool>.release(data)
    }
    g_signal_connect_data(
        decoder, "autoplug-continue", unsafeBitCast(callback, to: GCallback.self),
        Box<Caps, Bool>(body).retained, release, GConnectFlags(rawValue: 0))
}

/// Calls `body` with the probe of each buffer that passes `pad`.
func onBuffer(_ pad: Pad, _ body: @escaping @Sendable (UnsafeMutablePointer<GstPadProbeInfo>) -> Void) {
    onProbe(pad, GST_PAD_PROBE_TYPE_BUFFER) { info in
        body(info)
        return GST_PAD_PROBE_OK
    }
}

/// The buffer of a probe, copied first if others share it.
func writableBuffer(of info: UnsafeMutablePointer<GstPadProbeInfo>) -> UnsafeMutablePointer<GstBuffer>? {
    guard let data = info.pointee.data,
        let writable = gst_mini_object_make_writable(data.assumingMemoryBound(to: GstMiniObject.self))
    else { return nil }
    info.pointee.data = UnsafeMutableRawPointer(writable)
    return UnsafeMutableRawPointer(writable).assumingMemoryBound(to: GstBuffer.self)
}

extension UnsafeMutablePointer<GstPadProbeInfo> {
    /// Takes the data of the probe, which goes no further, and answers whoever sent or asked for it.
    ///
    /// The probe returns `GST_PAD_PROBE_HANDLED`.
    func answer(_ flow: GstFlowReturn) {
        if let data = pointee.data { gst_mini_object_unref(data.assumingMemoryBound(to: GstMiniObject.self)) }
        pointee.data = nil
        pointee.ABI.abi.flow_ret = flow
    }
}

/// Calls `body` with each probe of a kind at `pad`; it says what becomes of the data.
///
/// - Returns: what removes the probe.
@discardableResult
func onProbe(
    _ pad: Pad, _ kind: GstPadProbeType,
    _ body: @escaping @Sendable (UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn
) -> gulong {
    typealias Info = UnsafeMutablePointer<GstPadProbeInfo>
    return gst_pad_add_probe(
        pad, kind,
        { _, info, data in
            guard let info else { return GST_PAD_PROBE_OK }
            return Box<Info, GstPadProbeReturn>.call(data, info) ?? GST_PAD_PROBE_OK
        }, Box<Info, GstPadProbeReturn>(body).retained, { Box<Info, GstPadProbeReturn>.release($0) })
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
