import CommandKit
import FileNames
import Glibc
import MediaFiles

/// A video to be read: its first video track, and the times of that track's frames.
struct VideoInput: Sendable {
    let media: MediaInput
    let description: MediaDescription
    let track: MediaDescription.Stream
    /// Packets of all streams.
    let index: PacketIndex
    /// Seconds of a tick: a whole part of the track's time base, and a tenth of a millisecond at most.
    let unit: Rational
    /// First time in seconds at which something of the file is presented.
    let start: Double
    /// Display aspects of its pictures.
    private(set) var shapes = PictureShapes.constant
    /// Tracks of MP4 and QuickTime, as their boxes describe them.
    let movieTracks: [MovieTrack]
    /// Times of all frames in nanoseconds from the beginning of the file, ascending.
    private(set) var frameTimes: [UInt64] = []
    /// Times of frames that can be decoded without others, likewise.
    private(set) var keyTimes: [UInt64] = []
    /// Whether no time jumps back; times do in transport streams that were concatenated.
    private(set) var isContinuous = true
    /// Whether frames can be found by their times: the times are distinct, and the clock never restarts.
    private(set) var hasExactTimes = false

    /// Reads headers and the times of all packets; of broadcasts the key frames are decoded, of others nothing.
    ///
    /// - Parameter name: the input's name in messages; nil for its path.
    private init(path: String, named name: String?) throws(ToolError) {
        media = MediaInput(path: path, named: name)
        description = try MediaDescription(of: media)
        movieTracks = description.format.hasPrefix("mov") ? MovieTrack.all(ofFile: path) : []
        let videos = description.streams(.video).filter { !$0.isPicture }
        guard let first = videos.first else { throw ToolError(.input, "\(media.name) contains no video.") }
        let packets = try PacketIndex(of: media, video: first.index)
        let track = packets.mainVideo(of: videos) ?? first
        self.track = track
        index = track.index == first.index ? packets : try PacketIndex(of: media, video: track.index)
        unit = track.timeBase.refined
        // ffprobe may name the time of a later frame than the first if packets have no decoding times, as in Matroska.
        let firstKey = index.streams[track.index]?.keys.first.map { Double($0) * track.timeBase.value }
        start = min(description.start, firstKey ?? .infinity)
        readTimes()
        // Behind a jump back, frames by ffmpeg have other times than key frames decoded by themselves.
        if isBroadcast, isContinuous {
            shapes = try PictureShapes(of: media, stream: track.index)
        }
        try checkCodec()
    }

    /// Throws where the frames cannot be decoded without a key, or without another decoder.
    private func checkCodec() throws(ToolError) {
        if movieTrack(of: track)?.isEncrypted ?? false {
            throw ToolError(
                .input,
                "\(media.name) is encrypted: only programs with its key can show it, such as its shop's.")
        }
        guard track.codec.isEmpty else { return }
        let name = Self.undecoded[track.tag].map { " (\($0))" } ?? ""
        throw ToolError(
            .input,
            "\(media.name) cannot be decoded: ffmpeg has no decoder for \(track.tag)\(name). Convert it with the "
                + "maker's program first, for example to ProRes 422.")
    }

    /// Names of codecs that ffmpeg does not know, by their tags in QuickTime files.
    private static let undecoded = [
        "aprn": "ProRes RAW", "aprh": "ProRes RAW HQ", "CRAW": "Canon RAW",
    ]

    /// The boxes' description of a stream; nil in other files.
    func movieTrack(of stream: MediaDescription.Stream) -> MovieTrack? {
        stream.id.flatMap { id in movieTracks.first { $0.id == id } }
    }

    /// Whether a stream is a picture beside the video, such as a cover: Matroska's may have no flag that says so.
    func isPicture(_ stream: MediaDescription.Stream) -> Bool {
        guard stream.kind == .video, stream.index != track.index else { return false }
        return stream.isPicture || (index.streams[stream.index]?.count ?? 0) <= 1
    }

    /// Reads headers and times while this thread handles signals.
    static func open(_ path: String, named name: String? = nil) throws(ToolError) -> VideoInput {
        try WatchedWork.run(name ?? path, "while it is read") { () throws(ToolError) in
            try VideoInput(path: path, named: name)
        }
    }

    private mutating func readTimes() {
        guard let packets else { return }
        frameTimes = packets.times.sorted().map(presentationTime)
        keyTimes = packets.keys.sorted().map(presentationTime)
        let reordering = max(1, Self.reorderedFrames / (track.video.rate?.value ?? 25))
        let jump = Int(min(reordering, 1e6) * 1e9).rescaled(from: .nanosecond, to: track.timeBase)
        isContinuous =
            !passesClockEnd
            && zip(packets.times, packets.times.dropFirst()).allSatisfy { $0 &- $1 < jump }
        let areUnique = zip(frameTimes, frameTimes.dropFirst()).allSatisfy { $0 < $1 }
        hasExactTimes =
            hasFramePerPacket && packets.untimed == 0 && !packets.times.isEmpty && isContinuous && areUnique
    }

    private var packets: PacketIndex.Stream? { index.streams[track.index] }

    // MARK: - Times

    /// The file's beginning, in ticks.
    private var origin: Int {
        // ffprobe prints microseconds.
        Int((start * 1e6).rounded()).rescaled(from: .microsecond, to: unit)
    }

    /// Nanoseconds from the beginning of the file, as a player shows them; 0 for times before.
    func nanoseconds(_ ticks: Int) -> UInt64 {
        UInt64(max(0, (ticks &- origin).rescaled(from: unit, to: .nanosecond)))
    }

    /// Nanoseconds from the beginning of the file for a packet's time.
    private func presentationTime(_ time: Int) -> UInt64 {
        nanoseconds(time.rescaled(from: track.timeBase, to: unit))
    }

    /// Ticks of a time in nanoseconds from the beginning of the file.
    func ticks(_ nanoseconds: UInt64) -> Int {
        Int(clamping: nanoseconds).rescaled(from: .nanosecond, to: unit) &+ origin
    }

    /// Seconds in the stream of a time in nanoseconds from the beginning of the file.
    func seconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e9 + start }

    /// Time in nanoseconds for which the last frame is shown; nil where the file does not say.
    var lastDuration: UInt64? {
        guard let ticks = packets?.lastDuration, ticks > 0 else { return nil }
        return UInt64(ticks.rescaled(from: track.timeBase, to: .nanosecond))
    }

    /// Length from the beginning of the file to the end of the last frame, in nanoseconds; 0 where it is not known.
    var length: UInt64 { packets?.end.map(presentationTime) ?? 0 }

    // MARK: - Packets

    /// Bytes of the file; 0 where that is not known.
    var byteCount: Int {
        var status = stat()
        return stat(media.path.fileName, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Bytes at the end of a transport stream that are no whole packet; nil for other files.
    var bytesBehindPackets: Int? {
        guard description.format == "mpegts", byteCount > 0 else { return nil }
        // Packets have 188 bytes, or 192 with times as on Blu-ray discs.
        let lengths = [188, 192]
        return lengths.map { byteCount % $0 }.min()
    }

    /// Whether the file ends before the first part of a RIFF file does, whose size stands at its beginning.
    var isShorterThanRIFF: Bool {
        let start = FileSystem.start(of: media.path, count: 8)
        guard start.count == 8, start.starts(with: "RIFF".utf8), byteCount > 0 else { return false }
        let size = start[4...].reversed().reduce(0) { $0 << 8 | Int($1) }
        // Writers of streams that could not go back leave 0 there, or the largest number.
        return size > 0 && size < Int(UInt32.max) && byteCount < size + 8
    }

    /// Number of empty chunks of an AVI file, each of which repeats the frame before it.
    var emptyChunkCount: Int { AVIChunks.emptyCount(ofFile: media.path, stream: track.index) }

    /// Number of packets with a frame that is shown; nil where packets do not show it.
    var frameCount: Int? { hasFramePerPacket ? packets?.count : nil }

    /// Whether each packet holds one frame that is shown: VP8 has hidden ones.
    private var hasFramePerPacket: Bool { track.codec != "vp8" }

    /// Whether it is a transport or program stream whose clock restarts: a concatenated recording, or a very long one.
    var hasRestartingClock: Bool { !isContinuous && isBroadcast }

    /// Whether the file is a transport or program stream.
    private var isBroadcast: Bool { description.format.hasPrefix("mpeg") }

    /// Frames by which a packet may be presented before the one that precedes it in the file.
    ///
    /// At most 16 are reordered (ITU-T H.264, A.3.1; H.265, A.4.2).
    private static let reorderedFrames = 17.0

    /// Whether the clock of a transport or program stream, of 33 bits at 90 kHz, restarts within the file.
    private var passesClockEnd: Bool {
        isBroadcast && description.start + (description.length ?? 0) + 1 > Double(1 << 33) / 90000
    }
}

extension PacketIndex {
    /// Codecs of pictures, which covers have.
    private static let pictures: Set = ["png", "mjpeg", "bmp", "gif", "webp", "tiff"]

    /// The first of the tracks.
    ///
    /// If that is a single picture, the largest one that moves; without any, the largest of a codec of videos.
    fileprivate func mainVideo(of videos: [MediaDescription.Stream]) -> MediaDescription.Stream? {
        func moves(_ stream: MediaDescription.Stream) -> Bool { (streams[stream.index]?.count ?? 0) > 1 }
        guard let first = videos.first, !moves(first) else { return videos.first }
        let moving = videos.filter(moves)
        let candidates = moving.isEmpty ? videos.filter { !Self.pictures.contains($0.codec) } : moving
        // Of equals the first one.
        return candidates.reduce(nil as MediaDescription.Stream?) { best, next in
            guard let best else { return next }
            return next.video.area > best.video.area ? next : best
        }
    }
}

extension MediaDescription.Video {
    fileprivate var area: Int { width &* height }
}

extension Rational {
    /// A whole part of it that is a tenth of a millisecond at most.
    fileprivate var refined: Rational {
        var unit = self
        while unit.value > 0.0001, unit.denominator < 1 << 40 { unit.denominator *= 10 }
        return unit
    }
}

/// Display aspects of a broadcast's pictures, which change with programs and advertisements.
///
/// Since version 7, ffmpeg gives all frames the pixel aspect of the first one. Key frames by themselves have their own.
struct PictureShapes: Sendable {
    /// A time from which on pictures have another size or aspect than before.
    private struct Change {
        /// Time in the stream.
        let seconds: Double
        /// Width divided by height, as shown.
        let aspect: Double
    }

    /// The first key frame, and those that differ from the key frame before.
    private let changes: [Change]

    /// Shapes of a stream that keeps one.
    static let constant = PictureShapes(changes: [])

    private init(changes: [Change]) { self.changes = changes }

    /// Decodes the key frames of a stream.
    init(of media: MediaInput, stream: Int) throws(ToolError) {
        var changes: [Change] = []
        var last = ""
        _ = try FFmpeg.probe(
            [
                "-select_streams", "\(stream)", "-skip_frame", "nokey", "-show_entries",
                "frame=pts_time,width,height,sample_aspect_ratio", "-of", "csv=p=0",
            ] + media.arguments
        ) { line in
            let fields = String(cString: line).split { $0 == "," || $0.isNewline }
            guard fields.count >= 4, let seconds = Double(fields[0]), let width = Double(fields[1]),
                let height = Double(fields[2]), height > 0
            else { return }
            let shape = fields[1...3].joined(separator: ",")
            guard shape != last else { return }
            last = shape
            let pixel = Rational(String(fields[3]))?.value ?? 1
            changes.append(Change(seconds: seconds, aspect: width * pixel / height))
        }
        self.changes = changes
    }

    /// Number of changes.
    var changeCount: Int { max(0, changes.count - 1) }

    /// Whether pictures change between two times in the stream, in seconds.
    func changes(between start: Double, and end: Double) -> Bool {
        changes.dropFirst().contains { start < $0.seconds && $0.seconds < end }
    }

    /// Returns the display aspect of the frame at a time in the stream, in seconds; nil where it never changes.
    func displayAspect(at seconds: Double) -> Double? {
        guard changeCount > 0 else { return nil }
        return (changes.last { $0.seconds <= seconds + Self.tolerance } ?? changes.first)?.aspect
    }

    /// Half a millisecond, in seconds: less than any frame lasts.
    private static let tolerance = 0.0005

    /// An expression of ffmpeg's filters for the display aspect of a frame at the time `t`.
    var displayAspect: String {
        guard changeCount > 0, let first = changes.first else { return "dar" }
        let steps = zip(changes, changes.dropFirst()).map { before, after in
            "+gte(t,\(after.seconds - Self.tolerance))*(\(after.aspect - before.aspect))"
        }
        return "\(first.aspect)" + steps.joined()
    }
}
