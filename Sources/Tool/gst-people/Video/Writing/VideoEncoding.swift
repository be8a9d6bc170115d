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
