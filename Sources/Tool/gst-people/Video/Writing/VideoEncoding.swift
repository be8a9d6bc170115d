import CommandKit
import JSON
import MediaFiles

/// ffmpeg's arguments that encode the frames of a video.
struct VideoEncoding {
    let arguments: [String]
    /// Arguments for the container, whether the frames are encoded or copied.
    let tag: [String]
    /// Whether the metadata of HDR10 are written, which ffmpeg does with the frames of x265 only.
    let keepsMetadata: Bool

    init(
        _ container: Container, _ format: PictureFormat, _ unit: Rational, _ meanRate: Rational, _ job: Job,
        _ metadata: HDRMetadata
    ) throws(ToolError) {
        let transparent = job.background == .transparent
        let codec = try job.codec(in: container, format.depth)
        let chosen = codec.map { codec in
            CodecArguments(
                options: job.encoding, codec: codec, format: format, transparent: transparent,
                metadata: metadata)
        }
        let encoders = chosen?.ways.map(\.all) ?? [Self.plain(container, transparent, format.depth)]
        // Apple's players read no other tag.
        tag = codec == .h265 && container.hasTrackTimescale ? ["-tag:v:0", "hvc1"] : []
        keepsMetadata = codec == .h265 && job.encoding.hardware == nil
        // A file of YUV4MPEG2 has one rate, and no times.
        let unit = container == .y4m ? Rational(meanRate.denominator, meanRate.numerator) : unit
        let palette = container == .gif ? Self.palette : nil
        let filters = [format.colors.tagging, chosen?.filter, palette].compactMap { $0 }
        let common = [
            "-filter:v:0", filters.joined(separator: ","), "-fps_mode", "passthrough", "-enc_time_base:v:0",
            "\(unit)",
        ]
        let ways = encoders.map { common + $0 }
        arguments = try job.encoding == EncodingOptions() ? ways.first ?? common : Self.working(ways, format)
    }

    /// ffmpeg's filters that give each frame a palette of its own.
    private static let palette =
        "split[frames][colors];[colors]palettegen=stats_mode=single[palette];"
        + "[frames][palette]paletteuse=new=1"

    /// Encoders of containers that hold frames only.
    private static func plain(_ container: Container, _ transparent: Bool, _ depth: BitDepth) -> [String] {
        switch container {
        case .y4m: ["-c:v:0", "wrapped_avframe", "-strict", "-1"]
        case .jpg: ["-c:v:0", "mjpeg", "-q:v:0", "2", "-pix_fmt:v:0", "yuvj420p"]
        case .gif: ["-c:v:0", "gif", "-loop", "0"]
        case .apng: ["-c:v:0", "apng", "-plays", "0"] + rgb(transparent, depth)
        case .png, .mp4, .mov, .mkv, .webm: ["-c:v:0", "png"] + rgb(transparent, depth)
        }
    }

    private static func rgb(_ transparent: Bool, _ depth: BitDepth) -> [String] {
        let formats = depth == .eight ? ["rgb24", "rgba"] : ["rgb48be", "rgba64be"]
        return ["-pix_fmt:v:0", formats[transparent ? 1 : 0]]
    }

    /// Returns the first arguments with which ffmpeg encodes a frame, since no encoder is everywhere.
    private static func working(_ ways: [[String]], _ format: PictureFormat) throws(ToolError) -> [String] {
        let frame =
            "color=size=\(format.width)x\(format.height):rate=\(format.rate),format=\(format.depth.libavPixels)"
        var problem: (name: String, reason: String?)?
        for way in ways {
            let result = try FFmpeg.run(
                ["-f", "lavfi", "-i", frame, "-frames:v", "1"] + way + ["-f", "null", "-"])
            if result.isDone { return way }
            let name = way.firstIndex(of: "-c:v:0").map { way[$0 + 1] } ?? ""
            problem = problem ?? (name, result.diagnostics.reason)
        }
        throw ToolError(
            .missing,
            "ffmpeg cannot encode \(format.width)x\(format.height) pixels with \(problem?.name ?? ""): "
                + "\(problem?.reason ?? "it has ended"). Choose another --codec, or leave out --hardware."
        )
    }
}

extension Job {
    /// The codec of the video; nil for containers that hold frames only.
    func codec(in container: Container, _ depth: BitDepth) throws(ToolError) -> VideoCodec? {
        let usual = container.codecs(transparent: background == .transparent).first
        guard let chosen = encoding.codec else { return usual == .h264 && depth == .ten ? .h265 : usual }
        guard chosen != .h264 || depth == .eight else {
            throw ToolError(
                .usage,
                "H.264 is written with 8 bits per sample: \(inputName) needs --codec=h265 or another one.")
        }
        return chosen
    }
}

/// Mastering display and light levels of a stream of high dynamic range (SMPTE ST 2086, CTA-861.3).
struct HDRMetadata {
    private let display: String?
    private let light: String?

    /// Reads what the container and the first frame say.
    init(of input: VideoInput) throws(ToolError) {
        self.init(
            input.track.sideData
                + (try MediaDescription.frameSideData(of: input.media, stream: input.track.index)))
    }

    /// Values that no stream has set.
    static let none = HDRMetadata([])

    private init(_ sideData: [JSON]) {
        display =
            sideData.lazy.compactMap { data -> String? in
                // Chromaticities in units of 0.00002, luminances in 0.0001 cd/m2, as x265 takes them.
                func value(_ name: String, _ unit: Double) -> Int? {
                    guard
                        let fraction = Rational(data[name]?.string)
                            ?? (data[name]?.string == "0/1" ? Rational(0, 1) : nil)
                    else { return nil }
                    return Int((fraction.value / unit).rounded())
                }
                let points = ["green", "blue", "red", "white_point"].map { name in
                    (value("\(name)_x", 0.00002), value("\(name)_y", 0.00002))
                }
                guard let most = value("max_luminance", 0.0001), let least = value("min_luminance", 0.0001)
                else {
                    return nil
                }
                var texts: [String] = []
                for (name, point) in zip(["G", "B", "R", "WP"], points) {
                    guard let x = point.0, let y = point.1 else { return nil }
                    texts.append("\(name)(\(x),\(y))")
                }
                return texts.joined() + "L(\(most),\(least))"
            }.first
        light =
            sideData.lazy.compactMap { data -> String? in
                guard let most = data["max_content"]?.integer, let mean = data["max_average"]?.integer else {
                    return nil
                }
                return "\(most),\(mean)"
            }.first
    }

    /// Whether the stream has any of these values.
    var isEmpty: Bool { display == nil && light == nil }

    var x265Parameters: [String] {
        [display.map { "master-display=\($0)" }, light.map { "max-cll=\($0)" }].compactMap { $0 }
    }
}

extension VideoInput {
    /// Frames a second while the picture moves, for encoders and time codes; times of frames do not depend on it.
    ///
    /// It is the rate that the file names, unless most frames follow each other at another one: a mean is too low where a
    /// frame is held for long, and browsers' recordings name the ticks of their clock.
    /// Times that are not exact, as those of VP8's packets, tell it only where the file names none.
    var encodedRate: Rational {
        let named = track.video.rate.flatMap { $0.value < Self.limit ? $0 : nil }
        guard hasExactTimes || named == nil, let typical = typicalRate else {
            return (named ?? Rational(25, 1)).common(0.0005)
        }
        if let named, abs(named.value / typical - 1) < 0.1 { return named.common(0.0005) }
        // Containers round times to milliseconds.
        return Rational(Int((typical * 1000).rounded()), 1000).common(0.01)
    }

    /// Frames a second of a file that has one rate, so that it lasts as long.
    var meanRate: Rational {
        guard hasExactTimes, let first = frameTimes.first, let last = frameTimes.last, last > first else {
            return encodedRate
        }
        let mean = Double(frameTimes.count - 1) * 1e9 / Double(last - first)
        return Rational(Int((mean * 1000).rounded()), 1000).common(0.001)
    }

    /// The rate of the middle half of all frames, by how long they are shown.
    private var typicalRate: Double? {
        let lengths = zip(frameTimes.dropFirst(), frameTimes).map { $0 - $1 }.sorted()
        let middle = lengths[(lengths.count / 4)..<(lengths.count - lengths.count / 4)]
        let sum = middle.reduce(0, +)
        guard sum > 0 else { return nil }
        let rate = Double(middle.count) * 1e9 / Double(sum)
        return min(max(rate, 0.01), Self.limit - 1)
    }

    /// ffmpeg's reader of NUT takes lower rates only.
    private static let limit = 1000.0
}

extension Rational {
    /// Returns the rate of cameras, cinema or television that differs by less than a part of this one; otherwise this one.
    fileprivate func common(_ part: Double) -> Rational {
        let nearest = Self.rates.min { abs($0.value - value) < abs($1.value - value) }
        guard let nearest, abs(nearest.value / value - 1) < part else { return self }
        return nearest
    }

    private static let rates =
        [24, 30, 48, 60, 120, 240].map { Rational($0 * 1000, 1001) }
        + [12, 15, 24, 25, 30, 48, 50, 60, 100, 120, 240].map { Rational($0, 1) }
}

/// ffmpeg's arguments that write a video: its frames or packets come by a pipe, all else from the input.
struct VideoMuxing {
    private let tracks: OutputTracks
    private let encoding: VideoEncoding
    private let path: String
    private let unit: Rational
    /// Times of the first frames in ticks, as far as they are known.
    private let firstTimes: [Int]
    /// Number of frames; nil where it is not known before.
    private let frames: Int?
    /// Time of the last frame in ticks, and how long it is shown; nil where that is not known.
    private let last: (time: Int, duration: Int)?

    init(
        _ tracks: OutputTracks, _ encoding: VideoEncoding, _ unit: Rational, firstTimes: [Int], frames: Int?,
        last: (time: Int, duration: Int)?, to path: String
    ) {
        (self.tracks, self.encoding, self.unit, self.path) = (tracks, encoding, unit, path)
        (self.firstTimes, self.frames, self.last) = (firstTimes, frames, last)
    }

    /// Arguments for raw frames.
    ///
    /// - Parameter first: time of the first frame, in ticks.
    func encodingArguments(first: Int) -> [String] {
        arguments(encoding.arguments, first: first, decodingTime: "DTS")
    }

    /// Arguments for packets of segments.
    ///
    /// - Parameter delay: frames by which decoding runs ahead of presentation.
    func copyingArguments(first: Int, delay: Int) -> [String] {
        arguments(["-c:v:0", "copy"], first: first, decodingTime: decodingTime(delay))
    }

    private func arguments(_ video: [String], first: Int, decodingTime: String) -> [String] {
        let times = "setts=pts=PTS:dts=\(decodingTime):duration=\(duration)"
        return tracks.inputArguments(first: Double(first) * unit.value) + video + encoding.tag
            + ["-bsf:v:0", times] + tracks.outputArguments + ["-y", FFmpeg.file(path)]
    }

    // MARK: - Times, before they are moved to those of the output

    /// Raw frames have no durations: that of the last is set, the others follow from the times.
    ///
    /// MP4 also needs that of the packet decoded last: a track is as long as the decoding times and this one.
    private var duration: String {
        guard let last else { return "DURATION" }
        let shown = (Double(last.duration) * unit.value).text(decimals: 6)
        let time = seconds(last.time)
        let known = tickLengths.reversed().reduce("DURATION") { others, tick in
            "if(\(isLast)lte(abs(PTS*\(tick)-\(time))\\,0.000501)\\,\(shown)/(\(tick))\\,\(others))"
        }
        guard let frames, !tracks.container.hasMilliseconds else { return known }
        return "if(eq(N\\,\(frames - 1))\\,\(shown)/TB\\,\(known))"
    }

    /// Lengths in seconds that a tick of a packet's time may have, the likeliest first.
    ///
    /// ffmpeg 5 sets `TB` to the encoder's, and counts times in Matroska's milliseconds unless packets had to wait for other
    /// tracks (`check_init_output_file` in its `ffmpeg_mux.c`). The last packet's time, which is known, tells the two apart.
    private var tickLengths: [String] { tracks.container.hasMilliseconds ? ["0.001", "TB"] : ["TB"] }

    /// Condition that only the last packets meet; they are stored at most 16 frames out of order.
    private var isLast: String {
        guard let frames, tracks.container.hasMilliseconds else { return "" }
        return "gte(N\\,\(frames - 17))*"
    }

    /// NUT has no decoding times: those of the first frames lie before the first presentation, the others are those at which
    /// earlier frames are shown.
    ///
    /// Matroska stores none: any that ascend to the first presentation will do, a tick apart whatever a tick is.
    private func decodingTime(_ delay: Int) -> String {
        guard let first = firstTimes.first, delay > 0, firstTimes.count > delay else { return "DTS" }
        if tracks.container.hasMilliseconds {
            return "if(eq(N\\,0)\\,PTS-\(delay)\\,if(lt(N\\,\(delay))\\,PREV_OUTDTS+1\\,DTS))"
        }
        return firstTimes.prefix(delay).enumerated().reversed().reduce("DTS") { others, frame in
            let time = seconds(frame.element + first - firstTimes[delay])
            return "if(eq(N\\,\(frame.offset))\\,\(time)/TB\\,\(others))"
        }
    }

    /// A time of the output as one of the input.
    private func seconds(_ ticks: Int) -> String {
        (tracks.zero + Double(ticks) * unit.value).text(decimals: 9)
    }
}
