import GStreamerKit

/// What an output will not hold of its input, known before the work.
struct Losses {
    private let job: Job
    private let container: Container
    /// What takes audio as it is, here and in Matroska; they are never started.
    private let muxer, matroska: GStreamer.Element
    private let pipeline: GStreamer.Pipeline

    /// Nil for images, and where a muxer is not installed.
    init?(_ job: Job) {
        guard case .video(let container) = job.format, let pipeline = try? GStreamer.Pipeline.make(),
            let muxer = try? pipeline.add(container.muxer),
            let matroska = try? pipeline.add(Container.mkv.muxer)
        else { return nil }
        (self.job, self.container, self.pipeline) = (job, container, pipeline)
        (self.muxer, self.matroska) = (muxer, matroska)
    }

    /// For the user: what is lost, and what could keep it.
    func notes() -> [String] {
        let metadata = KeptMetadata(job)
        let videos = metadata.streams.filter(\.isVideo)
        var notes = [videos.first.flatMap(bits)].compactMap { $0 }
        if videos.count > 1 { notes.append("only the first of \(videos.count) video tracks is kept") }
        notes += metadata.streams.compactMap(audio) + metadata.streams.compactMap(subtitles)
        if metadata.keepsChapters(in: container) == false {
            notes.append("chapters are left out" + (job.range.isWhole ? "" : " of a part of a video"))
        }
        return notes
    }

    private func bits(_ video: InputStreams.Stream) -> String? {
        let written = job.depth ?? (video.hasHighDynamicRange ? .ten : .eight)
        guard let bits = video.bits, let kept = Int(written.rawValue), kept < bits else { return nil }
        let advice = kept < 10 && !video.isInterlaced ? "; --bits=10 keeps more" : ""
        return "the input has \(bits) bits per sample, and is written with \(kept)\(advice)"
    }

    private func audio(_ stream: InputStreams.Stream) -> String? {
        guard stream.isAudio, !StreamRoute.passes(stream.caps, muxer) else { return nil }
        guard stream.hasDecoder else {
            return "the audio (\(stream.type)) is left out: no decoder for it is installed"
        }
        let advice = StreamRoute.passes(stream.caps, matroska) ? "; .mkv can" : ""
        return "the audio (\(stream.type)) is re-encoded: .\(container.rawValue) cannot hold it unchanged"
            + advice
    }

    private func subtitles(_ stream: InputStreams.Stream) -> String? {
        guard stream.isSubtitle, StreamRoute.subtitleParser(stream.type, container) == nil else { return nil }
        let advice = StreamRoute.subtitleParser(stream.type, .mkv) == nil ? "" : "; .mkv can hold them"
        return "the subtitles (\(stream.type)) are left out" + advice
    }
}
