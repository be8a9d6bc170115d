import CGStreamer
import CommandKit

/// What happens to the picture: decoded frames in, encoded ones out.
final class VideoChain: @unchecked Sendable {
    // Immutable after init; GStreamer's objects do their own locking.
    private let graph: Graph
    private let job: Job
    /// `personsegment ! blendmask`.
    private let composition: Element
    /// Where encoded frames leave; which encoder it is depends on the decoded ones.
    let output: Element

    init(graph: Graph, job: Job) throws(ToolError) {
        (self.graph, self.job) = (graph, job)
        composition = try graph.add(chain: Self.composition(job))
        output = try graph.add(chain: Self.unboundedQueue)
        configure()
    }

    /// Analysis and encoding each get a thread of their own.
    private static func composition(_ job: Job) -> String {
        let isCropped = job.autoCrop != nil
        let chain: [String?] = [
            threadQueue, isCropped ? AutoCrop.elements.before : nil, job.compositing.analysis,
            "blendmask name=blendmask", isCropped ? AutoCrop.elements.behind : nil, threadQueue,
        ]
        return chain.compactMap { $0 }.joined(separator: " ! ")
    }

    private func encoders(_ depth: BitDepth?) -> [String] {
        let isTransparent = job.background == .transparent
        return switch job.format {
        case .video(let container):
            container.videoEncoders(depth ?? .eight, transparent: isTransparent)
        case .still(let format): [format.encoder(transparent: isTransparent)]
        }
    }

    private static let threadQueue = "queue max-size-buffers=3 max-size-bytes=0 max-size-time=0"
    /// Encoded frames wait here for sound that the input stores much later.
    private static let unboundedQueue = "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0"

    private func configure() {
        _ = withElement("personsegment", in: composition) { set($0, "quality", job.quality) }
        job.compositing.apply(to: composition)
        if let person = job.keptPerson {
            _ = withElement("blendmask", in: composition) { blend in
                _ = withElement("personsegment", in: composition) { person.install($0, blend) }
            }
        }
        if job.isStill { keepFirstFrame() }
        if let shape = job.autoCrop { AutoCrop.install(in: composition, shape) }
    }

    /// Where one frame of a video is wanted as a picture, no further frame is analysed.
    private func keepFirstFrame() {
        guard let pad = gst_element_get_static_pad(composition, "sink") else { return }
        defer { gst_object_unref(pad) }
        let first = FirstTime()
        onProbe(pad, GST_PAD_PROBE_TYPE_BUFFER) { info in
            guard first.value == nil else { return GST_PAD_PROBE_DROP }
            first.note(UInt64(info.presentationTime ?? 0))
            return GST_PAD_PROBE_OK
        }
    }

    // MARK: - Links

    /// Counts the frames that are composed.
    func count(in progress: Progress) {
        _ = withElement("blendmask", in: composition) { blend in
            guard let pad = gst_element_get_static_pad(blend, "src") else { return }
            progress.count(pad)
            gst_object_unref(pad)
        }
    }

    /// Analyses frames before a running time, in nanoseconds, without showing them.
    ///
    /// - Parameter first: is told the time of the first frame that is shown.
    func leaveOut(before start: UInt64, _ first: FirstTime) {
        _ = withElement("blendmask", in: composition) { blend in
            guard let pad = gst_element_get_static_pad(blend, "sink") else { return }
            defer { gst_object_unref(pad) }
            // The probe goes with the pad, which it must not keep alive.
            nonisolated(unsafe) let sink = pad
            onProbe(sink, GST_PAD_PROBE_TYPE_BUFFER) { info in
                let time = info.presentationTime.flatMap { StreamTime.running($0, at: sink) }
                guard let time, time + StreamTime.tolerance >= start else { return GST_PAD_PROBE_DROP }
                first.note(time)
                return GST_PAD_PROBE_OK
            }
        }
    }

    /// Connects decoded frames.
    ///
    /// - Returns: what is changed besides the background, for the user.
    func connect(_ pad: Pad, _ caps: Caps) throws(ToolError) -> [String] {
        let frames = try FrameConversion(caps: caps, job: job)
        let encoder = try graph.add(firstOf: encoders(frames.depth))
        try gst_people.link(encoder, output)
        try gst_people.link(composition, encoder)
        PacketDurations.keep(in: encoder)
        gst_element_sync_state_with_parent(encoder)
        // The pipeline starts what is not linked to its end in any order: it may be about to load models still.
        gst_element_sync_state_with_parent(composition)
        let head = try graph.add(chain: frames.chain)
        try gst_people.link(head, composition)
        if frames.hasAlpha { AlphaFlattening.install(in: head, frames.depth ?? .eight) }
        if let turned = gst_element_get_static_pad(head, "src") {
            OrientationTag.remove(at: turned)
            gst_object_unref(turned)
        }
        try gst_people.link(pad, head)
        gst_element_sync_state_with_parent(head)
        return frames.notes
    }
}
