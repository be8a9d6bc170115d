import CommandKit
import GStreamerKit

/// Sends single frames through elements.
enum SingleFrame {
    /// Far more than a frame takes on a busy machine, in nanoseconds.
    static let patience: UInt64 = 60_000_000_000

    /// Gives a frame, and the end of the stream, to the appsrc called `frame`.
    static func push(_ frame: Frame, into chain: GStreamer.Element) {
        let source = GStreamer.AppSource(chain.element(named: "frame"))
        source?.push(frame)
        source?.endStream()
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
