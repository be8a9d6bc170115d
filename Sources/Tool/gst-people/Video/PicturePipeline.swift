import CommandKit
import GStreamerKit
import MediaFiles

/// The GStreamer pipeline of a video's picture: decoded frames in, composed frames out.
final class PicturePipeline: Sendable {
    let pipeline: GStreamer.Pipeline
    private let source: GStreamer.AppSource
    private let sink: GStreamer.AppSink
    /// Elements between source and sink.
    private let chain: GStreamer.Element

    init(_ job: Job, _ format: PictureFormat, _ framed: FramedVideo? = nil) throws(ToolError) {
        pipeline = try .make()
        let transparent = ", format=(string)\(format.depth == .eight ? "A420" : "RGBA64_LE")"
        let output = job.background == .transparent ? transparent : ""
        let (framing, blending) = (framed?.element ?? "", "blendmask name=blendmask ! ")
        let composing = framed?.isSplit ?? false ? blending + framing : framing + blending
        chain = try pipeline.add(
            chain: "appsrc name=frames format=time block=true max-buffers=3 max-bytes=0 ! "
                + "\(job.compositing.analysis) ! \(composing)video/x-raw\(output) ! "
                + "appsink name=composed sync=false max-buffers=3", hasEnds: false)
        guard let source = GStreamer.AppSource(chain.element(named: "frames")),
            let sink = GStreamer.AppSink(chain.element(named: "composed")),
            let caps = GStreamer.Caps(format.caps)
        else { throw ToolError(.failed, "GStreamer could not make the pipeline of the picture.") }
        (self.source, self.sink) = (source, sink)
        source.element.set("caps", to: caps)
        configure(job)
        framed?.install(in: chain)
    }

    private func configure(_ job: Job) {
        let segment = chain.element(named: "personsegment")
        segment?.set("quality", parsing: job.quality)
        // Lookahead delays nobody where files are written. At `fast` it costs more than it improves.
        segment?.set("lookahead", parsing: job.quality == "fast" ? "0" : "1")
        job.compositing.apply(to: chain)
        if let person = job.keptPerson, let segment, let blend = chain.element(named: "blendmask") {
            person.install(segment, blend)
        }
    }

    /// Gives a frame to the pipeline; waits while that has enough.
    func push(_ frame: GStreamer.Buffer) { source.push(frame) }

    func endStream() { source.endStream() }

    /// The next composed frame; nil at the end, and after a stop.
    func pull() -> GStreamer.Sample? { sink.pull() }

    /// Analyses frames before a time, in nanoseconds, without showing them.
    func leaveOut(before start: UInt64) {
        chain.element(named: "blendmask")?.pad("sink")?.addProbe(.buffer) { info in
            guard let time = info.buffer?.presentationTime, time < start else { return .ok }
            return .drop
        }
    }
}
