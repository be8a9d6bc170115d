import CGStreamer

extension GStreamer {
    /// An element, a bin of elements, or a pipeline.
    package struct Element: ObjectHandle {
        package let reference: ObjectReference

        package init(_ reference: ObjectReference) { self.reference = reference }

        /// Creates a new element; nil when its plugin is not installed.
        package init?(factory: String) {
            guard let element = gst_element_factory_make(factory, nil) else { return nil }
            self.init(taking: element)
        }
    }

    /// The time of the system clock, in nanoseconds.
    package static var systemTime: UInt64 { UInt64(gst_util_get_timestamp()) }

    /// The state of an element.
    package enum State: Sendable {
        case null, ready, paused, playing

        fileprivate var raw: GstState {
            switch self {
            case .null: GST_STATE_NULL
            case .ready: GST_STATE_READY
            case .paused: GST_STATE_PAUSED
            case .playing: GST_STATE_PLAYING
            }
        }
    }
}

// MARK: - Descriptions

/// The failure to build a pipeline from its description.
package struct DescriptionError: Error {
    /// Elements that are not installed.
    package let missing: [String]
    /// GStreamer's message.
    package let reason: String

    init(_ context: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?) {
        missing = Self.missingElements(context)
        reason = error.map { String(cString: $0.pointee.message) } ?? "unknown reason"
    }

    private static func missingElements(_ context: OpaquePointer?) -> [String] {
        copyAndFree(gst_parse_context_get_missing_elements(context))
    }
}

extension GStreamer.Element {
    /// Builds a pipeline from its description, or a single element by itself.
    package init(launching description: String) throws(DescriptionError) {
        try self.init(description) { context, error in
            gst_parse_launch_full(description, context, GST_PARSE_FLAG_FATAL_ERRORS, &error)
        }
    }

    /// Builds one element from a pipeline description, with the unlinked pads of its ends.
    ///
    /// - Parameter hasEnds: false for a chain from source to sink. The search for unlinked pads would also
    ///   find those inside a decodebin.
    package init(parsing description: String, hasEnds: Bool = true) throws(DescriptionError) {
        let flags = GST_PARSE_FLAG_FATAL_ERRORS.rawValue | GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS.rawValue
        try self.init(description) { context, error in
            gst_parse_bin_from_description_full(
                description, hasEnds ? 1 : 0, context, GstParseFlags(rawValue: flags), &error)
        }
        // GStreamer 1.22 makes a pipeline of the description, which shares the bus of the pipeline that it is
        // put into. When the inner pipeline stops, that bus would take no messages any more.
        if isA(gst_pipeline_get_type()) { gst_pipeline_set_auto_flush_bus(pointer(), 0) }
    }

    private init(
        _ description: String,
        _ parse: (OpaquePointer?, inout UnsafeMutablePointer<GError>?) -> UnsafeMutablePointer<GstElement>?
    ) throws(DescriptionError) {
        let context = gst_parse_context_new()
        defer { gst_parse_context_free(context) }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        guard let element = parse(context, &error) else { throw DescriptionError(context, error) }
        self.init(taking: element)
    }
}

// MARK: - Bins

extension GStreamer.Element {
    private var isBin: Bool { isA(gst_bin_get_type()) }

    /// The element's name.
    package var name: String { gst_object_get_name(pointer()).map(copyAndFree) ?? "" }

    /// Returns the element called `name` inside this one; nil also if this element is no bin.
    package func element(named name: String) -> Self? {
        guard isBin, let element = gst_bin_get_by_name(pointer(), name) else { return nil }
        return Self(taking: element)
    }

    /// Puts an element into this bin.
    package func add(_ element: Self) { gst_bin_add(pointer(), element.pointer()) }

    /// Takes an element out of this bin, and unlinks it.
    package func remove(_ element: Self) { gst_bin_remove(pointer(), element.pointer()) }

    /// All elements inside this bin and the bins in it.
    package var descendants: [Self] {
        guard isBin, let iterator = gst_bin_iterate_recurse(pointer()) else { return [] }
        defer { gst_iterator_free(iterator) }
        var found: [Self] = []
        // If the bin changes meanwhile, the elements found before the change are returned.
        let append: GstIteratorForeachFunction = { value, list in
            guard let object = g_value_get_object(value) else { return }
            list?.assumingMemoryBound(to: [GStreamer.Element].self).pointee.append(
                GStreamer.Element(retaining: object))
        }
        withUnsafeMutablePointer(to: &found) { list in
            _ = gst_iterator_foreach(iterator, append, list)
        }
        return found
    }

    /// Queries the latency of all elements again, and sends them the latency of the whole.
    package func recalculateLatency() { gst_bin_recalculate_latency(pointer()) }
}

// MARK: - State

extension GStreamer.Element {
    /// Changes the state, at once or as soon as possible.
    ///
    /// - Returns: false when the element refuses.
    @discardableResult
    package func setState(_ state: GStreamer.State) -> Bool {
        gst_element_set_state(pointer(), state.raw) != GST_STATE_CHANGE_FAILURE
    }

    /// Brings an element that was added to a running pipeline into the pipeline's state.
    @discardableResult
    package func syncStateWithParent() -> Bool { gst_element_sync_state_with_parent(pointer()) != 0 }

    /// Calls `body` on a thread of GStreamer's; the element stays alive until then.
    package func callAsynchronously(_ body: @escaping @Sendable (Self) -> Void) {
        typealias Box = ClosureBox<@Sendable (GStreamer.Element) -> Void>
        gst_element_call_async(
            pointer(),
            { element, data in
                if let element { Box.body(data)?(GStreamer.Element(retaining: element)) }
            }, Box(body).retained, releaseClosure)
    }

    /// Time of the clock at running time 0, in nanoseconds.
    package var baseTime: UInt64 { UInt64(gst_element_get_base_time(pointer())) }

    /// The time of the clock, in nanoseconds; nil while there is none.
    package var clockTime: UInt64? {
        guard let clock = gst_element_get_clock(pointer()) else { return nil }
        let reference = ObjectReference(taking: clock)
        return withExtendedLifetime(reference) { UInt64(gst_clock_get_time(clock)) }
    }

    /// Makes a pipeline use the system clock, whatever clocks its elements offer.
    package func useSystemClock() {
        guard let clock = gst_system_clock_obtain() else { return }
        let reference = ObjectReference(taking: clock)
        withExtendedLifetime(reference) { gst_pipeline_use_clock(pointer(), clock) }
    }
}

// MARK: - Pads

extension GStreamer.Element {
    /// Returns a static pad of the element.
    package func pad(_ name: String) -> GStreamer.Pad? {
        gst_element_get_static_pad(pointer(), name).map { GStreamer.Pad(taking: $0) }
    }

    /// Requests a new pad of a template such as `video_%u`.
    package func requestPad(_ template: String) -> GStreamer.Pad? {
        gst_element_request_pad_simple(pointer(), template).map { GStreamer.Pad(taking: $0) }
    }

    /// Releases a pad of `requestPad`.
    package func release(_ pad: GStreamer.Pad) { gst_element_release_request_pad(pointer(), pad.pointer()) }

    /// Returns the caps that pads of a template such as `audio_%u` accept.
    package func caps(ofTemplate name: String) -> GStreamer.Caps? {
        guard let template = gst_element_get_pad_template(pointer(), name),
            let caps = gst_pad_template_get_caps(template)
        else { return nil }
        return GStreamer.Caps(taking: caps)
    }

    /// Number of sink pads.
    package var sinkPadCount: Int { Int(pointer(GstElement.self).pointee.numsinkpads) }

    /// Gives this bin a pad that stands for the static pad of the same name of an element in it.
    package func show(_ pad: String, of element: Self) {
        // With a template, the pad would refuse caps that lack a field of it, such as the frame rate; the element
        // behind it does not.
        guard let target = element.pad(pad), let ghost = gst_ghost_pad_new(pad, target.pointer()) else {
            return
        }
        gst_element_add_pad(pointer(), ghost)
    }

    /// Links any two compatible pads.
    package func link(to downstream: Self) -> Bool { gst_element_link(pointer(), downstream.pointer()) != 0 }

    /// Links a pad to a pad of another element, each by its name or template.
    package func link(_ pad: String, to downstream: Self, _ other: String) -> Bool {
        gst_element_link_pads(pointer(), pad, downstream.pointer(), other) != 0
    }
}

// MARK: - Queries and seeks

extension GStreamer.Element {
    /// Whether the element can seek in time.
    package var isSeekable: Bool {
        guard let query = GStreamer.Query(gst_query_new_seeking(GST_FORMAT_TIME)),
            gst_element_query(pointer(), query.pointer()) != 0
        else { return false }
        var isSeekable: gboolean = 0
        gst_query_parse_seeking(query.pointer(), nil, &isSeekable, nil, nil)
        return isSeekable != 0
    }

    /// Seeks to the beginning with a flush.
    ///
    /// - Parameter isExact: whether the next frame has to be the very first one.
    @discardableResult
    package func seekToStart(isExact: Bool = false) -> Bool {
        let exact = isExact ? GST_SEEK_FLAG_ACCURATE.rawValue : 0
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | exact)
        return gst_element_seek_simple(pointer(), GST_FORMAT_TIME, flags, 0) != 0
    }

    /// Latency of the elements, in nanoseconds.
    package var latency: UInt64 {
        guard let query = GStreamer.Query(gst_query_new_latency()),
            gst_element_query(pointer(), query.pointer()) != 0
        else { return 0 }
        return query.latency.minimum
    }
}

// MARK: - Sinks

extension GStreamer.Element {
    /// Whether the element is a video sink.
    package var isVideoSink: Bool { isA(gst_video_sink_get_type()) }

    /// Number of frames that the sink has shown.
    package var renderedCount: Int {
        guard isA(gst_base_sink_get_type()), let statistics = gst_base_sink_get_stats(pointer()) else {
            return 0
        }
        defer { gst_structure_free(statistics) }
        var rendered: guint64 = 0
        gst_structure_get_uint64(statistics, "rendered", &rendered)
        return Int(clamping: rendered)
    }
}

// MARK: - Messages

extension GStreamer.Element {
    /// The bus for the element's messages; nil for an element that is in no pipeline.
    package var bus: GStreamer.Bus? { gst_element_get_bus(pointer()).map { GStreamer.Bus(taking: $0) } }

    /// Posts a message for the application that has a name and no fields.
    package func post(application name: String) {
        gst_element_post_message(
            pointer(), gst_message_new_application(nil, gst_structure_new_empty(name)))
    }

    /// Posts an error or a warning.
    package func post(_ error: ElementError, isWarning: Bool = false) {
        error.post(
            from: pointer(), as: isWarning ? GST_MESSAGE_WARNING : GST_MESSAGE_ERROR,
            DebugCategory("gst-people", "The program gst-people"))
    }
}

extension ElementError {
    /// Posts the error in the name of an element, and logs it, as GStreamer's own elements do.
    ///
    /// Both are warnings in the log: the application may be able to go on after an error.
    func post(from element: UnsafeMutablePointer<GstElement>, as type: GstMessageType, _ log: DebugCategory) {
        let kind = type == GST_MESSAGE_ERROR ? "error" : "warning"
        let object = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
        for line in [text, debug] where !line.isEmpty {
            log.warning("\(kind): \(line)", by: object, (file, function, self.line))
        }
        file.withCString { file in
            function.withCString { function in
                // The call takes the text and the details.
                gst_element_message_full(
                    element, type, code.domain, code.number, g_strdup(text),
                    debug.isEmpty ? nil : g_strdup(debug), file, function, line)
            }
        }
    }
}

extension GStreamer {
    /// A pipeline, which stops when the last reference to this object goes.
    package final class Pipeline: Sendable {
        /// The pipeline as an element.
        package let element: Element
        /// The bus for the messages of its elements.
        package let bus: Bus

        /// Creates an empty pipeline; nil when memory is short.
        package convenience init?() {
            guard let pipeline = gst_pipeline_new(nil) else { return nil }
            self.init(Element(taking: pipeline))
        }

        /// Builds the pipeline of a description; nil for a single element, which is no pipeline.
        package convenience init?(_ description: String) throws(DescriptionError) {
            self.init(try Element(launching: description))
        }

        private init?(_ element: Element) {
            guard let bus = gst_element_get_bus(element.pointer()) else { return nil }
            (self.element, self.bus) = (element, Bus(taking: bus))
        }

        deinit { element.setState(.null) }
    }
}
