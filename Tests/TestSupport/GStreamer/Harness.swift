public import CGStreamer
import CGStreamerCheck

/// A `GstHarness` around one element: buffers in, buffers out, no threads.
public final class Harness {
    /// The C harness.
    let raw: UnsafeMutablePointer<GstHarness>

    /// Puts the element of a launch line between two pads with these caps.
    public init?(_ launchLine: String, caps: String, outputCaps: String? = nil) {
        guard GStreamer.boot(), let raw = gst_harness_new_parse(launchLine) else { return nil }
        self.raw = raw
        gst_harness_set_src_caps_str(raw, caps)
        if let outputCaps { gst_harness_set_sink_caps_str(raw, outputCaps) }
        gst_harness_play(raw)
    }

    deinit { gst_harness_teardown(raw) }

    /// Pushes `buffer`, which it takes over.
    public func push(_ buffer: UnsafeMutablePointer<GstBuffer>?) -> GstFlowReturn {
        gst_harness_push(raw, buffer)
    }

    /// The next buffer that came out, owned by the caller, or nil if none did.
    public func tryPull() -> UnsafeMutablePointer<GstBuffer>? { gst_harness_try_pull(raw) }

    /// Changes the caps of what is pushed from now on.
    public func setInputCaps(_ caps: String) { gst_harness_set_src_caps_str(raw, caps) }

    /// Sets a property by its text.
    public func set(_ property: String, _ text: String) {
        guard let element = gst_harness_find_element(raw, nil) ?? raw.pointee.element else { return }
        gst_util_set_object_arg(
            UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), property, text)
    }
}
