import CommandKit
import Studio

/// Codec of a video's frames.
enum VideoCodec: String, CaseIterable, Sendable {
    case h264, h265, av1, vp9, prores

    /// Effort of the encoder unless another is chosen.
    var effort: EncoderEffort {
        switch self {
        case .h264: .veryfast
        case .h265: .medium
        case .av1, .vp9, .prores: .fast
        }
    }

    /// Highest number of `--crf`; nil for a codec whose quality is fixed.
    var lowestQuality: Double? {
        switch self {
        case .h264, .h265: 51
        case .av1, .vp9: 63
        case .prores: nil
        }
    }
}

/// Time that an encoder may take to save bytes, by the names that x264 and x265 have for it.
enum EncoderEffort: String, CaseIterable, Sendable {
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow

    /// Place in the list, from 0.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Encoder of a graphics processor, by ffmpeg's name of its interface.
enum HardwareEncoder: String, CaseIterable, Sendable {
    case vaapi, qsv, nvenc

    var codecs: [VideoCodec] {
        switch self {
        case .vaapi, .qsv: [.h264, .h265, .av1, .vp9]
        case .nvenc: [.h264, .h265, .av1]
        }
    }
}

/// Choices of the user about how frames are encoded.
struct EncodingOptions: Equatable, Sendable {
    /// Nil for the usual one of the container.
    var codec: VideoCodec?
    /// Nil for the measured one.
    var effort: EncoderEffort?
    /// Constant quality on the codec's own scale, on which lower numbers are better; nil for the usual one.
    var quality: Double?
    /// Mean bits a second; nil for constant quality.
    var bitRate: Int?
    /// Nil for an encoder that runs on the processor.
    var hardware: HardwareEncoder?

    /// The values on which the encoded frames depend: all.
    var fingerprint: [String?] {
        [
            codec?.rawValue, effort?.rawValue, quality.map { "\($0)" }, bitRate.map { "\($0)" },
            hardware?.rawValue,
        ]
    }

    static var options: [Option<EncodingOptions>] {
        [
            .choice(
                "codec", "codec of the video (default: h264, h265 with 10 bits, vp9 in .webm)", \.codec),
            Option(
                "crf", .text("N"),
                "constant quality: 0 is best, 51 worst for h264 and h265 (default: 18 and 20), 63 for vp9 (26) and av1 (30)"
            ) { (options: inout EncodingOptions, text: String) throws(ToolError) in
                options.quality = try number(text, in: 0...63, of: "crf")
            },
            Option(
                "bitrate", .text("N"), "mean bits per second instead of constant quality, such as 800k or 4M"
            ) {
                (options: inout EncodingOptions, text: String) throws(ToolError) in
                options.bitRate = try bits(text)
            },
            .choice(
                "hardware", "encode with the graphics processor, where ffmpeg and its driver can", \.hardware),
        ]
    }

    /// Reads `800k`, `4M` or a plain number of bits per second.
    private static func bits(_ text: String) throws(ToolError) -> Int {
        let factor =
            switch text.last {
            case "k", "K": 1e3
            case "m", "M": 1e6
            default: 1.0
            }
        let digits = factor == 1 ? text[...] : text.dropLast()
        // Below 1 kbit/s no encoder works; more than 2 Gbit/s does not fit ffmpeg's numbers.
        guard let number = Double(digits), (1e3...2e9).contains(number * factor) else {
            throw .usage("--bitrate takes 1k to 2000M bits per second, not \(text)")
        }
        return Int(number * factor)
    }
}

extension VideoOptions {
    /// The option for the encoder's effort, which also loads settings of the studio by their names.
    static var presetOption: Option<VideoOptions> {
        Option(
            "preset", .text("NAME"),
            "encoder's effort, ultrafast to veryslow as of x264 (default: veryfast for h264, medium for h265, else fast); "
                + "other names are settings saved in the studio"
        ) { (options: inout VideoOptions, name: String) throws(ToolError) in
            guard let effort = EncoderEffort(rawValue: name) else {
                return try Preset.use(name, in: &options, \.compositing, \.quality)
            }
            guard !Preset.names.contains(name) else {
                throw .usage(
                    "\(name) is an effort of the encoder and a preset of the studio: rename the latter")
            }
            options.encoding.effort = effort
        }
    }
}

extension EncodingOptions {
    /// Throws where an output cannot be encoded so.
    func check(_ container: Container, transparent: Bool) throws(ToolError) {
        guard self != EncodingOptions() else { return }
        guard let usual = container.codecs(transparent: transparent).first else {
            throw .usage(
                "options of the encoder are for .mp4, .mov, .mkv and .webm, not .\(container.rawValue)")
        }
        let codec = codec ?? usual
        let held = container.codecs(transparent: transparent)
        guard held.contains(codec) else {
            let kind = transparent ? "a transparent .\(container.rawValue)" : ".\(container.rawValue)"
            throw .usage(
                "--codec=\(codec.rawValue) is not for \(kind), which holds "
                    + held.map(\.rawValue).joined(separator: ", "))
        }
        guard quality == nil || bitRate == nil else { throw .usage("give --crf or --bitrate, not both") }
        guard let lowest = codec.lowestQuality else {
            guard quality == nil, bitRate == nil, effort == nil, hardware == nil else {
                throw .usage(
                    "ProRes has one quality; --preset, --crf, --bitrate and --hardware are for other codecs")
            }
            return
        }
        if let quality, quality > lowest {
            throw .usage("--crf is 0 to \(lowest.text(decimals: 0)) for \(codec.rawValue)")
        }
        try checkHardware(codec, transparent)
    }

    private func checkHardware(_ codec: VideoCodec, _ transparent: Bool) throws(ToolError) {
        guard let hardware else { return }
        guard hardware.codecs.contains(codec), !transparent else {
            let codecs = hardware.codecs.map(\.rawValue).joined(separator: ", ")
            throw .usage("--hardware=\(hardware.rawValue) encodes \(codecs) without transparency")
        }
        guard hardware != .vaapi || effort == nil else { throw .usage("--preset has no meaning for vaapi") }
    }
}

extension Container {
    /// Codecs that it holds, the usual one first; none where there is no choice.
    func codecs(transparent: Bool) -> [VideoCodec] {
        switch self {
        case .mp4: transparent ? [] : [.h264, .h265, .av1, .vp9]
        case .mov: transparent ? [.prores] : [.h264, .h265, .prores]
        case .mkv: transparent ? [] : [.h264, .h265, .av1, .vp9, .prores]
        case .webm: transparent ? [.vp9] : [.vp9, .av1]
        case .y4m, .apng, .gif, .png, .jpg: []
        }
    }
}
