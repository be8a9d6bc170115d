import CGStreamer

extension GStreamer.Element {
    /// Calls `body` with each new pad, on a thread of GStreamer's.
    package func onPadAdded(_ body: @escaping @Sendable (GStreamer.Pad) -> Void) {
        typealias Box = ClosureBox<@Sendable (GStreamer.Pad) -> Void>
        let callback: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, pad, data in
            if let pad { Box.body(data)?(GStreamer.Pad(retaining: pad)) }
        }
        connect("pad-added", unsafeBitCast(callback, to: GCallback.self), Box(body).retained)
    }

    /// Calls `body` when the element has all its pads.
    package func onNoMorePads(_ body: @escaping @Sendable () -> Void) {
        typealias Box = ClosureBox<@Sendable () -> Void>
        let callback: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in Box.body(data)?() }
        connect("no-more-pads", unsafeBitCast(callback, to: GCallback.self), Box(body).retained)
    }

    /// Sets the function that decides whether a decodebin decodes streams of some caps further.
    package func onAutoplug(_ body: @escaping @Sendable (GStreamer.Caps) -> Bool) {
        typealias Box = ClosureBox<@Sendable (GStreamer.Caps) -> Bool>
        let callback: @convention(c) (gpointer?, gpointer?, gpointer?, gpointer?) -> gboolean = {
            _, _, caps, data in
            guard let caps, let body = Box.body(data) else { return 1 }
            return body(GStreamer.Caps(retaining: caps)) ? 1 : 0
        }
        connect("autoplug-continue", unsafeBitCast(callback, to: GCallback.self), Box(body).retained)
    }

    /// Calls `body` with each element added to this bin or to a bin inside it, on the thread that adds it.
    package func onElementAdded(_ body: @escaping @Sendable (GStreamer.Element) -> Void) {
        typealias Box = ClosureBox<@Sendable (GStreamer.Element) -> Void>
        let callback: @convention(c) (gpointer?, gpointer?, gpointer?, gpointer?) -> Void = {
            _, _, element, data in
            if let element { Box.body(data)?(GStreamer.Element(retaining: element)) }
        }
        connect("deep-element-added", unsafeBitCast(callback, to: GCallback.self), Box(body).retained)
    }

    private func connect(_ signal: String, _ callback: GCallback?, _ data: gpointer) {
        g_signal_connect_data(
            reference.pointer, signal, callback, data, { data, _ in releaseClosure(data) },
            GConnectFlags(rawValue: 0))
    }
}
