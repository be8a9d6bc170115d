import CGStreamer
import CommandKit
import Synchronization

/// Feeds a camera in PipeWire, says when the programs that read it take no frames, and then opens the camera anew.
///
/// A program that is killed keeps the buffers that it had (PipeWire 0.3.65 and 1.4.2) as long as another one reads the camera,
/// which then gets no more frames. One that is stopped keeps them, too.
final class CameraFeed: @unchecked Sendable {
    // Seconds. A slow program takes a frame now and then, and is not to lose the camera.
    private static let silence = 1.5
    private static let patience = 10.0

    private struct Passage {
        /// When the last frame came, when the last one was taken, and since when they are taken without a silence; seconds.
        var arrived = 0.0
        var taken = 0.0
        var steady = 0.0
    }

    // Immutable after init; GStreamer's objects do their own locking.
    private let chain: Element
    private let output: Pad
    private let sink: String
    private let passage = Mutex(Passage())
    private let started = ContinuousClock.now
    /// Used by the main thread only.
    private var hasComplained = false
    // Only `open` and `close` use it, which do not overlap.
    /// The queue and the sink; none after a failure.
    private var branch: Element?
    /// Why the camera could not be opened anew.
    private let problem = Mutex<ToolError?>(nil)

    /// - Parameters:
    ///   - chain: its element `feed` delivers the frames.
    ///   - sink: as a pipeline description.
    init(_ chain: Element, _ sink: String) throws(ToolError) {
        guard let output = withElement("feed", in: chain, { gst_element_get_static_pad($0, "src") }) ?? nil
        else { throw ToolError(.failed, "GStreamer could not make the pipeline.") }
        (self.chain, self.output, self.sink) = (chain, output, sink)
        onBuffer(output) { [weak self] _ in self?.arrive() }
        try open()
    }

    deinit { gst_object_unref(output) }

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
        } else if silence > Self.silence, !hasComplained {
            hasComplained = true
            complain(
                "camera: a program that reads it is slow, stopped or was killed: no frame was taken for "
                    + "\(silence.text(decimals: 1)) s.")
        } else if hasComplained, silence < Self.silence, now - passage.steady > Self.silence {
            hasComplained = false
            complain("camera: frames are read again.")
        }
    }

    // MARK: - The sink

    /// Adds the sink behind a queue, which leaves out frames while the sink waits.
    private func open() throws(ToolError) {
        let queue = "queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0"
        let added = try Graph.parse("\(queue) name=newest ! \(sink)")
        gst_bin_add(bin, added)
        branch = added
        _ = withElement("newest", in: added) { queue in
            guard let pad = gst_element_get_static_pad(queue, "src") else { return }
            onBuffer(pad) { [weak self] _ in self?.take() }
            gst_object_unref(pad)
        }
        take()
        guard let input = gst_element_get_static_pad(added, "sink") else { throw Self.failure }
        defer { gst_object_unref(input) }
        guard gst_pad_link(output, input) == GST_PAD_LINK_OK,
            gst_element_sync_state_with_parent(added) != 0
        else { throw Self.failure }
    }

    /// Puts a new sink in the place of one that waits, between two frames.
    private func replace() {
        take()
        onProbe(output, GST_PAD_PROBE_TYPE_IDLE) { [weak self] _ in
            guard let self else { return GST_PAD_PROBE_REMOVE }
            close()
            do throws(ToolError) { try open() } catch { problem.withLock { $0 = error } }
            return GST_PAD_PROBE_REMOVE
        }
    }

    private func close() {
        guard let branch else { return }
        self.branch = nil
        gst_element_set_state(branch, GST_STATE_NULL)
        // Unlinks it, and releases it.
        gst_bin_remove(bin, branch)
    }

    private var bin: UnsafeMutablePointer<GstBin> {
        UnsafeMutableRawPointer(chain).assumingMemoryBound(to: GstBin.self)
    }

    private static let failure = ToolError(.failed, "the camera cannot be opened")
}
