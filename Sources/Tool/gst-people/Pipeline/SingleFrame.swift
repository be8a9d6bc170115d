import CommandKit
import GStreamerKit

/// Sends single frames through elements.
enum SingleFrame {
    /// Far more than a frame takes on a busy machine, in nanoseconds.
    static let patience: UInt64 = 60_000_000_000

    /// Returns a frame, with its metadata, as `elements` of a pipeline description make it.
    ///
    /// - Parameter configure: sets properties of the elements before they start.
    static func send(
        _ frame: Frame, through elements: String, _ configure: (GStreamer.Element) -> Void = { _ in }
    ) throws(ToolError) -> Frame {
        let pipeline = try GStreamer.Pipeline.make()
        let chain = try pipeline.add(
            chain: "appsrc name=frame format=time ! \(elements) ! appsink name=result sync=false",
            hasEnds: false)
        configure(chain)
        pipeline.element.setState(.playing)
        defer { pipeline.element.setState(.null) }
        push(frame, into: chain)
        let result = GStreamer.AppSink(chain.element(named: "result"))?.pull(within: patience)
        guard let result else { throw failure(of: pipeline) }
        return result
    }

    /// Gives a frame, and the end of the stream, to the appsrc called `frame`.
    static func push(_ frame: Frame, into chain: GStreamer.Element) {
        let source = GStreamer.AppSource(chain.element(named: "frame"))
        source?.push(frame)
        source?.endStream()
    }

    private static func failure(of pipeline: GStreamer.Pipeline) -> ToolError {
        guard let message = pipeline.bus.pop(.error) else {
            return ToolError(.failed, "GStreamer delivered no image.")
        }
        return ToolError(liveError: message.failure)
    }
}

/// Pixels to cut off the sides of an image.
struct Crop {
    var left = 0
    var right = 0
    var top = 0
    var bottom = 0
}

/// Writes frames as PNG.
struct PNGWriter {
    private let crop: Crop

    init(_ crop: Crop) { self.crop = crop }

    /// - Parameters:
    ///   - path: the file to write.
    ///   - name: the file's name in messages.
    func write(_ frame: Frame, to path: String, for name: String) throws(ToolError) {
        let pipeline = try GStreamer.Pipeline.make()
        let chain = try pipeline.add(
            chain:
                "appsrc name=frame format=time ! videocrop left=\(crop.left) right=\(crop.right) top=\(crop.top) "
                + "bottom=\(crop.bottom) ! videoconvert ! pngenc snapshot=true ! filesink name=filesink")
        chain.element(named: "filesink")?.set("location", to: path)
        pipeline.element.setState(.playing)
        defer { pipeline.element.setState(.null) }
        SingleFrame.push(frame, into: chain)
        guard let message = pipeline.bus.pop([.endOfStream, .error], within: SingleFrame.patience) else {
            throw ToolError(.output, "\(name) could not be written.")
        }
        guard message.kind == .endOfStream else {
            throw ToolError(pipelineError: message.failure, input: name, output: name)
        }
    }
}
