import CommandKit
import MediaFiles

/// The output's metadata, and its tracks besides the composed video: copied where the container can hold them.
struct OutputTracks: Sendable {
    /// A track of the input that the output has.
    struct Track: Sendable {
        let stream: MediaDescription.Stream
        /// ffmpeg's encoder; `copy` for packets as they are.
        let codec: String
        var isCopied: Bool { codec == "copy" }
    }

    let tracks: [Track]
    /// Losses, for the user.
    let notes: [String]
    let container: Container
    private let input: VideoInput
    private let range: VideoRange
    /// Time of the input at which the output begins, in seconds.
    let zero: Double

    init(of input: VideoInput, in container: Container, _ range: VideoRange) throws(ToolError) {
        (self.input, self.container, self.range) = (input, container, range)
        // Whole ticks of the video: its times lose nothing when they are moved.
        zero = input.isContinuous ? Double(input.ticks(range.start)) * input.unit.value : 0
        var tracks: [Track] = []
        var notes: [String] = []
        let videos = input.description.streams(.video)
        let others = videos.filter { !$0.isPicture }.count
        if others > 1 { notes.append("only the first of \(others) video tracks is kept") }
        for stream in input.description.streams where stream.index != input.track.index {
            if stream.kind == .video, !stream.isPicture { continue }
            guard !container.holdsFramesOnly else {
                notes.append("left out: \(stream.kind.rawValue) (\(stream.codec))")
                continue
            }
            // A time code is a tag of the video, from which QuickTime's track is written.
            // Chapters are metadata, from which QuickTime's track is written, too.
            if stream.isTimeCode || stream.isChapterText && input.description.chapterCount > 0 { continue }
            if let codec = try Self.codec(stream, input, container) {
                tracks.append(Track(stream: stream, codec: codec))
                if let note = Self.conversion(stream, codec, container) { notes.append(note) }
            } else {
                notes.append(Self.loss(stream, container))
            }
        }
        if input.description.chapterCount > 0, !range.isWhole {
            notes.append("chapters are left out of a part of a video")
        }
        (self.tracks, self.notes) = (tracks, notes)
    }

    // MARK: - Arguments

    /// Arguments of ffmpeg that read the video from a pipe, and all else from the input.
    ///
    /// Times of all inputs stay as they are, and those of the output are moved: ffmpeg by itself moves each input to the first
    /// time of the streams that are used, which parts sound and picture of transport streams.
    ///
    /// - Parameter first: time of the first frame in the pipe, in seconds.
    func inputArguments(first: Double) -> [String] {
        guard input.isContinuous else {
            return ["-itsoffset", first.text(decimals: 6), "-f", "nut", "-i", "pipe:0"] + Self.queue
                + input.media.arguments
        }
        var arguments =
            ["-copyts", "-itsoffset", zero.text(decimals: 6), "-f", "nut", "-i", "pipe:0"] + Self.queue
        if range.start > 0 {
            let hasSubtitles = tracks.contains { $0.stream.kind == .subtitle }
            let place = zero - (hasSubtitles ? Self.subtitleSeconds : 0)
            arguments += ["-seek_timestamp", "1", "-ss", place.text(decimals: 6), "-noaccurate_seek"]
        }
        return arguments + input.media.arguments
    }

    /// Maximum time for which a line of subtitles is shown; guidelines for subtitles say seven seconds.
    private static let subtitleSeconds = 10.0

    /// Packets of a long input wait for the frames that belong to them.
    private static let queue = ["-thread_queue_size", "4096"]

    /// Time of the input at which the output ends, in seconds; nil for its end.
    private var end: Double? { range.end.map { zero + Double($0 - min($0, range.start)) / 1e9 } }

    /// Arguments of ffmpeg that choose the tracks and metadata of the output.
    ///
    /// - Parameter frames: number of frames of the video; nil where it is not known before.
    func outputArguments(frames: Int?) -> [String] {
        var arguments = ["-map", "0:v:0"]
        for track in tracks { arguments += ["-map", "1:\(track.stream.index)"] }
        for (place, track) in tracks.enumerated() {
            arguments += ["-c:\(place + 1)", track.codec]
            if track.stream.kind == .audio, !track.isCopied { arguments += trimming(place + 1) }
            if track.codec == "aac" { arguments += ["-b:\(place + 1)", "192k"] }
            if track.codec == "libopus" {
                arguments += ["-b:\(place + 1)", "160k", "-ac:\(place + 1)", channels(track)]
            }
        }
        arguments += ["-map_metadata", "1", "-map_chapters", keepsChapters ? "1" : "-1"]
        // Packets before zero are hidden by an edit list, unless the file begins there.
        let beginsBeforeZero = range.start == 0 && input.start < 0
        arguments += [
            "-copypriorss", beginsBeforeZero ? "1" : "0", "-max_interleave_delta", "0",
            "-max_muxing_queue_size", "100000",
        ]
        for (place, track) in tracks.enumerated() where track.stream.kind == .subtitle {
            arguments += cuttingLines(place + 1)
        }
        // ffmpeg makes the first track of a kind the default one unless the flags of each are given.
        for (place, stream) in ([input.track] + tracks.map(\.stream)).enumerated() {
            arguments += ["-map_metadata:s:\(place)", "1:s:\(stream.index)"]
            let flags = stream.dispositions.sorted().joined(separator: "+")
            arguments += ["-disposition:\(place)", flags.isEmpty ? "0" : flags]
        }
        if input.description.hasPrefixedTags, container.hasTrackTimescale {
            arguments += ["-movflags", "use_metadata_tags"]
        }
        // Before times are moved, ends are those of the input.
        if let end { arguments += ["-t", end.text(decimals: 6)] }
        // Rounded up, since a frame just before zero would be hidden by an edit list of MP4.
        let microseconds = (zero * 1e6 + 0.001).rounded(.down)
        if input.isContinuous { arguments += ["-output_ts_offset", (-microseconds / 1e6).text(decimals: 6)] }
        if container.hasTrackTimescale, let code = timeCode {
            let isRateFound = frames ?? .max >= Self.minimumTimed
            // An empty value removes the tag, from which ffmpeg would write the track.
            arguments +=
                isRateFound
                ? ["-timecode", code] : ["-metadata", "timecode=", "-metadata:s:0", "timecode="]
        }
        return arguments + ["-f", container.libavFormat]
    }

    /// Filter that cuts decoded sound at the ends of a range.
    private func trimming(_ place: Int) -> [String] {
        guard !range.isWhole, input.isContinuous else { return [] }
        let end = end.map { ":end=\($0.text(decimals: 6))" } ?? ""
        return ["-filter:\(place)", "atrim=start=\(zero.text(decimals: 6))\(end)"]
    }

    /// Arguments that keep a line of subtitles which is shown at the beginning or end of a range, for as long as it is shown there.
    private func cuttingLines(_ place: Int) -> [String] {
        guard !range.isWhole, input.isContinuous else { return [] }
        let start = zero.text(decimals: 6)
        let end = end.map { "min(PTS+DURATION\\,\($0.text(decimals: 6))/TB)" } ?? "PTS+DURATION"
        let begin = "max(PTS\\,\(start)/TB)"
        return [
            "-copypriorss:\(place)", "1", "-bsf:\(place)",
            "noise=drop=lte((pts+duration)*tb\\,\(start)),setts=pts=\(begin):dts=\(begin):duration=\(end)-\(begin)",
        ]
    }

    /// Whether chapters have the times of the output, but for the delay of an audio encoder.
    private var keepsChapters: Bool { range.isWhole && abs(zero) < 0.05 }

    /// libopus takes the common layouts only.
    private func channels(_ track: Track) -> String { "\(min(max(track.stream.channels, 1), 8))" }

    /// Minimum frames of a video with a time code, whose track needs the frame rate; ffmpeg (5 to 7) finds the rate
    /// of piped frames by three.
    private static let minimumTimed = 3

    /// Time code of the first frame; nil where the input has none, or a part of the video begins elsewhere.
    private var timeCode: String? {
        guard range.start == 0 else { return nil }
        return input.track.tags["timecode"] ?? input.description.streams.lazy.compactMap {
            $0.tags["timecode"]
        }.first
            ?? input.description.tags["timecode"]
    }

    // MARK: - Codecs

    /// The way to write a stream; nil where the container cannot hold it.
    private static func codec(
        _ stream: MediaDescription.Stream, _ input: VideoInput, _ container: Container
    ) throws(ToolError) -> String? {
        for codec in ["copy"] + container.encoders(of: stream)
        where try isWritable(stream, codec, input, container) { return codec }
        return nil
    }

    /// Whether ffmpeg can write the beginning of a stream into such a container.
    private static func isWritable(
        _ stream: MediaDescription.Stream, _ codec: String, _ input: VideoInput, _ container: Container
    ) throws(ToolError) -> Bool {
        // WebVTT is the only kind of subtitles that WebM has; ffmpeg writes others there, too.
        if container == .webm, stream.kind == .subtitle, codec == "copy", stream.codec != "webvtt" {
            return false
        }
        // ffmpeg writes Vorbis into MP4, and hardly any player reads it.
        if container.hasTrackTimescale, codec == "copy", stream.codec == "vorbis" { return false }
        let arguments =
            input.media.arguments + ["-map", "0:\(stream.index)", "-c", codec]
            + (stream.kind == .attachment ? [] : ["-t", "1"]) + [
                "-f", container.libavFormat, "-y", "/dev/null",
            ]
        return try FFmpeg.run(arguments).isDone
    }

    private static func conversion(
        _ stream: MediaDescription.Stream, _ codec: String, _ container: Container
    ) -> String? {
        guard codec != "copy" else { return nil }
        switch stream.kind {
        case .audio:
            return
                "the audio (\(stream.codec)) is re-encoded: .\(container.rawValue) cannot hold it unchanged"
        case .subtitle where ["text", "subrip", "mov_text"].contains(stream.codec): return nil
        case .subtitle: return "the subtitles (\(stream.codec)) are written as plain text"
        default: return nil
        }
    }

    private static func loss(_ stream: MediaDescription.Stream, _ container: Container) -> String {
        let kind =
            stream.codec.isEmpty
            ? (stream.tag.hasPrefix("[") ? "" : " (\(stream.tag))") : " (\(stream.codec))"
        let advice = container == .mkv || stream.kind == .data ? "" : "; .mkv may hold them"
        return switch stream.kind {
        case .audio: "the audio\(kind) is left out: no decoder for it is installed"
        case .subtitle: "the subtitles\(kind) are left out\(advice)"
        case .video: "left out: a cover picture, which .\(container.rawValue) cannot hold"
        case .attachment: "left out: an attached file\(kind)"
        case .data: "left out: a data track\(kind)"
        }
    }
}

extension MediaDescription.Stream {
    fileprivate var isChapterText: Bool { kind == .data && codec == "bin_data" && tag == "text" }

    var isTimeCode: Bool { kind == .data && (tag == "tmcd" || tags["timecode"] != nil) }
}

extension MediaDescription {
    /// Whether tags have names of a maker's own, such as `com.apple.quicktime.model`.
    fileprivate var hasPrefixedTags: Bool { tags.keys.contains { $0.hasPrefix("com.") } }
}

extension Container {
    /// ffmpeg's name of the muxer.
    var libavFormat: String {
        switch self {
        case .mp4: "mp4"
        case .mov: "mov"
        // Attached pictures are excluded.
        case .mkv, .png, .jpg: "matroska"
        case .webm: "webm"
        case .y4m: "yuv4mpegpipe"
        case .apng: "apng"
        }
    }

    /// ffmpeg's encoders for streams that cannot be copied, best first.
    fileprivate func encoders(of stream: MediaDescription.Stream) -> [String] {
        switch (stream.kind, self) {
        case (.audio, .mp4), (.audio, .mov): ["aac"]
        case (.audio, .mkv), (.audio, .webm): ["libopus"]
        case (.subtitle, .mp4), (.subtitle, .mov): ["mov_text"]
        case (.subtitle, .mkv): ["subrip"]
        case (.subtitle, .webm): ["webvtt"]
        default: []
        }
    }
}
