public import CGStreamer

/// A pipeline in this process, made from a launch line.
public final class Pipeline: @unchecked Sendable {
    // GStreamer guards its objects itself.
    let raw: UnsafeMutablePointer<GstElement>
    private let bus: Bus

    /// Parses `line`.
    public init(_ line: String) throws {
        GStreamer.boot()
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let raw = gst_parse_launch(line, &error), error == nil else {
            throw SetupFailure(error.map { String(cString: $0.pointee.message) } ?? "no pipeline")
        }
        self.raw = raw
        // A line of a single element makes no pipeline and so no bus.
        bus = Bus(gst_element_get_bus(raw) ?? gst_bus_new())
        gst_element_set_bus(raw, bus.raw)
    }

    deinit {
        gst_element_set_state(raw, GST_STATE_NULL)
        gst_object_unref(raw)
    }

    /// Changes the state and waits for it, up to a minute.
    @discardableResult
    public func set(state: GstState) -> GstStateChangeReturn {
        let result = gst_element_set_state(raw, state)
        guard result == GST_STATE_CHANGE_ASYNC else { return result }
        return gst_element_get_state(raw, nil, nil, 60_000_000_000)
    }

    /// Starts to play; false when an element refuses.
    public func start() -> Bool { gst_element_set_state(raw, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE }

    /// Plays until end of stream or an error; returns all messages, the last one being that.
    public func play(limit seconds: Double = 300) -> [BusMessage] {
        gst_element_set_state(raw, GST_STATE_PLAYING)
        var messages: [BusMessage] = []
        while let message = bus.next(within: seconds) {
            messages.append(message)
            if message.kind != .warning { break }
        }
        gst_element_set_state(raw, GST_STATE_NULL)
        return messages
    }

    /// The next error, warning or end of stream; nil when none comes in `seconds`.
    public func nextMessage(within seconds: Double) -> BusMessage? { bus.next(within: seconds) }

    /// Sets a property of the element called `name` by its text.
    public func set(_ name: String, _ property: String, _ value: String) {
        withElement(name) { gst_util_set_object_arg($0, property, value) }
    }

    /// The next sample of the appsink called `name`; nil at the end of the stream, or when none comes in `seconds`.
    public func pullSample(from name: String, within seconds: Double = 60) -> Frame? {
        var sample: OpaquePointer?
        withElement(name) { element in
            let sink = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstAppSink.self)
            sample = gst_app_sink_try_pull_sample(sink, GstClockTime(seconds * 1e9))
        }
        return sample.flatMap { Frame(takingSample: $0) }
    }

    /// Gives a copy of the frame to the appsrc called `name`.
    public func push(_ frame: Frame, to name: String) {
        withElement(name) { element in
            let source = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstAppSrc.self)
            gst_app_src_push_buffer(source, frame.copy())
        }
    }

    /// Errors and warnings posted since the last call.
    public func messages() -> [BusMessage] {
        var messages: [BusMessage] = []
        while let message = bus.next(within: 0) { messages.append(message) }
        return messages
    }

    /// Goes to a part of the stream, in nanoseconds, which empties the pipeline.
    ///
    /// - Parameter rate: negative plays the part from its end to its start.
    public func seek(
        to start: Int64, until stop: Int64? = nil, rate: Double = 1, _ more: GstSeekFlags = GST_SEEK_FLAG_NONE
    ) -> Bool {
        let flags = GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue | more.rawValue
        return gst_element_seek(
            raw, rate, GST_FORMAT_TIME, GstSeekFlags(rawValue: flags), GST_SEEK_TYPE_SET, gint64(start),
            GST_SEEK_TYPE_SET, gint64(stop ?? -1)) != 0
    }

    /// Whether a message of this type comes in `seconds`; takes those before it off the bus.
    public func waits(for type: GstMessageType, within seconds: Double) -> Bool {
        guard let message = gst_bus_timed_pop_filtered(bus.raw, GstClockTime(seconds * 1e9), type) else {
            return false
        }
        gst_message_unref(message)
        return true
    }

    private func withElement(_ name: String, _ body: (UnsafeMutablePointer<GObject>) -> Void) {
        let bin = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstBin.self)
        guard let element = gst_bin_get_by_name(bin, name) else { return }
        defer { gst_object_unref(element) }
        body(UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self))
    }
}
