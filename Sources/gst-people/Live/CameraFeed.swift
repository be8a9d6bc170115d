import CommandKit
import GStreamerKit
import Synchronization

/// Feeds a camera in PipeWire, says when the programs that read it take no frames, and then reopens the camera.
///
/// A program that is killed keeps the buffers that it had (PipeWire 0.3.65 and 1.4.2) as long as another one reads the camera,
/// which then gets no more frames. One that is stopped keeps them, too.
final class CameraFeed: Sendable {
    // Seconds. A slow program takes a frame now and then, and is not to lose the camera.
    private static let silence = 1.5
    private static let patience = 10.0

    private struct Passage {
        /// When the last frame came, when the last one was taken, and since when they are taken without a silence; seconds.
        var arrived = 0.0
        var taken = 0.0
        var steady = 0.0
    }

    private let chain: GStreamer.Element
    private let output: GStreamer.Pad
    private let sink: String
    private let passage = Mutex(Passage())
    private let started = ContinuousClock.now
    private let hasComplained = Mutex(false)
    /// The queue and the sink; none after a failure.
    private let branch = Mutex<GStreamer.Element?>(nil)
    /// Why the camera could not be reopened.
    private let problem = Mutex<ToolError?>(nil)

    /// - Parameters:
    ///   - chain: its element `feed` delivers the frames.
    ///   - sink: as a pipeline description.
    init(_ chain: GStreamer.Element, _ sink: String) throws(ToolError) {
        guard let output = chain.element(named: "feed")?.pad("src") else {
            throw ToolError(.failed, "GStreamer could not make the pipeline.")
        }
        (self.chain, self.output, self.sink) = (chain, output, sink)
        output.onBuffer { [weak self] _ in self?.arrive() }
        try open()
    }

    // MARK: - Watching

    private var now: Double { (ContinuousClock.now - started).inSeconds }

    private func arrive() {
        let now = now
        passage.withLock { $0.arrived = now }
    }

    private func take() {
        let now = now
        passage.withLock { passage in
            if now - passage.taken > Self.silence { passage.steady = now }
            passage.taken = now
        }
    }

    /// To be called several times a second.
    func check() throws(ToolError) {
        if let problem = problem.withLock({ $0 }) { throw problem }
        let (passage, now) = (passage.withLock { $0 }, now)
        let silence = passage.arrived - passage.taken
        if silence > Self.patience {
            complain("camera: reopened. Programs that no longer show it have to open it again.")
            replace()
        } else if silence > Self.silence, !hasComplained.exchange(true) {
            complain(
                "camera: a program that reads it is slow, stopped or was killed: no frame was taken for "
                    + "\(silence.text(decimals: 1)) s.")
        } else if silence < Self.silence, now - passage.steady > Self.silence, hasComplained.exchange(false) {
            complain("camera: frames are read again.")
        }
    }

    // MARK: - The sink

    /// Adds the sink behind a queue, which leaves out frames while the sink waits.
    private func open() throws(ToolError) {
        let queue = "queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0"
        let added = try GStreamer.Element.parse("\(queue) name=newest ! \(sink)")
        chain.add(added)
        branch.withLock { $0 = added }
        if let pad = added.element(named: "newest")?.pad("src") {
            PipeWireSinkPool.activate(before: pad)
            pad.onBuffer { [weak self] _ in self?.take() }
        }
        take()
        guard let input = added.pad("sink"), output.link(to: input), added.syncStateWithParent() else {
            throw Self.failure
        }
    }

    /// Puts a new sink in the place of one that waits, between two frames.
    private func replace() {
        take()
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
