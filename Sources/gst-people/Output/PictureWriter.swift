import CGStreamer
import CommandKit

/// Pixels to cut off the sides of a picture.
struct Crop {
    var left = 0
    var right = 0
    var top = 0
    var bottom = 0
}

/// Writes frames as PNG.
struct PictureWriter {
    private let crop: Crop

    init(_ crop: Crop) { self.crop = crop }

    /// - Parameters:
    ///   - path: where to write.
    ///   - name: what messages call the file.
    func write(_ frame: Frame, to path: String, for name: String) throws(ToolError) {
        let graph = try Graph()
        let chain = try graph.add(
            chain:
                "appsrc name=frame format=time ! videocrop left=\(crop.left) right=\(crop.right) top=\(crop.top) "
                + "bottom=\(crop.bottom) ! videoconvert ! pngenc snapshot=true ! filesink name=filesink")
        _ = withElement("filesink", in: chain) { set($0, "location", text: path) }
        gst_element_set_state(graph.pipeline, GST_STATE_PLAYING)
        defer { gst_element_set_state(graph.pipeline, GST_STATE_NULL) }
        SingleFrame.push(frame, into: chain)
        try waitForEnd(graph, name)
    }

    private func waitForEnd(_ graph: Graph, _ name: String) throws(ToolError) {
        guard let bus = gst_element_get_bus(graph.pipeline) else {
            throw ToolError(.failed, "GStreamer's pipeline has no bus.")
        }
        defer { gst_object_unref(bus) }
        let kinds = GstMessageType(rawValue: GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
        guard let message = gst_bus_timed_pop_filtered(bus, SingleFrame.patience, kinds) else {
            throw ToolError(.output, "\(name) could not be written.")
        }
        defer { gst_message_unref(message) }
        guard people_message_type(message) == GST_MESSAGE_EOS else {
            throw ToolError(pipelineError: PipelineError(message), input: name, output: name)
        }
    }
}
