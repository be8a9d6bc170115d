import CommandKit
import FileNames
import GStreamerKit
import Glibc

/// A camera for other programs: a device of v4l2loopback, or a node of PipeWire.
enum VirtualCamera {
    /// Where frames go.
    enum Place {
        /// The first device there is, or else PipeWire.
        case any
        case device(String)
        case pipeWire
    }

    /// The elements that write to the virtual camera, as a pipeline description.
    enum Sink {
        case elements(String)
        /// Those of a `CameraFeed`.
        case feed(String)
    }

    /// What writes to the virtual camera.
    static func sink(at place: Place) throws(ToolError) -> Sink {
        switch place {
        case .device(let path): return .elements(try device(path))
        case .pipeWire: return .feed(try pipeWire())
        case .any:
            if let path = VideoDevices.virtual.first { return .elements(try device(path)) }
            do throws(ToolError) { return .feed(try pipeWire()) } catch {
                let code = error.code == .missing ? error.code : .input
                throw ToolError(code, "\(advice(nil))\nOr let PipeWire run: \(error.message)")
            }
        }
    }

    // Elements before a sink must not write into its few buffers: drivers fail when all are in use, and PipeWire takes them
    // away when a reader goes.
    static let copies = "identity drop-allocation=true"

    // MARK: - v4l2loopback

    private static func device(_ path: String) throws(ToolError) -> String {
        guard access(path.fileName, F_OK) == 0 else { throw ToolError(.input, advice(path)) }
        let elements = "\(copies) ! v4l2sink device=\(descriptionText(path)) sync=false"
        do throws(ToolError) { try open(elements) } catch {
            throw ToolError(error.code, "\(path) cannot be written to: \(error.message)")
        }
        return elements
    }

    /// Programs such as browsers list it as a camera only with exclusive_caps.
    private static func advice(_ device: String?) -> String {
        let number = device.flatMap(VideoDevices.number) ?? 10
        return """
            there is no \(device ?? "virtual camera"). As root, install v4l2loopback and load it:
              apt-get install v4l2loopback-dkms
              modprobe v4l2loopback video_nr=\(number) card_label="gst-people" exclusive_caps=1
            """
    }

    // MARK: - PipeWire

    /// What other programs call it.
    static let nodeName = "gst-people"

    /// How often PipeWire passes frames on: 94 times a second.
    ///
    /// Its usual 47 would leave out frames of fast cameras.
    private static let pace = "node.latency=(string)512/48000"

    private static func pipeWire() throws(ToolError) -> String {
        let node = "media.class=Video/Source,node.name=\(nodeName),node.description=\(nodeName),\(pace)"
        // With mode=provide the sink itself drives the exchange of buffers, by each frame that it sends, but waits for a
        // free buffer first: once a slow program has them all, it gets no frame, and gives no buffer back, for ever. Without
        // it PipeWire's own driver exchanges them.
        let elements = "pipewiresink mode=default client-name=\(nodeName) stream-properties=\"p,\(node)\""
        do throws(ToolError) { try open(elements) } catch {
            throw ToolError(error.code, "no PipeWire: \(error.message)")
        }
        try printText(
            "virtual camera: \(nodeName), in PipeWire. OBS sees it, and browsers and Flatpaks that ask the camera portal; "
                + "other programs see v4l2loopback only.\n")
        return elements
    }

    /// Whether the last program has left the camera: pipewiresink of PipeWire 1.4 calls that an error, and serves the next one.
    static func hasLostReader(_ error: GStreamer.Failure) -> Bool {
        error.source.hasPrefix("pipewiresink") && error.is(.resourceNotFound)
    }

    private static func open(_ elements: String) throws(ToolError) {
        let pipeline = try GStreamer.Pipeline.make()
        _ = try pipeline.add(chain: elements)
        try pipeline.open()
    }
}
