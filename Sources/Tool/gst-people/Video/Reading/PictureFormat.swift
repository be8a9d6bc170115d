import CommandKit
import GStreamerKit
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
