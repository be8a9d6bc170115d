public import CGStreamer
import CGStreamerCheck
import GStreamerKit

/// A `GstHarness` around one element: buffers in, buffers out, no threads of its own.
public final class Harness {
    private let raw: UnsafeMutablePointer<GstHarness>
    private let bus: GStreamer.Bus
    /// The harness wraps the element in a bin.
    private let factory: String

    /// Puts the element of a pipeline description between two pads, and plays it.
    ///
    /// - Parameters:
    ///   - caps: caps of the pushed buffers.
    ///   - downstream: caps that the other end accepts; all caps by default.
    ///   - isLive: whether the source reports that it is live.
    public init(_ description: String, caps: String, downstream: String? = nil, isLive: Bool = false) throws {
        guard TestedPlugin.load() else { throw SetupFailure("the plugin is not staged: run pipelines/build") }
        guard let raw = gst_harness_new_parse(description) else {
            throw SetupFailure("cannot make \(description)")
        }
        self.raw = raw
        factory = String(description.prefix { $0 != " " })
        guard let bus = GStreamer.Bus() else { throw SetupFailure("no bus") }
        self.bus = bus
        gst_element_set_bus(raw.pointee.element, bus.pointer())
        if let downstream { gst_harness_set_sink_caps_str(raw, downstream) }
        gst_harness_set_live(raw, isLive ? 1 : 0)
        gst_harness_set_src_caps_str(raw, caps)
        gst_harness_play(raw)
    }

    private var clock: ObjectReference?

    deinit {
        clock = nil
        gst_harness_teardown(raw)
    }

    /// Pushes the only reference to a copy of the frame, so that the element may write to it.
    @discardableResult
    public func push(_ frame: Frame) -> GstFlowReturn { gst_harness_push(raw, frame.copy()) }

    /// Pushes the frame's own buffer, which stays shared with the test.
    public func push(shared frame: Frame) -> GstFlowReturn {
        gst_harness_push(raw, gst_buffer_ref(frame.buffer))
    }

    /// Pushes a buffer, which it takes over.
    public func push(buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
        gst_harness_push(raw, buffer)
    }

    /// Pushes an event, which it takes over.
    @discardableResult
    public func push(event: UnsafeMutablePointer<GstEvent>?) -> Bool {
        gst_harness_push_event(raw, event) != 0
    }

    /// Pushes an event from downstream, which it takes over.
    @discardableResult
    public func push(upstream event: UnsafeMutablePointer<GstEvent>?) -> Bool {
        gst_harness_push_upstream_event(raw, event) != 0
    }

    /// Gives the element a clock that is stopped between calls, and sets it to a running time in nanoseconds.
    public func setClock(to time: UInt64) {
        if clock == nil {
            gst_harness_use_testclock(raw)
            gst_element_set_base_time(raw.pointee.element, 0)
            clock = gst_harness_get_testclock(raw).map { ObjectReference(taking: $0) }
        }
        guard let clock else { return }
        gst_test_clock_set_time(
            clock.pointer.assumingMemoryBound(to: GstTestClock.self), GstClockTime(time))
    }

    /// The latency that the element reports, in nanoseconds.
    public var latency: UInt64 { UInt64(gst_harness_query_latency(raw)) }

    /// Returns the number of posted messages of a type; removes all messages from the bus.
    public func count(of type: GstMessageType) -> Int {
        var count = 0
        while let message = bus.pop(.any) { if message.kind.rawValue == type.rawValue { count += 1 } }
        return count
    }

    /// Returns the next output frame; nil if there is none.
    public func pull() -> Frame? {
        guard let buffer = gst_harness_try_pull(raw).map({ GStreamer.Buffer(taking: $0) }),
            let caps = sinkPad.currentCaps
        else { return nil }
        return Frame(buffer, caps)
    }

    private var sinkPad: GStreamer.Pad { GStreamer.Pad(retaining: raw.pointee.sinkpad) }

    /// Number of buffers that the element asks for; 0 if it asks for none.
    public var requestedBuffers: Int {
        guard let caps = GStreamer.Pad(retaining: raw.pointee.srcpad).currentCaps,
            let query = GStreamer.Query(gst_query_new_allocation(caps.pointer(), 0)),
            gst_pad_peer_query(raw.pointee.srcpad, query.pointer()) != 0,
            gst_query_get_n_allocation_pools(query.pointer()) > 0
        else { return 0 }
        var minimum = guint(0)
        gst_query_parse_nth_allocation_pool(query.pointer(), 0, nil, nil, &minimum, nil)
        return Int(minimum)
    }

    /// Makes the element process the frames that it holds back for lookahead.
    public func drain() {
        guard let query = GStreamer.Query(gst_query_new_drain()) else { return }
        gst_pad_peer_query(raw.pointee.srcpad, query.pointer())
    }

    /// Pushes a frame and returns its output, without lookahead.
    public func transform(_ frame: Frame) throws -> Frame {
        let flow = push(frame)
        drain()
        guard flow == GST_FLOW_OK, let result = pull() else {
            throw SetupFailure("no frame came out (\(flow.rawValue)): \(messages())")
        }
        return result
    }

    /// Changes the caps of the next pushed buffers.
    public func setCaps(_ caps: String) { gst_harness_set_src_caps_str(raw, caps) }

    /// Changes the caps that the other end accepts, and sends an event about it.
    public func setDownstream(_ caps: String) {
        gst_harness_set_sink_caps_str(raw, caps)
        push(upstream: gst_event_new_reconfigure())
    }

    /// The caps of the output; empty before the first frame.
    public var outputCaps: String { sinkPad.currentCaps?.text ?? "" }

    /// Sets a property of the element by its text.
    public func set(_ property: String, _ text: String) {
        withElement { gst_util_set_object_arg($0, property, text) }
    }

    /// Returns a text property of the element; empty if it is unset.
    public func property(_ name: String) -> String {
        var text = ""
        withElement { text = GStreamer.Element(retaining: $0).word(of: name) ?? "" }
        return text
    }

    /// Attaches a controller to a property; `points` are stream times in seconds and values, with linear
    /// changes in between.
    public func control(_ property: String, _ points: [(time: Double, value: Double)]) {
        guard let source = gst_interpolation_control_source_new() else { return }
        let reference = ObjectReference(taking: source)
        defer { withExtendedLifetime(reference) {} }
        var mode = GValue()
        g_value_init(&mode, gst_interpolation_mode_get_type())
        g_value_set_enum(&mode, gint(GST_INTERPOLATION_MODE_LINEAR.rawValue))
        g_object_set_property(
            UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self), "mode", &mode)
        let timed = UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstTimedValueControlSource.self)
        for point in points {
            gst_timed_value_control_source_set(timed, GstClockTime(point.time * 1e9), point.value)
        }
        withElement { element in
            let object = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstObject.self)
            gst_object_add_control_binding(
                object, gst_direct_control_binding_new_absolute(object, property, source))
        }
    }

    /// Pauses the element.
    public func pause() { gst_element_set_state(raw.pointee.element, GST_STATE_PAUSED) }

    /// Stops the element and starts it again.
    public func restart() {
        gst_element_set_state(raw.pointee.element, GST_STATE_NULL)
        gst_harness_play(raw)
    }

    /// Returns the types of the output events since the last call.
    public func events() -> [GstEventType] {
        var types: [GstEventType] = []
        while let event = gst_harness_try_pull_event(raw) {
            types.append(people_event_type(GStreamer.Event(taking: event).pointer()))
        }
        return types
    }

    /// Returns the types of the upstream events that reached the other end since the last call.
    public func upstreamEvents() -> [GstEventType] {
        var types: [GstEventType] = []
        while let event = gst_harness_try_pull_upstream_event(raw) {
            types.append(people_event_type(GStreamer.Event(taking: event).pointer()))
        }
        return types
    }

    /// Runs `body` while other threads repeatedly stop and start the element, and ask for new caps.
    public func underStress(_ body: () throws -> Void) rethrows {
        let pause: gulong = 3000
        let threads = [
            gst_harness_stress_statechange_start_full(raw, pause),
            gst_harness_stress_push_upstream_event_start_full(raw, gst_event_new_reconfigure(), pause / 2),
        ]
        defer { for case let thread? in threads { gst_harness_stress_thread_stop(thread) } }
        try body()
    }

    /// Returns the errors and warnings posted since the last call.
    public func messages() -> [BusMessage] { bus.all() }

    /// Returns the next error or warning; nil if none comes in `seconds`.
    public func nextMessage(within seconds: Double = Patience.event) -> BusMessage? {
        bus.next(within: seconds)
    }

    /// Whether the element reports that it accepts caps.
    public func accepts(_ caps: String) -> Bool {
        guard let caps = GStreamer.Caps(caps) else { return false }
        return gst_pad_peer_query_accept_caps(raw.pointee.srcpad, caps.pointer()) != 0
    }

    /// Sets the source's latency, in nanoseconds.
    public func setUpstreamLatency(_ time: UInt64) {
        gst_harness_set_upstream_latency(raw, GstClockTime(time))
    }

    /// Makes the other end accept metas of this kind.
    public func addDownstreamSupport(_ api: GType) {
        gst_harness_add_propose_allocation_meta(raw, api, nil)
    }

    /// Whether the element proposes metas of video upstream for `caps`.
    public func proposesVideoMeta(for caps: String) -> Bool {
        proposes(gst_video_meta_api_get_type(), for: caps)
    }

    /// Whether the element proposes metas of this kind upstream for `caps`.
    public func proposes(_ api: GType, for caps: String) -> Bool {
        guard let caps = GStreamer.Caps(caps),
            let query = GStreamer.Query(gst_query_new_allocation(caps.pointer(), 1))
        else { return false }
        return gst_pad_peer_query(raw.pointee.srcpad, query.pointer()) != 0
            && gst_query_find_allocation_meta(query.pointer(), api, nil) != 0
    }

    private func withElement(_ body: (UnsafeMutablePointer<GObject>) -> Void) {
        guard let element = gst_harness_find_element(raw, factory) else { return }
        body(GStreamer.Element(taking: element).pointer())
    }
}
