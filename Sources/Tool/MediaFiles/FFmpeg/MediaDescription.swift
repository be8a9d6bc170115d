package import CommandKit
import FileNames
import Glibc
package import JSON

/// Contents of a media file, as `ffprobe` describes them.
package struct MediaDescription: Sendable {
    package let streams: [Stream]
    /// Names of the container's format, separated by commas, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    package let format: String
    /// First time of all streams, in seconds.
    package let start: Double
    /// Length in seconds; nil where the file does not say.
    package let length: Double?
    package let tags: [String: String]
    package let chapterCount: Int
    /// Messages of ffmpeg while it read the headers.
    package let diagnostics: Diagnostics

    /// Streams of a kind.
    package func streams(_ kind: Stream.Kind) -> [Stream] { streams.filter { $0.kind == kind } }

    /// One stream of a file.
    package struct Stream: Sendable {
        package enum Kind: String, Sendable {
            case video, audio, subtitle, data, attachment
        }

        package let index: Int
        /// The container's own number of the track; nil where it has none.
        package let id: Int?
        package let kind: Kind
        /// Codec, such as `h264`; empty where ffmpeg names none.
        package let codec: String
        package let tag: String
        package let timeBase: Rational
        /// Length in seconds; nil where the file does not say.
        package let length: Double?
        /// Number of frames; nil where the file does not say.
        package let frameCount: Int?
        package let tags: [String: String]
        /// Names of the flags that are set.
        package let dispositions: Set<String>
        package let sideData: [JSON]
        /// Number of audio channels; 0 for other streams.
        package let channels: Int
        /// Places of the audio channels by ffmpeg's name, such as `5.1(side)`; nil where they are unknown.
        package let channelLayout: String?
        /// Values of video streams.
        package let video: Video

        /// Whether it is the cover picture of the file, not a video.
        package var isPicture: Bool {
            !dispositions.isDisjoint(with: ["attached_pic", "timed_thumbnails", "still_image"])
        }

        /// Language, as ISO 639-2 abbreviates it; nil for an unknown one.
        package var language: String? { tags["language"].flatMap { $0 == "und" ? nil : $0 } }
    }

    /// Values of a video stream that other streams have not.
    package struct Video: Sendable {
        package let width: Int
        package let height: Int
        package let pixelFormat: String
        /// Width of a pixel over its height; nil where it is unknown.
        package let pixelAspectRatio: Rational?
        package let rate: Rational?
        /// Level as the codec numbers it; nil where there is none.
        package let level: Int?
        package let fieldOrder: String
        package let range: String?
        package let matrix: String?
        package let primaries: String?
        package let transfer: String?
        package let chromaLocation: String?
        /// Whether captions of television are in the frames (CEA-608 or CEA-708).
        package let hasCaptions: Bool

        package var isInterlaced: Bool { ["tt", "bb", "tb", "bt"].contains(fieldOrder) }
    }
}

extension MediaDescription {
    /// Reads the headers of a file.
    ///
    /// - Throws: `ToolError` of kind `input` with ffmpeg's reason.
    package init(of input: MediaInput) throws(ToolError) {
        let (text, diagnostics) = try FFmpeg.probedText(
            ["-of", "json", "-show_format", "-show_streams", "-show_chapters"] + input.arguments)
        let json = try? JSON(parsing: text)
        guard let json, let streams = json["streams"]?.array, !streams.isEmpty else {
            throw .unreadable(input.name, diagnostics)
        }
        self.init(json, streams, diagnostics)
    }

    private init(_ json: JSON, _ streams: [JSON], _ diagnostics: Diagnostics) {
        self.diagnostics = diagnostics
        let format = json["format"]
        let name = format?["format_name"]?.string ?? ""
        self.streams = streams.compactMap { Stream($0, in: name) }
        self.format = name
        start = format?["start_time"]?.string.flatMap(Double.init) ?? 0
        length = format?["duration"]?.string.flatMap(Double.init)
        tags = format?["tags"]?.texts ?? [:]
        chapterCount = json["chapters"]?.array?.count ?? 0
    }
}

extension MediaDescription {
    /// Side data of a stream's first frame, which is decoded for it: some values stand in frames only.
    package static func frameSideData(of input: MediaInput, stream: Int) throws(ToolError) -> [JSON] {
        let arguments = [
            "-select_streams", "\(stream)", "-read_intervals", "%+#1", "-show_frames", "-show_entries",
            "frame=side_data_list", "-of", "json",
        ]
        let text = try FFmpeg.probedText(arguments + input.arguments).text
        return (try? JSON(parsing: text))?["frames"]?.array?.first?["side_data_list"]?.array ?? []
    }
}

extension MediaDescription {
    /// Whether a decoder gives anything of a stream's first packets.
    package static func isDecodable(_ stream: Stream, of input: MediaInput) throws(ToolError) -> Bool {
        let arguments = [
            "-select_streams", "\(stream.index)", "-read_intervals", "%+#\(decodedPackets)", "-show_frames",
            "-show_entries", "frame=pts", "-of", "csv",
        ]
        return try !FFmpeg.probedText(arguments + input.arguments).text.isEmpty
    }

    /// Packets after which a decoder that works has given something: at least a second of any codec.
    private static let decodedPackets = 500
}

extension MediaDescription.Stream {
    fileprivate init?(_ json: JSON, in format: String) {
        guard let index = json["index"]?.integer, let kind = json["codec_type"]?.string.flatMap(Kind.init)
        else { return nil }
        (self.index, self.kind) = (index, kind)
        // As `0x1`.
        id = json["id"]?.string.flatMap { Int($0.dropFirst(2), radix: 16) }
        codec = json["codec_name"]?.string ?? ""
        tag = json["codec_tag_string"]?.string ?? ""
        timeBase = Rational(json["time_base"]?.string) ?? Rational(1, 1_000_000)
        // Tracks of Matroska have none: ffmpeg sometimes repeats that of the file.
        length = format.hasPrefix("matroska") ? nil : json["duration"]?.string.flatMap(Double.init)
        frameCount = json["nb_frames"]?.string.flatMap { Int($0) }
        tags = json["tags"]?.texts ?? [:]
        dispositions = json["disposition"]?.setNames ?? []
        sideData = json["side_data_list"]?.array ?? []
        channels = json["channels"]?.integer ?? 0
        channelLayout = json["channel_layout"]?.string?.known
        video = MediaDescription.Video(json)
    }
}

extension MediaDescription.Video {
    fileprivate init(_ json: JSON) {
        width = json["width"]?.integer ?? 0
        height = json["height"]?.integer ?? 0
        pixelFormat = json["pix_fmt"]?.string ?? ""
        pixelAspectRatio = Rational(json["sample_aspect_ratio"]?.string)
        rate = Rational(json["avg_frame_rate"]?.string) ?? Rational(json["r_frame_rate"]?.string)
        level = json["level"]?.integer
        fieldOrder = json["field_order"]?.string ?? ""
        range = json["color_range"]?.string?.known
        matrix = json["color_space"]?.string?.known
        primaries = json["color_primaries"]?.string?.known
        transfer = json["color_transfer"]?.string?.known
        chromaLocation = json["chroma_location"]?.string?.known
        hasCaptions = (json["closed_captions"]?.integer ?? 0) != 0
    }
}

extension String {
    /// Returns a value; nil for ffmpeg's words for unknown values.
    fileprivate var known: String? { ["unknown", "unspecified", "reserved"].contains(self) ? nil : self }
}

extension JSON {
    /// Texts of an object's fields, by lower-case names.
    fileprivate var texts: [String: String] {
        guard case .object(let fields) = self else { return [:] }
        let pairs = fields.compactMap { field in field.value.string.map { (field.name.lowercased(), $0) } }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// Names of an object's fields that are not zero.
    fileprivate var setNames: Set<String> {
        guard case .object(let fields) = self else { return [] }
        return Set(fields.filter { ($0.value.integer ?? 0) != 0 }.map(\.name))
    }
}

extension ToolError {
    /// A file that ffmpeg cannot read.
    package static func unreadable(_ name: String, _ diagnostics: Diagnostics) -> ToolError {
        var status = stat()
        if stat(name.fileName, &status) == 0, status.st_size == 0 {
            return ToolError(.input, "\(name) cannot be read: it is empty.")
        }
        if diagnostics.messages.contains(where: { $0.text.contains("moov atom not found") }) {
            return ToolError(
                .input, "\(name) cannot be read: it is truncated, its index at the end (moov) is missing.")
        }
        let reason = diagnostics.reason.map { text in
            // ffprobe puts the name in front.
            text.split(separator: ": ").last.map(String.init) ?? text
        }
        return ToolError(.input, "\(name) cannot be read: \(reason ?? "it contains no streams").")
    }
}

/// Packets of a file's streams: how many there are, and when they are presented; nothing is decoded.
package struct PacketIndex: Sendable {
    /// Packets of one stream.
    package struct Stream: Sendable {
        /// Packets that are presented; a cut without encoding leaves others in the file.
        package fileprivate(set) var count = 0
        /// Packets whose time is not known.
        package fileprivate(set) var untimed = 0
        /// First time, in ticks of the stream's time base; nil when no packet has one.
        package fileprivate(set) var first: Int?
        /// End of the packet that ends last, in ticks.
        package fileprivate(set) var end: Int?
        /// Ticks of the packet that is presented last.
        package fileprivate(set) var lastDuration = 0
        /// Sum of the durations of all packets, in ticks.
        package fileprivate(set) var duration = 0
        /// Bytes of all packets.
        package fileprivate(set) var bytes = 0
        /// Times of all packets with one, in the order of the file; of the stream in question only.
        package fileprivate(set) var times: [Int] = []
        /// Times of packets that can be decoded without others, likewise.
        package fileprivate(set) var keys: [Int] = []
        fileprivate var last: Int?
    }

    package private(set) var streams: [Int: Stream] = [:]
    /// Messages of ffmpeg while it read the file.
    package private(set) var diagnostics = Diagnostics()

    /// Reads all packets of a file.
    ///
    /// - Parameters:
    ///   - input: the file.
    ///   - video: index of the stream whose times are kept.
    package init(of input: MediaInput, video: Int) throws(ToolError) {
        var streams: [Int: Stream] = [:]
        diagnostics = try FFmpeg.probe(
            ["-show_entries", "packet=stream_index,pts,duration,size,flags", "-of", "csv=p=0"]
                + input.arguments
        ) { line in
            guard let packet = Packet(line) else { return }
            streams[packet.stream, default: Stream()].add(packet, keepsTimes: packet.stream == video)
        }
        self.streams = streams
    }
}

/// One line of ffprobe: `0,1024,512,4096,K__`; a time that is not known is `N/A`.
private struct Packet {
    let stream: Int
    let time: Int?
    let duration: Int
    let bytes: Int
    let isKey: Bool
    let isDiscarded: Bool

    init?(_ line: UnsafePointer<CChar>) {
        var place = UnsafeMutablePointer(mutating: line)
        func field() -> Int? {
            var end: UnsafeMutablePointer<CChar>?
            let value = strtol(place, &end, 10)
            let isNumber = end != place
            // What is no number ends at the next comma, too.
            while place.pointee != 0, place.pointee != CChar(bitPattern: UInt8(ascii: ",")) { place += 1 }
            if place.pointee != 0 { place += 1 }
            return isNumber ? value : nil
        }
        guard let stream = field() else { return nil }
        (self.stream, time, duration, bytes) = (stream, field(), field() ?? 0, field() ?? 0)
        let flags = String(cString: place)
        (isKey, isDiscarded) = (flags.hasPrefix("K"), flags.dropFirst().hasPrefix("D"))
    }
}

extension PacketIndex.Stream {
    fileprivate mutating func add(_ packet: Packet, keepsTimes: Bool) {
        guard !packet.isDiscarded else { return }
        count += 1
        bytes &+= packet.bytes
        duration &+= packet.duration
        guard let time = packet.time else {
            untimed += 1
            return
        }
        first = min(first ?? time, time)
        end = max(end ?? time, time &+ packet.duration)
        if time >= last ?? time { (last, lastDuration) = (time, packet.duration) }
        guard keepsTimes else { return }
        times.append(time)
        if packet.isKey { keys.append(time) }
    }
}
