import CommandKit
import GStreamerKit
import Synchronization

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
