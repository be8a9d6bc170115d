import CommandKit
import GStreamerKit

/// What happens to the video: decoded frames in, encoded ones out.
final class VideoChain: Sendable {
    private let pipeline: GStreamer.Pipeline
    private let job: Job
    /// `personsegment ! blendmask`.
    private let composition: GStreamer.Element
    /// Where encoded frames leave; which encoder it is depends on the decoded ones.
    let output: GStreamer.Element

    init(_ pipeline: GStreamer.Pipeline, _ job: Job) throws(ToolError) {
        (self.pipeline, self.job) = (pipeline, job)
        composition = try pipeline.add(chain: Self.composition(job))
        output = try pipeline.add(chain: Self.unboundedQueue)
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
    /// Encoded frames wait here for audio that the input stores much later.
    private static let unboundedQueue = "queue max-size-buffers=0 max-size-bytes=0 max-size-time=0"

    private func configure() {
        let segment = composition.element(named: "personsegment")
        segment?.set("quality", parsing: job.quality)
        // No viewer of a file waits for the next frame. At `fast` it costs more than it is worth.
        segment?.set("lookahead", parsing: job.quality == "fast" ? "0" : "1")
        job.compositing.apply(to: composition)
        if let person = job.keptPerson, let segment, let blend = composition.element(named: "blendmask") {
            person.install(segment, blend)
        }
        if job.isStill { keepFirstFrame() }
        if let shape = job.autoCrop { AutoCrop.install(in: composition, shape) }
    }

    /// Where one frame of a video is wanted as an image, no further frame is analysed.
    private func keepFirstFrame() {
        let first = FirstTime()
        composition.pad("sink")?.addProbe(.buffer) { info in
            guard first.value == nil else { return .drop }
            first.note(info.buffer?.presentationTime ?? 0)
            return .ok
        }
    }

    // MARK: - Links

    /// Counts the frames that are composed.
    func count(in progress: Progress) {
        if let pad = composition.element(named: "blendmask")?.pad("src") { progress.count(pad) }
    }

    /// Analyzes frames before a running time, in nanoseconds, without showing them.
    ///
    /// - Parameter first: is told the time of the first frame that is shown.
    func leaveOut(before start: UInt64, _ first: FirstTime) {
        composition.element(named: "blendmask")?.pad("sink")?.addProbe(.buffer) { info in
            let time = info.buffer?.presentationTime.flatMap { info.pad.segment?.runningTime(of: $0) }
            guard let time, time + VideoRange.tolerance >= start else { return .drop }
            first.note(time)
            return .ok
        }
    }

    /// Connects decoded frames.
    ///
    /// - Returns: what is changed besides the background, for the user.
    func connect(_ pad: GStreamer.Pad, _ caps: GStreamer.Caps) throws(ToolError) -> [String] {
        let frames = try FrameConversion(caps: caps, job: job)
        let encoder = try pipeline.add(firstOf: encoders(frames.depth))
        try gst_people.link(encoder, output)
        try gst_people.link(composition, encoder)
        PacketDurations.keep(in: encoder)
        encoder.syncStateWithParent()
        // The pipeline starts what is not linked to its end in any order: it may be about to load models still.
        composition.syncStateWithParent()
        let head = try pipeline.add(chain: frames.chain)
        try gst_people.link(head, composition)
        if frames.hasAlpha { AlphaFlattening.install(in: head, frames.depth ?? .eight) }
        if let turned = head.pad("src") { OrientationTag.remove(at: turned) }
        try gst_people.link(pad, head)
        head.syncStateWithParent()
        return frames.notes
    }
}
