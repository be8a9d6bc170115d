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
