import CGStreamer

/// Activates the buffer pool of `pipewiresink` before its camera appears.
///
/// The sink of PipeWire 0.3.65 activates the pool with its first frame, and PipeWire then negotiates its
/// buffers again. If a program opens the camera as soon as it appears, the sink is still writing to one of
/// the old buffers. That buffer has no memory left, and the sink crashes. With an active pool the buffers are
/// the right ones from the beginning. `StudioTests.providesACamera` shows when this workaround can go.
package enum PipeWireSinkPool {
    /// Activates the pool when caps reach the sink.
    ///
    /// - Parameter pad: sends the sink its frames, and before them the caps with which the camera appears.
    package static func activate(before pad: GStreamer.Pad) {
        guard isNeeded else { return }
        pad.addProbe(.events) { info in
            guard let caps = info.event?.caps else { return .ok }
            activate(info.pad, caps)
            return .remove
        }
    }

    /// Whether the sink is older than PipeWire 1.0, which has another one.
    private static var isNeeded: Bool {
        guard let plugin = gst_registry_find_plugin(gst_registry_get(), "pipewire") else { return false }
        defer { gst_object_unref(UnsafeMutableRawPointer(plugin)) }
        return gst_plugin_get_version(plugin).map { String(cString: $0).hasPrefix("0.") } ?? false
    }

    private static func activate(_ pad: GStreamer.Pad, _ caps: GStreamer.Caps) {
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps.pointer()) != 0, let size = guint(exactly: info.size),
            let query = GStreamer.Query(gst_query_new_allocation(caps.pointer(), 1)),
            gst_pad_peer_query(pad.pointer(), query.pointer()) != 0,
            gst_query_get_n_allocation_pools(query.pointer()) > 0
        else { return }
        var offered: UnsafeMutablePointer<GstBufferPool>?
        gst_query_parse_nth_allocation_pool(query.pointer(), 0, &offered, nil, nil, nil)
        guard let offered else { return }
        let pool = ObjectReference(taking: UnsafeMutableRawPointer(offered))
        let config = gst_buffer_pool_get_config(offered)
        gst_buffer_pool_config_set_params(config, caps.pointer(), size, fewest, 0)
        if gst_buffer_pool_set_config(offered, config) != 0 { gst_buffer_pool_set_active(offered, 1) }
        withExtendedLifetime(pool) {}
    }

    /// Smallest number of buffers: one that a program reads, and one that is written.
    private static let fewest: guint = 2
}
