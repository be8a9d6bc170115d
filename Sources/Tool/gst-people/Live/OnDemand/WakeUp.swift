import CGStreamer
import GStreamerKit

/// Waits for events of the main context, and for data of a file descriptor.
///
/// A camera that nobody reads waits long, so that it costs nothing.
final class WakeUp {
    private let descriptor: Int32
    private var data: guint?
    private var alarm: guint?

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { for source in [data, alarm] { if let source { g_source_remove(source) } } }

    /// Waits until data or an event has come; to be called when all data have been read.
    ///
    /// - Parameter milliseconds: the longest wait.
    func wait(atMost milliseconds: guint) {
        watchData()
        setAlarm(milliseconds)
        g_main_context_iteration(nil, 1)
        while g_main_context_iteration(nil, 0) != 0 {}
        if let alarm { g_source_remove(alarm) }
        alarm = nil
    }

    private var pointer: gpointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func body(_ data: gpointer?) -> WakeUp? {
        data.map { Unmanaged<WakeUp>.fromOpaque($0).takeUnretainedValue() }
    }

    private func watchData() {
        guard data == nil else { return }
        let channel = g_io_channel_unix_new(descriptor)
        data = g_io_add_watch(
            channel, G_IO_IN,
            { _, _, data in
                WakeUp.body(data)?.data = nil
                // Removed, since the main context would go on as long as there are data.
                return 0
            }, pointer)
        g_io_channel_unref(channel)
    }

    private func setAlarm(_ milliseconds: guint) {
        alarm = g_timeout_add(
            milliseconds,
            { data in
                WakeUp.body(data)?.alarm = nil
                return 0
            }, pointer)
    }
}
