import CommandKit
import JSON
import MediaFiles

/// ffmpeg's arguments that encode the frames of a video.
struct VideoEncoding {
    let arguments: [String]
    /// Arguments for the container, whether the frames are encoded or copied.
    let tag: [String]

    init(
        _ container: Container, _ format: PictureFormat, _ unit: Rational, transparent: Bool,
        _ metadata: HDRMetadata
    ) {
        let codec: [String]
        switch (container, format.depth) {
        case (.webm, _) where transparent:
            codec = Self.vp9 + ["-pix_fmt:v:0", "yuva420p", "-auto-alt-ref", "0"]
        case (.mov, _) where transparent: codec = Self.proRes
        case (.y4m, _): codec = ["-c:v:0", "wrapped_avframe", "-strict", "-1"]
        case (.jpg, _): codec = ["-c:v:0", "mjpeg", "-q:v:0", "2", "-pix_fmt:v:0", "yuvj420p"]
        case (.apng, let depth): codec = ["-c:v:0", "apng", "-plays", "0"] + Self.rgb(transparent, depth)
        case (.png, let depth): codec = ["-c:v:0", "png"] + Self.rgb(transparent, depth)
        case (.webm, .eight): codec = Self.vp9 + ["-auto-alt-ref", "1"]
        case (.webm, .ten): codec = Self.vp9 + ["-auto-alt-ref", "1", "-profile:v:0", "2"]
        case (_, .eight): codec = Self.h264
        case (_, .ten): codec = Self.hevc(format.rate, metadata)
        }
        // Apple's players read no other tag.
        tag = codec.contains("libx265") && container.hasTrackTimescale ? ["-tag:v:0", "hvc1"] : []
        // A file of YUV4MPEG2 has one rate, and no times.
        let unit = container == .y4m ? Rational(format.rate.denominator, format.rate.numerator) : unit
        arguments =
            [
                "-filter:v:0", format.colors.tagging, "-fps_mode", "passthrough", "-enc_time_base:v:0",
                "\(unit)",
            ]
            + codec
    }

    private static func rgb(_ transparent: Bool, _ depth: BitDepth) -> [String] {
        let formats = depth == .eight ? ["rgb24", "rgba"] : ["rgb48be", "rgba64be"]
        return ["-pix_fmt:v:0", formats[transparent ? 1 : 0]]
    }

    // Constant quality: without a buffer model, which would cap the rate.
    private static let h264 = [
        "-c:v:0", "libx264", "-preset", "medium", "-crf", "20", "-profile:v:0", "high",
    ]

    // Closed groups of pictures: each can be played by itself, and segments joined. Rates decide about quality, and ffmpeg 5
    // gives x265 the time base for it.
    private static func hevc(_ rate: Rational, _ metadata: HDRMetadata) -> [String] {
        let parameters = ["log-level=error", "open-gop=0", "fps=\(rate)"] + metadata.x265Parameters
        return [
            "-c:v:0", "libx265", "-preset", "medium", "-crf", "20", "-profile:v:0", "main10", "-x265-params",
            parameters.joined(separator: ":"),
        ]
    }

    /// ProRes 4444, whose alpha has 16 bits.
    private static let proRes = [
        "-c:v:0", "prores_ks", "-profile:v:0", "4444", "-pix_fmt:v:0", "yuva444p10le", "-alpha_bits", "16",
        "-vendor",
        "apl0",
    ]

    private static let vp9 = [
        "-c:v:0", "libvpx-vp9", "-crf", "26", "-b:v:0", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt",
        "1",
        "-tile-columns", "2", "-lag-in-frames", "16", "-g:v:0", "240",
    ]
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
