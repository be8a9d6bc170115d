import CGStreamer
import CommandKit

/// What happens to the picture: decoded frames in, encoded ones out.
final class VideoChain: @unchecked Sendable {
    // Immutable after init; GStreamer's objects do their own locking.
    private let graph: Graph
    private let job: Job
    /// `personsegment ! blendmask ! encoder`.
    let output: Element

    init(graph: Graph, job: Job) throws(ToolError) {
        (self.graph, self.job) = (graph, job)
        output = try graph.add(firstOf: Self.encoders(for: job).map { Self.tail(job, $0) })
        configure()
    }

    private static func encoders(for job: Job) -> [String] {
        let isTransparent = job.background == .transparent
        switch job.format {
        case .video(let container):
            return container.videoEncoders(transparent: isTransparent).map { $0 + " ! \(unboundedQueue)" }
        case .still(let format): return [format.encoder(transparent: isTransparent)]
        }
    }

    /// Analysis and encoding each get a thread of their own.
    private static func tail(_ job: Job, _ encoder: String) -> String {
        let isCropped = job.autoCrop != nil
        let chain: [String?] = [
            threadQueue, isCropped ? AutoCrop.elements.before : nil, job.background.analysis,
            "blendmask name=blendmask", isCropped ? AutoCrop.elements.behind : nil, threadQueue, encoder,
        ]
        return chain.compactMap { $0 }.joined(separator: " ! ")
    }

    private static let threadQueue = "queue max-size-buffers=3 max-size-bytes=0 max-size-time=0"
    /// Encoded frames wait here for sound that the input stores much later.
    private static let unboundedQueue = "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0"

    private func configure() {
        _ = withElement("personsegment", in: output) { set($0, "quality", job.quality) }
        _ = withElement("blendmask", in: output) { blend in
            job.background.apply(to: blend)
            guard let person = job.keptPerson else { return }
            _ = withElement("personsegment", in: output) { person.install($0, blend) }
        }
        if let shape = job.autoCrop { AutoCrop.install(in: output, shape) }
    }

    // MARK: - Links

    func link(to muxer: Element, _ container: Container) throws(ToolError) {
        guard let pad = gst_element_request_pad_simple(muxer, "video_%u"),
            let source = gst_element_get_static_pad(output, "src")
        else { throw ToolError(.failed, "GStreamer's \(container.muxer) takes no video.") }
        defer {
            gst_object_unref(pad)
            gst_object_unref(source)
        }
        if container.hasTrackTimescale {
            // Whole ticks for all common frame rates, 24/1.001 included, and fine for variable ones.
            gst_util_set_object_arg(
                UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GObject.self), "trak-timescale", "120000"
            )
            set(muxer, "movie-timescale", "120000")
            MuxerWorkarounds.install(on: source)
        }
        guard gst_pad_link(source, pad) == GST_PAD_LINK_OK else {
            throw ToolError(.failed, "GStreamer could not link the picture to \(container.muxer).")
        }
    }

    /// Counts the frames that are composed.
    func count(in progress: Progress) {
        _ = withElement("blendmask", in: output) { blend in
            guard let pad = gst_element_get_static_pad(blend, "src") else { return }
            progress.count(pad)
            gst_object_unref(pad)
        }
    }

    /// Connects decoded frames.
    ///
    /// - Returns: what is changed besides the background, for the user.
    func connect(_ pad: Pad, _ caps: Caps) throws(ToolError) -> [String] {
        guard let frames = FrameConversion(caps: caps, job: job) else {
            throw ToolError(.input, "\(job.input) holds no picture that can be used.")
        }
        let head = try graph.add(chain: frames.chain)
        try gst_people.link(head, output)
        if frames.hasAlpha { AlphaFlattening.install(in: head) }
        if let turned = gst_element_get_static_pad(head, "src") {
            OrientationTag.remove(at: turned)
            gst_object_unref(turned)
        }
        FrameDurations.install(on: pad)
        try gst_people.link(pad, head)
        gst_element_sync_state_with_parent(head)
        return frames.notes
    }
}
