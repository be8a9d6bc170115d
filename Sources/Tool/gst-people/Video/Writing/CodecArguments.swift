import MediaFiles

/// ffmpeg's arguments of one encoder.
struct CodecArguments {
    let options: EncodingOptions
    let codec: VideoCodec
    let format: PictureFormat
    let transparent: Bool
    let metadata: HDRMetadata
    /// Whether AV1 is encoded by libaom, for an ffmpeg without SVT-AV1.
    var usesLibaom = false

    /// These arguments, and others to be tried where ffmpeg lacks the encoder.
    var ways: [CodecArguments] {
        guard codec == .av1, options.hardware == nil else { return [self] }
        var other = self
        other.usesLibaom = true
        return [self, other]
    }

    /// All arguments of the encoder.
    var all: [String] {
        if codec == .prores { return proRes }
        guard let hardware = options.hardware else { return software + rateControl("-crf") + keyFrames }
        return hardwareArguments(hardware) + keyFrames
    }

    /// Filter that the encoder needs behind all others; nil for none.
    var filter: String? {
        guard options.hardware == .vaapi else { return nil }
        return "format=\(format.depth == .ten ? "p010" : "nv12"),hwupload"
    }

    private var isDeep: Bool { format.depth == .ten }
    /// The default by measurement: docs/experiments/2026-11-28-encoder-presets.md.
    private var effort: EncoderEffort { options.effort ?? codec.effort }

    private var quality: Double {
        if let quality = options.quality { return quality }
        return switch codec {
        // The people look alike at 18 with `veryfast` and at 20 with `medium`, by the same measurement.
        case .h264: effort.place < EncoderEffort.faster.place && options.hardware == nil ? 18 : 20
        case .h265, .prores: 20
        case .vp9: 26
        case .av1: 30
        }
    }

    /// - Parameter name: the option for constant quality.
    private func rateControl(_ name: String) -> [String] {
        if let bits = options.bitRate { return ["-b:v:0", "\(bits)"] }
        // Without a buffer model, which would cap the rate.
        let unlimited = codec == .vp9 || usesLibaom ? ["-b:v:0", "0"] : []
        return [name, quality.text(decimals: 2)] + unlimited
    }

    // MARK: - Encoders on the processor

    private var software: [String] {
        switch codec {
        case .h264: ["-c:v:0", "libx264", "-preset", effort.rawValue, "-profile:v:0", "high"] + level
        case .h265: hevc
        case .av1 where usesLibaom:
            ["-c:v:0", "libaom-av1", "-cpu-used", Self.libaom[effort.place], "-row-mt", "1", "-tiles", "2x1"]
        case .av1: ["-c:v:0", "libsvtav1", "-preset", Self.svt[effort.place]]
        case .vp9, .prores: vp9
        }
    }

    /// The lowest level, within which ffmpeg keeps the number of reference frames.
    ///
    /// `slow` would have five of them at 1920x1080, and so level 5. A bit rate may need a higher level, which x264 then chooses.
    private var level: [String] {
        let level = VideoLevel.needed("h264", format.width, format.height, rate: format.rate)
        guard options.bitRate == nil, let level else { return [] }
        return ["-level:v:0", level.name]
    }

    // Closed groups of pictures: each can be played by itself, and segments joined. Rates decide about quality, and ffmpeg 5
    // gives x265 the time base for it.
    private var hevc: [String] {
        let parameters = ["log-level=error", "open-gop=0", "fps=\(format.rate)"] + metadata.x265Parameters
        return [
            "-c:v:0", "libx265", "-preset", effort.rawValue, "-profile:v:0", isDeep ? "main10" : "main",
            "-forced-idr", "1", "-x265-params", parameters.joined(separator: ":"),
        ]
    }

    private var vp9: [String] {
        let shape =
            transparent ? ["-pix_fmt:v:0", "yuva420p", "-auto-alt-ref", "0"] : ["-auto-alt-ref", "1"]
        return [
            "-c:v:0", "libvpx-vp9", "-deadline", effort.place < 3 ? "realtime" : "good", "-cpu-used",
            Self.libvpx[effort.place], "-row-mt", "1", "-tile-columns", "2", "-lag-in-frames", "16",
        ] + shape + (isDeep && !transparent ? ["-profile:v:0", "2"] : [])
    }

    /// ProRes 4444, whose alpha has 16 bits, or 422 HQ.
    private var proRes: [String] {
        let kind =
            transparent
            ? ["-profile:v:0", "4444", "-pix_fmt:v:0", "yuva444p10le", "-alpha_bits", "16"]
            : ["-profile:v:0", "hq", "-pix_fmt:v:0", "yuv422p10le"]
        return ["-c:v:0", "prores_ks"] + kind + ["-vendor", "apl0"]
    }

    /// Presets of SVT-AV1 in the order of `EncoderEffort`.
    private static let svt = ["12", "11", "10", "9", "8", "7", "6", "5", "4"]
    /// Speeds of libaom in the order of `EncoderEffort`, of which 6 is the quickest of those that are not for live streams.
    private static let libaom = ["6", "6", "6", "6", "6", "5", "4", "3", "2"]
    /// Speeds of libvpx in the order of `EncoderEffort`; the first three are for live streams.
    private static let libvpx = ["8", "7", "6", "5", "4", "3", "2", "1", "0"]

    // MARK: - Encoders of graphics processors

    private func hardwareArguments(_ hardware: HardwareEncoder) -> [String] {
        let name = ["-c:v:0", "\(codec == .h265 ? "hevc" : codec.rawValue)_\(hardware.rawValue)"]
        let pixels = ["-pix_fmt:v:0", isDeep ? "p010le" : hardware == .nvenc ? "yuv420p" : "nv12"]
        let profile = codec == .h264 ? ["-profile:v:0", "high"] : []
        switch hardware {
        case .vaapi:
            // The device without a name is the first one; frames are uploaded by the last filter.
            let device = ["-init_hw_device", "vaapi=gpu", "-filter_hw_device", "gpu"]
            return device + name + profile + rateControl("-global_quality")
        case .qsv:
            return name + ["-preset", Self.qsv[effort.place]] + pixels + profile
                + rateControl("-global_quality")
        case .nvenc:
            return name + ["-preset", Self.nvenc[effort.place], "-rc", "vbr"] + pixels + profile
                + rateControl("-cq") + (options.bitRate == nil ? ["-b:v:0", "0"] : [])
        }
    }

    private static let qsv = [
        "veryfast", "veryfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
    ]
    private static let nvenc = ["p1", "p1", "p2", "p3", "p3", "p4", "p5", "p6", "p7"]

    // MARK: - Key frames

    /// A key frame every two seconds, so that players seek quickly.
    private var keyFrames: [String] {
        let count = "\(max(1, Int((2 * format.rate.value).rounded())))"
        // These encoders do not take every wish for a key frame.
        if codec == .av1 || options.hardware != nil { return ["-g:v:0", count] }
        // By time, where the rate varies; the times of a part begin anywhere.
        return [
            "-force_key_frames:v:0", "expr:if(isnan(prev_forced_t),1,gte(t,prev_forced_t+1.999))",
        ]
    }
}

/// The level of a video, which tells a player how much it has to decode.
struct VideoLevel: Equatable {
    /// The number that the file has: ten times the level for H.264, thirty times for HEVC.
    let code: Int
    private let unit: Int

    /// The level as people write it, such as `4.1`.
    var name: String { "\(code / unit).\(code % unit * 10 / unit)" }

    /// The level of a written track; nil for codecs without one.
    static func written(_ track: MediaDescription.Stream) -> VideoLevel? {
        guard let unit = units[track.codec], let code = track.video.level, code > 0 else { return nil }
        return VideoLevel(code: code, unit: unit)
    }

    /// The lowest level for frames of a size at a rate; nil for codecs without one.
    ///
    /// - Parameter codec: ffmpeg's name.
    static func needed(_ codec: String, _ width: Int, _ height: Int, rate: Rational) -> VideoLevel? {
        guard let unit = units[codec] else { return nil }
        let block = codec == "h264" ? 16 : 1
        let (columns, rows) = (width.blocks(of: block), height.blocks(of: block))
        let (size, longest) = (columns * rows, max(columns, rows))
        let fitting = (codec == "h264" ? h264 : hevc).first { limit in
            size <= limit.size && longest * longest <= 8 * limit.size
                && Double(size) * rate.value <= Double(limit.rate)
        }
        return fitting.map { VideoLevel(code: $0.code, unit: unit) }
    }

    private static let units = ["h264": 10, "hevc": 30]

    private typealias Limit = (code: Int, size: Int, rate: Int)

    /// Macroblocks of a frame and in a second (ITU-T H.264, table A-1); levels 2 and 4.1 allow more bits only.
    private static let h264: [Limit] = [
        (10, 99, 1485), (11, 396, 3000), (12, 396, 6000), (13, 396, 11880), (21, 792, 19800),
        (22, 1620, 20250), (30, 1620, 40500), (31, 3600, 108_000), (32, 5120, 216_000), (40, 8192, 245_760),
        (42, 8704, 522_240), (50, 22080, 589_824), (51, 36864, 983_040), (52, 36864, 2_073_600),
        (60, 139_264, 4_177_920), (61, 139_264, 8_355_840), (62, 139_264, 16_711_680),
    ]

    /// Luma samples of a frame and in a second (ITU-T H.265, tables A.8 and A.9).
    private static let hevc: [Limit] = [
        (30, 36864, 552_960), (60, 122_880, 3_686_400), (63, 245_760, 7_372_800), (90, 552_960, 16_588_800),
        (93, 983_040, 33_177_600), (120, 2_228_224, 66_846_720), (123, 2_228_224, 133_693_440),
        (150, 8_912_896, 267_386_880), (153, 8_912_896, 534_773_760), (156, 8_912_896, 1_069_547_520),
        (180, 35_651_584, 1_069_547_520), (183, 35_651_584, 2_139_095_040), (186, 35_651_584, 4_278_190_080),
    ]
}

extension Int {
    fileprivate func blocks(of size: Int) -> Int { (self + size - 1) / size }
}
