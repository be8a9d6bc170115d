import CGStreamer
import CommandKit

typealias Element = UnsafeMutablePointer<GstElement>
typealias Pad = UnsafeMutablePointer<GstPad>
typealias Caps = UnsafeMutablePointer<GstCaps>

/// The pipeline of one file, and what is put into it.
///
/// Elements are added from the main thread at first and from GStreamer's own when streams appear;
/// GStreamer's objects do their own locking.
final class Graph: @unchecked Sendable {
    let pipeline: Element

    init() throws(ToolError) {
        guard let pipeline = gst_pipeline_new(nil) else {
            throw ToolError(.failed, "GStreamer could not make a pipeline.")
        }
        self.pipeline = pipeline
    }

    deinit {
        gst_element_set_state(pipeline, GST_STATE_NULL)
        gst_object_unref(pipeline)
    }

    /// Plays by the system's clock, whatever clocks elements offer.
    ///
    /// That of pipewiresink (1.4) jumps when a program opens the camera. A live source then catches up with frames all at once,
    /// and the sink waits for ever for buffers, which the program returns with the next frame only.
    func useSystemClock() {
        guard let clock = gst_system_clock_obtain() else { return }
        gst_pipeline_use_clock(
            UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstPipeline.self), clock)
        gst_object_unref(clock)
    }

    /// Makes an element and puts it into the pipeline.
    func add(_ factory: String) throws(ToolError) -> Element {
        guard let element = gst_element_factory_make(factory, nil) else { throw .missing(element: factory) }
        return insert(element)
    }

    /// Makes the elements of a launch line, as one element with the free pads of its ends.
    ///
    /// - Parameter hasEnds: false for a chain from source to sink. Looking for free pads finds those inside a decodebin, too.
    func add(chain description: String, hasEnds: Bool = true) throws(ToolError) -> Element {
        insert(try Self.parse(description, hasEnds: hasEnds))
    }

    /// As `add`, without putting them anywhere.
    static func parse(_ description: String, hasEnds: Bool = true) throws(ToolError) -> Element {
        let context = gst_parse_context_new()
        defer { gst_parse_context_free(context) }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        let flags = GstParseFlags(
            rawValue: GST_PARSE_FLAG_FATAL_ERRORS.rawValue | GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS.rawValue)
        let ends: gboolean = hasEnds ? 1 : 0
        guard let chain = gst_parse_bin_from_description_full(description, ends, context, flags, &error)
        else {
            throw .unparsed(description, missing: missingElements(context), error)
        }
        return chain
    }

    /// Adds the first of several chains whose elements are installed.
    func add(firstOf descriptions: [String]) throws(ToolError) -> Element {
        var first: ToolError?
        for description in descriptions {
            do { return try add(chain: description) } catch { first = first ?? error }
        }
        throw first ?? ToolError(.failed, "No alternative is available.")
    }

    private func insert(_ element: Element) -> Element {
        // The bin owns the element from here on.
        gst_bin_add(UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self), element)
        return element
    }
}

/// Whether GStreamer has an element.
func isInstalled(_ element: String) -> Bool {
    guard let factory = gst_element_factory_find(element) else { return false }
    gst_object_unref(UnsafeMutableRawPointer(factory))
    return true
}

private func missingElements(_ context: OpaquePointer?) -> [String] {
    guard let names = gst_parse_context_get_missing_elements(context) else { return [] }
    defer { g_strfreev(names) }
    var found: [String] = []
    var next = names
    while let name = next.pointee {
        found.append(String(cString: name))
        next += 1
    }
    return found
}

extension ToolError {
    static func missing(element name: String) -> ToolError {
        ToolError(
            .missing,
            "GStreamer's element \(name) is not installed: \(DebianPackages.advice(forElement: name)).")
    }

    fileprivate static func unparsed(
        _ description: String, missing: [String], _ error: UnsafeMutablePointer<GError>?
    ) -> ToolError {
        if let name = missing.first { return .missing(element: name) }
        let reason = error.map { String(cString: $0.pointee.message) } ?? "unknown reason"
        return ToolError(.failed, "GStreamer could not make \"\(description)\": \(reason)")
    }
}

/// Sets a property from its text form, as a pipeline description.
func set(_ element: Element, _ property: String, _ value: String) {
    gst_util_set_object_arg(
        UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), property, value)
}

/// Sets a text property to exactly this text.
func set(_ element: Element, _ property: String, text: String) {
    var value = GValue()
    g_value_init(&value, GType(people_g_type_string))
    g_value_set_string(&value, text)
    g_object_set_property(
        UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), property, &value)
    g_value_unset(&value)
}

/// Sets a property to caps, which it takes over.
func set(_ element: Element, _ property: String, _ caps: Caps?) {
    var value = GValue()
    g_value_init(&value, gst_caps_get_type())
    g_value_take_boxed(&value, caps)
    g_object_set_property(
        UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), property, &value)
    g_value_unset(&value)
}

/// Calls `body` with an element inside a chain, if that is no single element.
func withElement<Result>(_ name: String, in chain: Element, _ body: (Element) -> Result) -> Result? {
    guard
        g_type_check_instance_is_a(
            UnsafeMutableRawPointer(chain).assumingMemoryBound(to: GTypeInstance.self), gst_bin_get_type())
            != 0
    else { return nil }
    let bin = UnsafeMutableRawPointer(chain).assumingMemoryBound(to: GstBin.self)
    guard let element = gst_bin_get_by_name(bin, name) else { return nil }
    defer { gst_object_unref(element) }
    return body(element)
}

/// Links the source pad of one element to the sink pad of another.
func link(_ upstream: Element, _ downstream: Element) throws(ToolError) {
    guard gst_element_link(upstream, downstream) != 0 else {
        throw ToolError(.failed, "GStreamer could not link \(name(upstream)) to \(name(downstream)).")
    }
}

/// Links a pad to the sink pad of an element.
func link(_ pad: Pad, _ element: Element) throws(ToolError) {
    guard let sink = gst_element_get_static_pad(element, "sink") else {
        throw ToolError(.failed, "\(name(element)) has no input.")
    }
    defer { gst_object_unref(sink) }
    guard gst_pad_link(pad, sink) == GST_PAD_LINK_OK else {
        throw ToolError(.failed, "GStreamer could not link a stream to \(name(element)).")
    }
}

func name(_ element: Element) -> String {
    element.pointee.object.name.map { String(cString: $0) } ?? "an element"
}
