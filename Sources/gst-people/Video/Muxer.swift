import CommandKit
import GStreamerKit

/// What writes the streams of a video into one file.
struct Muxer: Sendable {
    let element: GStreamer.Element
    let container: Container

    init(_ container: Container, in pipeline: GStreamer.Pipeline) throws(ToolError) {
        self.container = container
        element = try pipeline.add(container.muxer)
    }

    /// Says when the video was recorded, in seconds since 1970; in other containers, its header is changed at the end.
    func setRecorded(_ time: Int64?) {
        guard !container.hasTrackTimescale, let time else { return }
        element.set("creation-time", toTime: time)
    }

    /// Links the chain that gives encoded frames.
    func link(video: GStreamer.Element) throws(ToolError) {
        guard let pad = element.requestPad("video_%u"), let source = video.pad("src") else {
            throw ToolError(.failed, "GStreamer's \(container.muxer) accepts no video.")
        }
        if container.hasTrackTimescale {
            // Whole ticks for all common frame rates, 24/1.001 included, and fine for variable ones.
            pad.set("trak-timescale", parsing: "120000")
            element.set("movie-timescale", parsing: "120000")
            MuxerWorkarounds.install(on: source)
            ProResColorTags.install(on: source)
        }
        guard source.link(to: pad) else {
            throw ToolError(.failed, "GStreamer could not link the video to \(container.muxer).")
        }
    }
}
