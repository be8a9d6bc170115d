import CGStreamer
import CommandKit

extension Graph {
    /// Whether a demuxer has given up without a message.
    ///
    /// decodebin and parsebin drop the errors of an element that fails while they are still putting it in, and wait for its
    /// streams for ever. Such an element has stopped reading and has no streams.
    var hasSilentDemuxer: Bool {
        let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
        guard let elements = gst_bin_iterate_recurse(bin) else { return false }
        defer { gst_iterator_free(elements) }
        var found = false
        gst_iterator_foreach(
            elements,
            { value, data in
                guard let object = g_value_get_object(value), let data else { return }
                let element = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GstElement.self)
                if hasStoppedReading(element) { data.assumingMemoryBound(to: Bool.self).pointee = true }
            }, &found)
        return found
    }
}

/// Whether an element without streams reads no more.
private func hasStoppedReading(_ element: Element) -> Bool {
    guard element.pointee.numsrcpads == 0, let pad = gst_element_get_static_pad(element, "sink") else {
        return false
    }
    defer { gst_object_unref(pad) }
    return gst_pad_get_task_state(pad) == GST_TASK_PAUSED
}

extension ToolError {
    /// The error of a file whose demuxer has given up.
    static func withoutStreams(_ input: String) -> ToolError {
        ToolError(.input, "\(input) cannot be read: This file contains no playable streams.")
    }
}
