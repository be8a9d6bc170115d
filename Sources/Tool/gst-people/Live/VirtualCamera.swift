import CommandKit
import FileNames
import GStreamerKit
import Glibc
import Synchronization

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
        // The camera portal, which browsers ask, shows nodes of this role only.
        let node =
            "media.class=Video/Source,media.role=Camera,node.name=\(nodeName),node.description=\(nodeName),\(pace),"
            + "\(PipeWireReaders.mark)=(string)\(PipeWireReaders.ownMark)"
        // With mode=provide the sink itself drives the exchange of buffers, with each frame that it sends,
        // but first waits for a free buffer. If a slow program has all buffers, it gets no further frame and
        // never returns a buffer. Without that mode, PipeWire's own driver exchanges the buffers.
        let elements = "pipewiresink mode=default client-name=\(nodeName) stream-properties=\"p,\(node)\""
        do throws(ToolError) { try open(elements) } catch {
            throw ToolError(error.code, "no PipeWire: \(error.message)")
        }
        try printText(
            "virtual camera: \(nodeName), in PipeWire. Programs that ask the camera portal see it: Flatpaks, OBS 30.2 and later, "
                + "and browsers that are set to it; others see v4l2loopback only.\n")
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

/// Feeds a camera in PipeWire, reports when its readers take no frames, and then reopens the camera.
///
/// A program that is killed keeps its buffers (PipeWire 0.3.65 and 1.4.2) as long as another program reads
/// the camera; the other one then gets no more frames. A stopped program keeps its buffers, too.
final class CameraFeed: Sendable {
    // Both times are in seconds. A slow program takes a frame now and then, and must not lose the camera.
    private static let silence = 1.5
    private static let patience = 10.0

    private struct Times {
        /// Times in seconds: arrival of the last frame, the last frame taken, and the start of the time
        /// without silences.
        var lastArrival = 0.0
        var lastRead = 0.0
        var steadySince = 0.0
    }

    private let chain: GStreamer.Element
    private let output: GStreamer.Pad
    private let sink: String
    private let onOpen: @Sendable (GStreamer.Pad) -> Void
    private let times = Mutex(Times())
    private let started = ContinuousClock.now
    private let hasReportedSilence = Mutex(false)
    /// The queue and the sink; nil after a failure.
    private let branch = Mutex<GStreamer.Element?>(nil)
    /// The error of reopening the camera.
    private let problem = Mutex<ToolError?>(nil)

    /// Adds the camera to a chain.
    ///
    /// - Parameters:
    ///   - chain: the chain whose element `feed` delivers the frames.
    ///   - sink: the sink as a pipeline description.
    ///   - onOpen: called with the pad before the sink whenever the camera is opened.
    init(
        _ chain: GStreamer.Element, _ sink: String,
        onOpen: @escaping @Sendable (GStreamer.Pad) -> Void = { _ in }
    ) throws(ToolError) {
        guard let output = chain.element(named: "feed")?.pad("src") else {
            throw ToolError(.failed, "GStreamer could not make the pipeline.")
        }
        (self.chain, self.output, self.sink, self.onOpen) = (chain, output, sink, onOpen)
        output.onBuffer { [weak self] _ in self?.recordArrival() }
        try open()
    }

    // MARK: - Watching

    private var now: Double { (ContinuousClock.now - started).inSeconds }

    private func recordArrival() {
        let now = now
        times.withLock { $0.lastArrival = now }
    }

    private func recordRead() {
        let now = now
        times.withLock { times in
            if now - times.lastRead > Self.silence { times.steadySince = now }
            times.lastRead = now
        }
    }

    /// Reports and ends silences; to be called several times a second.
    func check() throws(ToolError) {
        if let problem = problem.withLock({ $0 }) { throw problem }
        let (times, now) = (times.withLock { $0 }, now)
        let silence = times.lastArrival - times.lastRead
        if silence > Self.patience {
            printDiagnostic("camera: reopened. Programs that no longer show it have to open it again.")
            replace()
        } else if silence > Self.silence, !hasReportedSilence.exchange(true) {
            printDiagnostic(
                "camera: a program that reads it is slow, stopped or was killed: no frame was taken for "
                    + "\(silence.text(decimals: 1)) s.")
        } else if silence < Self.silence, now - times.steadySince > Self.silence,
            hasReportedSilence.exchange(false)
        {
            printDiagnostic("camera: frames are read again.")
        }
    }

    // MARK: - The sink

    /// Adds the sink behind a queue, which drops frames while the sink waits.
    private func open() throws(ToolError) {
        let queue = "queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0"
        let added = try GStreamer.Element.parse("\(queue) name=newest ! \(sink)")
        chain.add(added)
        branch.withLock { $0 = added }
        if let pad = added.element(named: "newest")?.pad("src") {
            PipeWireSinkPool.activate(before: pad)
            onOpen(pad)
            pad.onBuffer { [weak self] _ in self?.recordRead() }
        }
        recordRead()
        guard let input = added.pad("sink"), output.link(to: input), added.syncStateWithParent() else {
            throw Self.failure
        }
    }

    /// Replaces a sink that waits, between two frames.
    private func replace() {
        recordRead()
        output.addProbe(.idle) { [weak self] _ in
            guard let self else { return .remove }
            close()
            do throws(ToolError) { try open() } catch { problem.withLock { $0 = error } }
            return .remove
        }
    }

    private func close() {
        guard let branch = branch.exchange(nil) else { return }
        branch.setState(.null)
        chain.remove(branch)
    }

    private static let failure = ToolError(.failed, "the camera cannot be opened")
}

extension Mutex {
    /// Stores a value and returns the one before.
    fileprivate func exchange(_ new: Value) -> Value where Value: Sendable {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}
