import CGStreamer
import CommandKit

/// Sends single frames through elements.
enum SingleFrame {
    /// Far more than a picture takes on a busy machine, in nanoseconds.
    static let patience: GstClockTime = 60_000_000_000

    /// What `elements`, as a pipeline description, make of a frame with its metadata.
    static func send(_ frame: Frame, through elements: String) throws(ToolError) -> Frame {
        let graph = try Graph()
        let chain = try graph.add(
            chain: "appsrc name=frame format=time ! \(elements) ! appsink name=result sync=false",
            hasEnds: false)
        gst_element_set_state(graph.pipeline, GST_STATE_PLAYING)
        defer { gst_element_set_state(graph.pipeline, GST_STATE_NULL) }
        push(frame, into: chain)
        let sample = withElement("result", in: chain) { sink in
            let sink = UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstAppSink.self)
            return gst_app_sink_try_pull_sample(sink, patience)
        }
        if let sample, let sample { return Frame(taking: sample) }
        throw failure(of: graph)
    }

    /// Gives a frame, and the end of the stream, to the appsrc called `frame`.
    static func push(_ frame: Frame, into chain: Element) {
        _ = withElement("frame", in: chain) { source in
            let source = UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstAppSrc.self)
            gst_app_src_push_sample(source, frame.sample)
            gst_app_src_end_of_stream(source)
        }
    }

    private static func failure(of graph: Graph) -> ToolError {
        guard let bus = gst_element_get_bus(graph.pipeline) else {
            return ToolError(.failed, "GStreamer's pipeline has no bus.")
        }
        defer { gst_object_unref(bus) }
        guard let message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR) else {
            return ToolError(.failed, "GStreamer delivered no image.")
        }
        defer { gst_message_unref(message) }
        return ToolError(liveError: PipelineError(message))
    }
}
