import CommandKit
import MediaFiles

/// The way in which the rows of frames were taken: all at once, or every other one a field later.
enum PictureScan: Sendable {
    case progressive
    /// Frames say themselves whether they are interlaced.
    case marked
    /// Frames are interlaced and do not say so; the associated word is ffmpeg's for the first field.
    case unmarked(firstField: String)

    /// Looks at frames throughout a video, since headers may know nothing of them, and may describe the beginning only.
    init(of input: VideoInput) throws(ToolError) {
        self = .progressive
        let video = input.track.video
        if video.isInterlaced {
            self = .marked
        } else if !Self.progressiveCodecs.contains(input.track.codec), input.frameTimes.count > 1 {
            if try Self.hasMarkedFrame(input, at: Self.places(Self.markedPlaces, in: input)) {
                self = .marked
            } else if Self.interlacedHeights.contains(video.height), Self.isInterlacedRate(video.rate),
                let field = try Self.unmarkedField(input, at: Self.places(Self.unmarkedPlaces, in: input))
            {
                self = .unmarked(firstField: field)
            }
        }
    }

    /// ffmpeg's filter that makes progressive frames, one for each frame, not for each field; nil where they are.
    var filter: String? {
        switch self {
        case .progressive: nil
        case .marked: "bwdif=mode=send_frame:deint=interlaced"
        case .unmarked(let field): "bwdif=mode=send_frame:parity=\(field):deint=all"
        }
    }

    /// Codecs without interlaced frames.
    private static let progressiveCodecs: Set<String> = [
        "av1", "vp8", "vp9", "gif", "apng", "png", "webp", "theora", "h263", "flv1", "hevc",
    ]

    /// Rows of the standards that have interlaced frames: 525 and 625 lines, 1080 lines.
    private static let interlacedHeights: Set<Int> = [480, 486, 576, 1080, 1088]

    /// Whether the standards have interlaced frames at a rate: 25 and 29.97 a second, each of two fields.
    private static func isInterlacedRate(_ rate: Rational?) -> Bool {
        rate.map { rate in [25, 30_000 / 1001.0].contains { abs(rate.value - $0) < 0.02 } } ?? true
    }

    /// Times in seconds of the stream at which frames are looked at: a few of a whole recording, since it may change.
    private static func places(_ count: Int, in input: VideoInput) -> [Double] {
        let times = input.frameTimes
        let count = min(count, max(1, times.count / framesAtPlace))
        return (0..<count).map { input.seconds(times[times.count * $0 / count]) }
    }

    /// Places of the search for frames that are marked, which needs a frame or two of each, and for those that are not, which
    /// has to compare several.
    private static let (markedPlaces, unmarkedPlaces) = (8, 3)
    private static let framesAtPlace = 12

    private static func hasMarkedFrame(_ input: VideoInput, at places: [Double]) throws(ToolError) -> Bool {
        let intervals = places.map { "\($0.text(decimals: 3))%+#2" }.joined(separator: ",")
        var isFound = false
        _ = try FFmpeg.probe(
            [
                "-select_streams", "\(input.track.index)", "-read_intervals", intervals, "-show_entries",
                "frame=interlaced_frame", "-of", "csv=p=0",
            ] + input.media.arguments
        ) { line in
            if line.pointee == CChar(bitPattern: UInt8(ascii: "1")) { isFound = true }
        }
        return isFound
    }

    /// The first field of frames that do not say that they are interlaced, by ffmpeg's detector; nil where it sees none.
    private static func unmarkedField(
        _ input: VideoInput, at places: [Double]
    ) throws(ToolError) -> String? {
        var counts = FieldCounts()
        // Beginnings move less than what follows. The detector counts one frame more.
        for (looked, place) in places.reversed().enumerated() {
            guard counts.mayHaveFields(after: (places.count - looked) * (framesAtPlace + 1)) else { break }
            let result = try FFmpeg.run(
                [
                    "-loglevel", "repeat+level+info", "-noaccurate_seek", "-seek_timestamp", "1", "-ss",
                    place.text(decimals: 3),
                ]
                    + input.media.arguments + [
                        "-map", "0:\(input.track.index)", "-frames:v", "\(framesAtPlace)", "-filter:v",
                        "idet", "-f",
                        "null", "-",
                    ])
            counts.add(result.diagnostics)
        }
        return counts.firstField
    }
}

/// Frames that ffmpeg's filter `idet` has counted.
private struct FieldCounts {
    private var (top, bottom, progressive) = (0, 0, 0)

    mutating func add(_ diagnostics: Diagnostics) {
        for message in diagnostics.messages {
            // "Multi frame detection: TFF:    10 BFF:     0 Progressive:     2 Undetermined:     0"
            guard message.text.hasPrefix("Multi frame detection:") else { continue }
            let words = message.text.split { $0 == " " || $0 == ":" }
            func count(_ name: Substring) -> Int {
                words.firstIndex(of: name).flatMap {
                    words.indices.contains($0 + 1) ? Int(words[$0 + 1]) : nil
                }
                    ?? 0
            }
            top += count("TFF")
            bottom += count("BFF")
            progressive += count("Progressive")
        }
    }

    /// Whether the first field could be found if as many more frames were all interlaced.
    func mayHaveFields(after frames: Int) -> Bool {
        max(top, bottom) + frames >= Self.fieldsPerOther * (progressive + min(top, bottom))
    }

    /// Minimum of frames with fields for each one without.
    private static let fieldsPerOther = 9

    /// ffmpeg's word for the first field where nearly all frames that move have fields.
    ///
    /// The detector sees fields in single frames of progressive videos with fine rows; in interlaced ones it sees them in nearly
    /// all frames that move.
    var firstField: String? {
        guard max(top, bottom) >= 6, mayHaveFields(after: 0) else { return nil }
        return top >= bottom ? "tff" : "bff"
    }
}
