import CommandKit
import MediaFiles

/// The output's metadata, and its tracks besides the composed video: copied where the container can hold them.
struct OutputTracks: Sendable {
    /// A track of the input that the output has.
    struct Track: Sendable {
        let stream: MediaDescription.Stream
        /// ffmpeg's encoder; `copy` for packets as they are.
        let codec: String
        /// The encoding of sound that is not copied.
        var sound: SoundEncoding?
        /// The parts of decoded sound that are played, where the file leaves out others.
        var cut: SoundCut?
        var isCopied: Bool { codec == "copy" }
    }

    let tracks: [Track]
    /// Covers of the input that the output has as attached files.
    private let covers: [AttachedCover]
    /// Losses, for the user.
    let notes: [String]
    let container: Container
    private let input: VideoInput
    private let range: VideoRange
    /// Time of the input at which the output begins, in seconds.
    let zero: Double
    /// Time code of the first frame; nil where the input has none, a part of the video begins elsewhere, or the container cannot
    /// hold it.
    let timeCode: String?

    /// - Parameters:
    ///   - hidesContents: whether the composed frames hide something, which other pictures of the file could show.
    ///   - rate: frames a second.
    init(
        of input: VideoInput, in container: Container, _ range: VideoRange, hidesContents: Bool,
        _ rate: Rational
    ) throws(ToolError) {
        (self.input, self.container, self.range) = (input, container, range)
        let code = range.start == 0 && !container.holdsFramesOnly ? input.timeCode : nil
        if let code, container.hasTrackTimescale, try !Self.isWritable(code, rate) {
            timeCode = nil
        } else {
            timeCode = code
        }
        // Whole ticks of the video: its times lose nothing when they are moved.
        zero = input.isContinuous ? Double(input.ticks(range.start)) * input.unit.value : 0
        var tracks: [Track] = []
        var notes: [String] = []
        var covers: [AttachedCover] = []
        let videos = input.description.streams(.video)
        let others = videos.filter { !input.isPicture($0) }.count
        if others > 1 { notes.append("only the first of \(others) video tracks is kept") }
        for stream in input.description.streams where stream.index != input.track.index {
            let isPicture = input.isPicture(stream)
            if stream.kind == .video, !isPicture { continue }
            if hidesContents, isPicture || stream.mayHoldPicture {
                notes.append(Self.hiddenPicture(stream))
                continue
            }
            guard !container.holdsFramesOnly else {
                notes.append("left out: \(stream.kind.rawValue) (\(stream.codec))")
                continue
            }
            // A time code is a tag of the video, from which QuickTime's track is written.
            // Chapters are metadata, from which QuickTime's track is written, too.
            if stream.isTimeCode || stream.isChapterText && input.description.chapterCount > 0 { continue }
            if isPicture, container == .mkv {
                covers.append(try AttachedCover(of: input, stream))
            } else if let track = try Self.track(stream, input, container) {
                tracks.append(track)
                if let note = Self.conversion(track, container) { notes.append(note) }
            } else {
                try Self.checkSound(stream, input, container)
                notes.append(Self.loss(stream, container))
            }
        }
        if input.description.chapterCount > 0, !range.isWhole {
            notes.append("chapters are left out of a part of a video")
        }
        (self.tracks, self.covers, self.notes) = (tracks, covers, notes)
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
        // Once more for sound of which parts are left out.
        let whole =
            tracks.contains { $0.cut != nil } ? ["-ignore_editlist", "1"] + input.media.arguments : []
        return arguments + input.media.arguments + whole
    }

    /// Maximum time for which a line of subtitles is shown; guidelines for subtitles say seven seconds.
    private static let subtitleSeconds = 10.0

    /// Packets of a long input wait for the frames that belong to them.
    private static let queue = ["-thread_queue_size", "4096"]

    /// Time of the input at which the output ends, in seconds; nil for its end.
    private var end: Double? { range.end.map { zero + Double($0 - min($0, range.start)) / 1e9 } }

    /// Arguments of ffmpeg that choose the tracks and metadata of the output.
    var outputArguments: [String] {
        var arguments = ["-map", "0:v:0"]
        for track in tracks {
            arguments += ["-map", "\(track.cut == nil ? 1 : 2):\(track.stream.index)"]
        }
        for (place, track) in tracks.enumerated() {
            arguments += ["-c:\(place + 1)", track.codec]
            if let sound = track.sound {
                let filters = (track.cut.map { [$0.filter] } ?? []) + trimming + [sound.filter]
                arguments += ["-filter:\(place + 1)", filters.joined(separator: ",")]
                arguments += ["-b:\(place + 1)", "\(sound.bitRate)"]
            }
        }
        arguments += ["-map_metadata", "1", "-map_chapters", keepsChapters ? "1" : "-1"]
        // Packets before zero are hidden by an edit list, unless the file begins there.
        let beginsBeforeZero = range.start == 0 && input.start < 0
        arguments += [
            "-copypriorss", beginsBeforeZero ? "1" : "0", "-max_interleave_delta", "0",
            "-max_muxing_queue_size", "100000",
        ]
        for (place, track) in tracks.enumerated() {
            if track.stream.kind == .subtitle { arguments += cuttingLines(place + 1) }
            if track.isCopied, hasPriming(track.stream) { arguments += keepingPriming(place + 1) }
        }
        let attached = tracks.filter { $0.stream.kind == .attachment }.count
        for (place, cover) in covers.enumerated() { arguments += cover.arguments(attached + place) }
        // ffmpeg makes the first track of a kind the default one unless the flags of each are given.
        for (place, stream) in ([input.track] + tracks.map(\.stream)).enumerated() {
            arguments += ["-map_metadata:s:\(place)", "1:s:\(stream.index)"]
            let flags = stream.dispositions.sorted().joined(separator: "+")
            arguments += ["-disposition:\(place)", flags.isEmpty ? "0" : flags]
        }
        if container.hasTrackTimescale {
            // The index in front, so that players begin before the whole file is there.
            let names = input.description.hasPrefixedTags ? "+use_metadata_tags" : ""
            arguments += ["-movflags", "+faststart\(names)"]
        }
        // Before times are moved, ends are those of the input.
        if let end { arguments += ["-t", end.text(decimals: 6)] }
        // Rounded up, since a frame just before zero would be hidden by an edit list of MP4.
        let microseconds = (zero * 1e6 + 0.001).rounded(.down)
        if input.isContinuous { arguments += ["-output_ts_offset", (-microseconds / 1e6).text(decimals: 6)] }
        if let timeCode, container.hasTrackTimescale { arguments += ["-timecode", timeCode] }
        if timeCode == nil, input.timeCode != nil {
            // An empty value removes the tag, from which ffmpeg would write the track.
            arguments += ["-metadata", "timecode=", "-metadata:s:0", "timecode="]
        }
        return arguments + ["-f", container.libavFormat]
    }

    /// Filter that cuts decoded sound at the ends of a range.
    private var trimming: [String] {
        guard !range.isWhole, input.isContinuous else { return [] }
        let end = end.map { ":end=\($0.text(decimals: 6))" } ?? ""
        return ["atrim=start=\(zero.text(decimals: 6))\(end)"]
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

    /// Whether packets of copied sound come before the first one that is heard, and the container can hold them.
    ///
    /// MP4 and QuickTime hide what is before zero. In Matroska it is heard, and all other times come as much later, as with
    /// `ffmpeg -c copy`: it may be no more than what an encoder of AAC has put there.
    private func hasPriming(_ stream: MediaDescription.Stream) -> Bool {
        guard stream.kind == .audio, range.start == 0, input.isContinuous,
            let track = input.movieTrack(of: stream)
        else { return false }
        guard container == .mkv else { return container.hasTrackTimescale }
        let hidden = track.edits.lazy.compactMap(\.start).first.map { Double($0) / Double(track.timescale) }
        return stream.codec == "aac" && hidden.map { $0 > 0 && $0 <= Self.primingSeconds } ?? false
    }

    /// Arguments that keep the packets from which a decoder has to begin, so that the first one that is heard is whole.
    private func keepingPriming(_ place: Int) -> [String] {
        let first = (zero - Self.primingSeconds).text(decimals: 6)
        return ["-copypriorss:\(place)", "1", "-bsf:\(place)", "noise=drop=lt(pts*tb\\,\(first))"]
    }

    /// Seconds: the 2112 samples that Apple's AAC encoder needs, at 44.1 kHz, are 0.048.
    private static let primingSeconds = 0.05

    /// Whether chapters have the times of the output, but for the delay of an audio encoder.
    private var keepsChapters: Bool { range.isWhole && abs(zero) < 0.05 }

    /// Whether ffmpeg can write a time code of a rate into QuickTime's track: not all rates have such codes.
    private static func isWritable(_ timeCode: String, _ rate: Rational) throws(ToolError) -> Bool {
        let frame = ["-f", "lavfi", "-i", "color=size=16x16:rate=\(rate)", "-frames:v", "1", "-c:v", "mpeg4"]
        let result = try FFmpeg.run(frame + ["-timecode", timeCode, "-f", "mov", "-y", "/dev/null"])
        return result.isDone && !result.diagnostics.hasWriteError
    }

    // MARK: - Codecs

    /// The way to write a stream; nil where the container cannot hold it.
    private static func track(
        _ stream: MediaDescription.Stream, _ input: VideoInput, _ container: Container
    ) throws(ToolError) -> Track? {
        // ffmpeg would write an empty description of such packets, as those of phones' sensors.
        if stream.kind == .data, stream.codec.isEmpty { return nil }
        let cut = stream.kind == .audio ? input.movieTrack(of: stream).flatMap { SoundCut($0) } : nil
        if cut == nil, try isWritable(stream, ["copy"], input, container), !isUncommon(stream, in: container)
        {
            return Track(stream: stream, codec: "copy")
        }
        if stream.kind == .audio {
            for sound in SoundEncoding.ways(stream, in: container)
            where try isWritable(stream, [sound.encoder, "-filter:a", sound.filter], input, container) {
                return Track(stream: stream, codec: sound.encoder, sound: sound, cut: cut)
            }
        } else if let encoder = container.subtitleEncoder, stream.kind == .subtitle,
            try isWritable(stream, [encoder], input, container)
        {
            return Track(stream: stream, codec: encoder)
        }
        return nil
    }

    /// Whether ffmpeg writes packets of the stream into a container in which hardly any player reads them.
    private static func isUncommon(_ stream: MediaDescription.Stream, in container: Container) -> Bool {
        // WebVTT is the only kind of subtitles that WebM has.
        if container == .webm, stream.kind == .subtitle, stream.codec != "webvtt" { return true }
        return container.hasTrackTimescale && stream.codec == "vorbis"
    }

    /// Whether ffmpeg can write the beginning of a stream into such a container.
    ///
    /// - Parameter codec: the encoder, with options for it.
    private static func isWritable(
        _ stream: MediaDescription.Stream, _ codec: [String], _ input: VideoInput, _ container: Container
    ) throws(ToolError) -> Bool {
        let arguments =
            input.media.arguments + ["-map", "0:\(stream.index)", "-c"] + codec
            + (stream.kind == .attachment ? [] : ["-t", "1"]) + [
                "-f", container.libavFormat, "-y", "/dev/null",
            ]
        return try FFmpeg.run(arguments).isDone
    }

    /// Throws for sound that can be decoded and that no encoding fits, which must not be missing.
    private static func checkSound(
        _ stream: MediaDescription.Stream, _ input: VideoInput, _ container: Container
    ) throws(ToolError) {
        guard stream.kind == .audio, try MediaDescription.isDecodable(stream, of: input.media) else { return }
        throw ToolError(
            .output,
            "The audio (\(stream.codec), track \(stream.index)) of \(input.media.name) cannot be written into "
                + ".\(container.rawValue). Choose another ending: .mkv holds most kinds.")
    }

    private static func conversion(_ track: Track, _ container: Container) -> String? {
        let stream = track.stream
        guard !track.isCopied else { return nil }
        switch stream.kind {
        case .audio:
            let before = stream.channelLayout
            let isMixed = before != nil && track.sound?.layout != before
            let codec = isMixed ? "\(stream.codec), \(before ?? "")" : stream.codec
            let layout = isMixed ? " as \(track.sound?.layout ?? "")" : ""
            let reason =
                track.cut == nil
                ? ".\(container.rawValue) cannot hold it unchanged"
                : "the file leaves out parts of it, which must not stay in the output"
            return "the audio (\(codec)) is re-encoded\(layout): \(reason)"
        case .subtitle where ["text", "subrip", "mov_text"].contains(stream.codec): return nil
        case .subtitle: return "the subtitles (\(stream.codec)) are written as plain text"
        default: return nil
        }
    }

    private static func hiddenPicture(_ stream: MediaDescription.Stream) -> String {
        let name = stream.tags["filename"].map { " \($0)" } ?? ""
        let what = stream.kind == .attachment ? "an attached file\(name)" : "the cover picture\(name)"
        return "left out: \(what), which may show what is hidden in the video"
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
    /// Whether it is an attached file of another kind than letters.
    fileprivate var mayHoldPicture: Bool {
        guard kind == .attachment else { return false }
        let type = tags["mimetype"] ?? ""
        return !["font", "truetype", "opentype"].contains(where: type.contains)
    }

    fileprivate var isChapterText: Bool { kind == .data && codec == "bin_data" && tag == "text" }

    var isTimeCode: Bool { kind == .data && (tag == "tmcd" || tags["timecode"] != nil) }
}

extension VideoInput {
    /// Time code of the first frame; nil where there is none.
    var timeCode: String? {
        track.tags["timecode"] ?? description.streams.lazy.compactMap { $0.tags["timecode"] }.first
            ?? description.tags["timecode"]
    }
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
        case .gif: "gif"
        }
    }

    /// ffmpeg's encoder for subtitles that cannot be copied; nil where there is none.
    fileprivate var subtitleEncoder: String? {
        switch self {
        case .mp4, .mov: "mov_text"
        case .mkv: "subrip"
        case .webm: "webvtt"
        case .y4m, .apng, .gif, .png, .jpg: nil
        }
    }
}

/// The cover picture of a video, as a file that is attached to a Matroska file: there covers are no tracks.
struct AttachedCover: Sendable {
    private let file: UnnamedFile
    private let name: String
    private let type: String

    /// Copies a stream's picture.
    init(of input: VideoInput, _ stream: MediaDescription.Stream) throws(ToolError) {
        let (ending, type) = Self.kinds[stream.codec] ?? (stream.codec, "image/\(stream.codec)")
        (name, self.type) = (stream.tags["filename"] ?? "cover.\(ending)", stream.tags["mimetype"] ?? type)
        file = try UnnamedFile()
        let result = try FFmpeg.run(
            input.media.arguments + [
                "-map", "0:\(stream.index)", "-c", "copy", "-frames:v", "1", "-f", "image2", "-update", "1",
                "-y", FFmpeg.file(file.path),
            ])
        guard result.isDone else { throw .unreadable(input.media.name, result.diagnostics) }
    }

    /// Endings of names and types by ffmpeg's names of codecs.
    private static let kinds = ["mjpeg": ("jpg", "image/jpeg"), "png": ("png", "image/png")]

    /// ffmpeg's arguments that attach it.
    ///
    /// - Parameter place: its place among the attached files.
    func arguments(_ place: Int) -> [String] {
        [
            "-attach", FFmpeg.file(file.path), "-metadata:s:t:\(place)", "filename=\(name)",
            "-metadata:s:t:\(place)", "mimetype=\(type)",
        ]
    }
}
