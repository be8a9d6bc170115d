import CommandKit
import FileNames
import GStreamerKit
import Glibc

/// A camera for other programs: a device of v4l2loopback, or a node of PipeWire.
enum VirtualCamera {
    /// The choice of a virtual camera.
    enum Place {
        /// The first device, or PipeWire if there is none.
        case any
        case device(String)
        case pipeWire
    }

    /// The elements that write to the virtual camera, as a pipeline description.
    enum Sink {
        case elements(String)
        /// Elements for a `CameraFeed`.
        case feed(String)
    }

    /// Returns the elements that write to the virtual camera.
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

    // The elements before a sink must not use its few buffers: drivers fail when all buffers are in use, and
    // PipeWire removes buffers when a reader leaves.
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

    /// Returns the commands that create a device; browsers list it as a camera only with exclusive_caps.
    private static func advice(_ device: String?) -> String {
        let number = device.flatMap(VideoDevices.number) ?? 10
        return """
            there is no \(device ?? "virtual camera"). As root, install v4l2loopback and load it:
              apt-get install v4l2loopback-dkms
              modprobe v4l2loopback video_nr=\(number) card_label="gst-people" exclusive_caps=1
            """
    }

    /// The line that makes a device, for a terminal of a user who may become root.
    static let installation =
        "sudo apt-get install -y v4l2loopback-dkms && sudo modprobe v4l2loopback video_nr=10 "
        + "card_label=\"\(nodeName)\" exclusive_caps=1"

    // MARK: - PipeWire

    /// The camera's name in other programs.
    static let nodeName = "gst-people"

    /// The rate at which PipeWire passes frames on: 94 times a second.
    ///
    /// The default of 47 would drop frames of fast cameras.
    private static let pace = "node.latency=(string)512/48000"

    private static func pipeWire() throws(ToolError) -> String {
        let node =
            "media.class=Video/Source,node.name=\(nodeName),node.description=\(nodeName),\(pace),"
            + "\(PipeWireReaders.mark)=(string)\(PipeWireReaders.ownMark)"
        // With mode=provide the sink itself drives the exchange of buffers, with each frame that it sends,
        // but first waits for a free buffer. If a slow program has all buffers, it gets no further frame and
        // never returns a buffer. Without that mode, PipeWire's own driver exchanges the buffers.
        let elements = "pipewiresink mode=default client-name=\(nodeName) stream-properties=\"p,\(node)\""
        do throws(ToolError) { try open(elements) } catch {
            throw ToolError(error.code, "no PipeWire: \(error.message)")
        }
        try printText(
            "virtual camera: \(nodeName), in PipeWire. OBS sees it, and browsers and Flatpaks that ask the camera portal; "
                + "other programs see v4l2loopback only.\n")
        return elements
    }

    /// Whether the error means that the last program has left the camera; pipewiresink of PipeWire 1.4 then
    /// serves the next one.
    static func hasLostReader(_ error: GStreamer.Failure) -> Bool {
        error.source.hasPrefix("pipewiresink") && error.is(.resourceNotFound)
    }

    private static func open(_ elements: String) throws(ToolError) {
        let pipeline = try GStreamer.Pipeline.make()
        _ = try pipeline.add(chain: elements)
        try pipeline.open()
    }
}
