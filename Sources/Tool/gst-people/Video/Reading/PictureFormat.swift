import CommandKit
import FileNames
import GStreamerKit
import JSON
import MediaFiles

/// Frames as they pass from ffmpeg to GStreamer: upright, progressive, of one size, with subsampled chroma.
struct PictureFormat: Sendable {
    private(set) var width: Int
    private(set) var height: Int
    let depth: BitDepth
    /// ffmpeg's name of the pixel format.
    let pixels: String
    /// ffmpeg's filters that turn decoded frames into such frames.
    let filters: String
    let colors: PictureColors
    private(set) var pixelAspectRatio: Rational
    /// Frames a second while the picture moves; 25 where the file does not say.
    let rate: Rational
    /// Changes besides the background, for the user.
    let notes: [String]

    /// - Throws: `ToolError` where the output cannot hold the dynamic range.
    init(of input: VideoInput, for job: Job) throws(ToolError) {
        let track = input.track
        let video = track.video
        let isTurned = track.isTurned
        let (storedWidth, storedHeight) = isTurned ? (video.height, video.width) : (video.width, video.height)
        guard storedWidth > 0, storedHeight > 0 else {
            throw ToolError(.input, "\(job.inputName) contains no usable video.")
        }
        let aspect = video.pixelAspectRatio ?? Rational(1, 1)
        pixelAspectRatio = isTurned ? Rational(aspect.denominator, aspect.numerator) : aspect
        rate = input.encodedRate
        let colors = PictureColors(of: video)
        self.colors = colors
        depth = try Self.depth(colors, video.bits, job)
        var notes = try LostContents(of: input).notes
        var filters: [String] = []
        if let filter = try PictureScan(of: input).filter {
            filters.append(filter)
            notes.append("the frames were deinterlaced")
        }
        (width, height) =
            job.needsEvenSize ? (storedWidth & ~1, storedHeight & ~1) : (storedWidth, storedHeight)
        guard width > 0, height > 0 else {
            throw ToolError(.input, "\(job.inputName) is smaller than 2x2 pixels.")
        }
        if (width, height) != (storedWidth, storedHeight) {
            filters.append("crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0")
            notes.append("the last odd column or row was cut off: H.264 and HEVC support only even sizes")
        }
        filters += track.erasingFilters(isDeep: depth == .ten)
        if track.hasAlpha { notes.append("transparent parts, if any, become black") }
        let pixels = colors.isFullRange && depth == .eight ? "yuvj420p" : depth.libavPixels
        filters +=
            Self.boxing(
                width, height, pixelAspectRatio, input.shapes.displayAspect, colors.conversion(from: video))
            + job.turn.filters + ["format=\(pixels)"]
        if job.turn.isSideways {
            (width, height) = (height, width)
            pixelAspectRatio = Rational(pixelAspectRatio.denominator, pixelAspectRatio.numerator)
        }
        self.pixels = pixels
        self.filters = filters.joined(separator: ",")
        self.notes = notes
    }

    /// Returns the format of frames of another size.
    func sized(width: Int, height: Int) -> PictureFormat {
        var format = self
        (format.width, format.height) = (width, height)
        return format
    }

    /// Filters that scale frames of another size or aspect, and box them; frames of this size pass as they are.
    private static func boxing(
        _ width: Int, _ height: Int, _ pixel: Rational, _ displayAspect: String, _ conversion: String
    ) -> [String] {
        let aspect = Double(width) * pixel.value / Double(height)
        // Aspects that differ by less than a thousandth differ by less than a column.
        let (narrow, wide) = ("lt(ld(0),\(aspect * 0.999))", "gt(ld(0),\(aspect * 1.001))")
        let display = "st(0,\(displayAspect))"
        let fittedWidth = "\(display);if(\(narrow),2*trunc(\(height)*ld(0)/\(pixel.value)/2),\(width))"
        let fittedHeight = "\(display);if(\(wide),2*trunc(\(width)*\(pixel.value)/ld(0)/2),\(height))"
        // `pad` makes even sizes only.
        let (evenWidth, evenHeight) = (width + width % 2, height + height % 2)
        let isOdd = (width, height) != (evenWidth, evenHeight)
        return [
            "scale=eval=frame:w='\(fittedWidth)':h='\(fittedHeight)'\(conversion)",
            "pad=\(evenWidth):\(evenHeight):(ow-iw)/2:(oh-ih)/2:eval=frame",
        ] + (isOdd ? ["crop=\(width):\(height):0:0:exact=1"] : []) + [
            "setsar=\(pixel.numerator)/\(pixel.denominator)"
        ]
    }

    private static func depth(_ colors: PictureColors, _ bits: Int, _ job: Job) throws(ToolError) -> BitDepth
    {
        if let range = colors.highDynamicRange, job.depth == .eight {
            throw .highDynamicRange(job, range)
        }
        // ProRes has ten bits in any case.
        let isDeep = colors.highDynamicRange != nil || job.encoding.codec == .prores && bits > 8
        return job.depth ?? (isDeep ? .ten : .eight)
    }

    /// GStreamer's caps of the frames.
    var caps: String {
        var fields = [
            "video/x-raw", "format=(string)\(depth.pixels)", "width=(int)\(width)", "height=(int)\(height)",
            "framerate=(fraction)\(rate)", "pixel-aspect-ratio=(fraction)\(pixelAspectRatio)",
            "interlace-mode=(string)progressive",
        ]
        if let colorimetry = colors.colorimetry { fields.append("colorimetry=(string)\(colorimetry)") }
        if let site = colors.chromaSite { fields.append("chroma-site=(string)\(site)") }
        return fields.joined(separator: ", ")
    }
}

extension MediaDescription.Stream {
    /// Whether players turn the frames by a quarter.
    var isTurned: Bool {
        let turns = sideData.compactMap { $0["rotation"]?.number }
        return turns.contains { (Int($0.rounded()) / 90) % 2 != 0 }
    }
}

extension MediaDescription.Video {
    var isRGB: Bool {
        let formats = ["rgb", "bgr", "gbr", "argb", "abgr", "0rgb", "0bgr", "pal8", "x2rgb", "x2bgr"]
        return formats.contains(where: pixelFormat.hasPrefix)
    }

    /// Bits of a sample, as the name of the pixel format says.
    var bits: Int {
        let deep = ["16", "14", "12", "10", "9"].first {
            pixelFormat.hasSuffix("\($0)le") || pixelFormat.hasSuffix("\($0)be")
        }
        if let deep { return Int(deep) ?? 8 }
        return ["48", "64"].contains { pixelFormat.contains($0) } ? 16 : 8
    }
}

extension Job {
    fileprivate var needsEvenSize: Bool {
        switch format {
        case .video(let container): container.needsEvenSize(transparent: background == .transparent)
        case .still: false
        }
    }
}

extension ToolError {
    /// The error of an input whose dynamic range the output cannot hold.
    static func highDynamicRange(_ job: Job, _ transfer: String) -> ToolError {
        ToolError(
            .input,
            "\(job.inputName) has high dynamic range (\(transfer)), which is kept only with 10 bits. "
                + "Convert it to standard range first: ffmpeg -i \(FileSystem.shellWord(job.input)) -vf "
                + "zscale=t=linear:npl=100,tonemap=hable,zscale=p=bt709:t=bt709:m=bt709,format=yuv420p sdr.mp4"
        )
    }
}

/// Range, matrix, transfer function and primaries of frames, by ffmpeg's names; nil where a stream names none.
struct PictureColors: Sendable {
    let isFullRange: Bool
    let matrix: String?
    let transfer: String?
    let primaries: String?
    private let chromaLocation: String?

    init(of video: MediaDescription.Video) {
        isFullRange = !video.isRGB && (video.range == "pc" || video.pixelFormat.hasPrefix("yuvj"))
        let isHighRange = Self.transferCodes[video.transfer ?? ""].map { [16, 18].contains($0) } ?? false
        // Encoders may name the transfer function of high dynamic range only; the rest is as in ITU-R BT.2100.
        let fallback = isHighRange ? ("bt2020nc", "bt2020") : nil
        matrix = video.isRGB ? "bt709" : video.matrix ?? fallback?.0
        transfer = video.transfer
        primaries = video.primaries ?? fallback?.1
        chromaLocation = video.chromaLocation
    }

    /// The transfer function of high dynamic range, as in ITU-R BT.2100: `PQ` or `HLG`; nil for standard range.
    var highDynamicRange: String? {
        switch transfer {
        case "smpte2084": "PQ"
        case "arib-std-b67": "HLG"
        default: nil
        }
    }

    /// Options of ffmpeg's filter `scale` that convert decoded frames to this range and matrix.
    func conversion(from video: MediaDescription.Video) -> String {
        if video.isRGB { return ":out_color_matrix=bt709:out_range=tv" }
        return isFullRange && !video.pixelFormat.hasPrefix("yuvj420p") ? ":out_range=pc" : ""
    }

    /// ffmpeg's filter that sets these for frames without them.
    var tagging: String {
        let fields: [(String, String?)] = [
            ("range", isFullRange ? "pc" : "tv"), ("colorspace", matrix), ("color_primaries", primaries),
            ("color_trc", transfer),
        ]
        return "setparams="
            + fields.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: ":")
    }

    /// GStreamer's name of range, matrix, transfer function and primaries; nil for its default by size.
    var colorimetry: String? {
        guard isFullRange || matrix != nil || transfer != nil || primaries != nil else { return nil }
        return GStreamer.Colorimetry(
            isFullRange: isFullRange, matrix: Self.matrixCodes[matrix ?? ""] ?? 2,
            transfer: Self.transferCodes[transfer ?? ""] ?? 2,
            primaries: Self.primariesCodes[primaries ?? ""] ?? 2
        ).text
    }

    /// GStreamer's name of the place of chroma samples; nil for its default.
    var chromaSite: String? {
        switch chromaLocation {
        case "left": "mpeg2"
        case "center": "jpeg"
        case "topleft": "cosited"
        default: nil
        }
    }

    // Code points of ISO/IEC 23091-2; 2 is unspecified.
    private static let matrixCodes: [String: UInt32] = [
        "gbr": 0, "bt709": 1, "fcc": 4, "bt470bg": 5, "smpte170m": 6, "smpte240m": 7, "bt2020nc": 9,
        "bt2020c": 10,
    ]
    private static let transferCodes: [String: UInt32] = [
        "bt709": 1, "bt470m": 4, "gamma22": 4, "bt470bg": 5, "gamma28": 5, "smpte170m": 6, "smpte240m": 7,
        "linear": 8, "log100": 9, "iec61966-2-1": 13, "bt2020-10": 14, "bt2020-12": 15, "smpte2084": 16,
        "arib-std-b67": 18,
    ]
    private static let primariesCodes: [String: UInt32] = [
        "bt709": 1, "bt470m": 4, "bt470bg": 5, "smpte170m": 6, "smpte240m": 7, "film": 8, "bt2020": 9,
        "smpte428": 10, "smpte431": 11, "smpte432": 12,
    ]
}

extension MediaDescription.Stream {
    /// Whether frames may be transparent.
    var hasAlpha: Bool {
        let formats = [
            "yuva", "rgba", "bgra", "argb", "abgr", "gbrap", "ya8", "ya16", "pal8", "ayuv", "vuya",
        ]
        return alphaDecoder != nil || formats.contains(where: video.pixelFormat.hasPrefix)
    }

    /// ffmpeg's arguments for a decoder that gives transparency.
    var decoderArguments: [String] { alphaDecoder.map { ["-c:v", $0] } ?? [] }

    /// ffmpeg's decoder, where the usual one leaves out transparency; nil for the usual one.
    private var alphaDecoder: String? {
        guard tags["alpha_mode"] == "1" else { return nil }
        return switch codec {
        case "vp8": "libvpx"
        case "vp9": "libvpx-vp9"
        default: nil
        }
    }

    /// ffmpeg's filters that make transparent parts black: the colours below erased pixels must not become visible.
    ///
    /// - Parameter isDeep: whether samples have more than 8 bits.
    func erasingFilters(isDeep: Bool) -> [String] {
        hasAlpha ? ["format=\(isDeep ? "gbrap10le" : "gbrap")", "premultiply=inplace=1"] : []
    }
}

/// Things inside the frames of a video that composed frames do not have.
struct LostContents {
    /// Names of what is lost, for the user.
    let notes: [String]

    /// - Throws: `ToolError` where the frames by themselves have wrong colours.
    init(of input: VideoInput) throws(ToolError) {
        let (stream, track) = (input.track, input.movieTrack(of: input.track))
        let frame = try MediaDescription.frameSideData(of: input.media, stream: stream.index)
        let sideData = stream.sideData + frame
        func first(_ kind: String) -> JSON? { sideData.first { $0["side_data_type"]?.string == kind } }
        var notes: [String] = []
        if let vision = first("DOVI configuration record") {
            let profile = vision["dv_profile"]?.integer ?? 0
            guard profile != Self.profileWithoutBase else { throw .dolbyVision(input) }
            notes.append(
                "Dolby Vision's metadata (profile \(profile)) are left out; the frames are those without them"
            )
        }
        // A mark of the container is a tag, which the check of the output names.
        let packing = frame.first { $0["side_data_type"]?.string == "Stereo 3D" }?["type"]?.string
        if track?.properties.isDisjoint(with: Self.boxesOfTwoEyes) == false {
            notes.append("the frames of the second eye are left out")
        } else if let packing, !["2D", "unspecified"].contains(packing) {
            notes.append(
                "frames hold two eyes (\(packing)), and are processed as one picture; the mark is left out")
        }
        if stream.video.hasCaptions || first("ATSC A53 Part 4 Closed Captions") != nil {
            let name = FileSystem.shellWord(input.media.path)
            notes.append(
                "captions inside the frames are left out; ffmpeg -f lavfi -i movie=\(name)[out+subcc] captions.srt writes them"
            )
        }
        self.notes = notes
    }

    /// The profile of Dolby Vision whose frames have colours of their own (ICtCp), which only its metadata turn into Y'CbCr.
    private static let profileWithoutBase = 5

    /// Boxes in a sample entry of HEVC with two layers (Apple's MV-HEVC): the second layer's, and that of the eyes.
    private static let boxesOfTwoEyes: Set<String> = ["lhvC", "eyes"]
}

extension ToolError {
    fileprivate static func dolbyVision(_ input: VideoInput) -> ToolError {
        let name = FileSystem.shellWord(input.media.name)
        return ToolError(
            .input,
            "\(input.media.name) has Dolby Vision of profile 5, whose colours are no Y'CbCr. Convert it first: ffmpeg -i "
                + "\(name) -vf libplacebo=colorspace=bt709:color_primaries=bt709:color_trc=bt709:format=yuv420p sdr.mp4"
        )
    }
}
