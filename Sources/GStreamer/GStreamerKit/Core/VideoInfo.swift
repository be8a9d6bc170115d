import CGStreamer
public import Imaging

/// The images of a video stream as its caps describe them; each buffer has one image.
///
/// If each buffer contains one field (`interlace-mode=alternate`), the field is the image: half as high, of
/// pixels twice as high.
public struct VideoInfo: @unchecked Sendable, Equatable {
    // Unchecked: its only pointer is to GStreamer's constant format table.
    var raw: GstVideoInfo

    /// The pixel format; nil for a format without a case.
    public let format: PixelFormat?

    private var isInSystemMemory = true

    /// Whether a program can read and write such images: system memory, a known format and supported sides.
    var isAccessible: Bool {
        let sides = 1...ImageView.maximumSide
        return isInSystemMemory && format != nil && sides.contains(width) && sides.contains(height)
    }

    /// Rows of a whole frame: of two buffers if each contains a field.
    package let frameHeight: Int
    /// Whether the rows of a frame were taken at different times.
    package let isInterlaced: Bool

    init(_ raw: GstVideoInfo) {
        self.raw = raw.image
        frameHeight = Int(raw.height)
        isInterlaced = raw.interlace_mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
        format = raw.finfo.flatMap { PixelFormat(rawValue: String(cString: $0.pointee.name)) }
    }

    init?(caps: UnsafeMutablePointer<GstCaps>?) {
        var raw = GstVideoInfo()
        guard let caps, gst_video_info_from_caps(&raw, caps) != 0 else { return nil }
        self.init(raw)
        isInSystemMemory = !hasOtherMemory(caps)
    }

    /// Returns nil for caps that are not raw video.
    package init?(_ caps: GStreamer.Caps) { self.init(caps: caps.pointer()) }

    /// Whether both describe the same images with the same frame rate.
    public static func == (one: VideoInfo, other: VideoInfo) -> Bool {
        var (one, other) = (one.raw, other.raw)
        return gst_video_info_is_equal(&one, &other) != 0
    }

    /// Width of the image, in pixels.
    public var width: Int { Int(raw.width) }
    /// Height of the image, in pixels.
    public var height: Int { Int(raw.height) }
    /// Width of a pixel over its height, as a fraction.
    public var pixelAspectRatio: (numerator: Int, denominator: Int) {
        (Int(max(1, raw.par_n)), Int(max(1, raw.par_d)))
    }

    /// Width of the displayed image over its height.
    public var displayAspectRatio: Double {
        let pixel = pixelAspectRatio
        return Double(width) * Double(pixel.numerator) / (Double(max(1, height)) * Double(pixel.denominator))
    }

    /// Time from one image to the next, in nanoseconds; nil where the caps have no frame rate.
    public var frameDuration: UInt64? {
        guard raw.fps_n > 0, raw.fps_d > 0 else { return nil }
        return UInt64(raw.fps_d) * 1_000_000_000 / UInt64(raw.fps_n)
    }

    /// Whether the images are displayed with the same aspect ratio as images of another size.
    ///
    /// - Parameters:
    ///   - size: width and height of the other images, in pixels.
    ///   - pixelAspectRatio: width of the other images' pixels over their height.
    public func hasDisplayAspect(
        of size: (width: Int, height: Int), pixelAspectRatio: (numerator: Int, denominator: Int)
    ) -> Bool {
        let sides = 1...ImageView.maximumSide
        guard sides.contains(size.width), sides.contains(size.height), pixelAspectRatio.numerator > 0,
            pixelAspectRatio.denominator > 0
        else { return false }
        var other = raw
        (other.width, other.height) = (gint(size.width), gint(size.height))
        other.par_n = gint(clamping: pixelAspectRatio.numerator)
        other.par_d = gint(clamping: pixelAspectRatio.denominator)
        return keepsDisplayAspect(from: other, to: raw)
    }

    /// Description of these images without a frame rate.
    public var timeless: VideoInfo {
        var info = self
        (info.raw.fps_n, info.raw.fps_d) = (0, 1)
        return info
    }

    /// The colours that the caps describe.
    package var colors: GStreamer.Colorimetry { GStreamer.Colorimetry(raw.colorimetry) }

    private func has(_ flag: GstVideoFormatFlags) -> Bool {
        raw.finfo.map { $0.pointee.flags.rawValue & flag.rawValue != 0 } ?? false
    }

    package var hasAlpha: Bool { has(GST_VIDEO_FORMAT_FLAG_ALPHA) }
    package var isYUV: Bool { has(GST_VIDEO_FORMAT_FLAG_YUV) }

    /// Matrix, range, chroma siting and transfer, with GStreamer's defaults filled in.
    public var colorimetry: Colorimetry {
        Colorimetry(matrix: matrix, range: range, chromaSite: chromaSite, transfer: transfer)
    }

    private var matrix: Colorimetry.Matrix {
        switch raw.colorimetry.matrix {
        case GST_VIDEO_COLOR_MATRIX_BT709: .bt709
        case GST_VIDEO_COLOR_MATRIX_BT2020: .bt2020
        default: .bt601
        }
    }

    private var range: Colorimetry.Range {
        // Grey carries luma; GStreamer's default range for grey is full, as for RGB.
        raw.colorimetry.range == GST_VIDEO_COLOR_RANGE_16_235 ? .limited : .full
    }

    private var transfer: Colorimetry.Transfer {
        switch raw.colorimetry.transfer {
        case GST_VIDEO_TRANSFER_SMPTE2084: .pq
        case GST_VIDEO_TRANSFER_ARIB_STD_B67: .hlg
        default: .sdr
        }
    }

    private var chromaSite: Colorimetry.ChromaSite {
        let site = raw.chroma_site.rawValue
        guard site != GST_VIDEO_CHROMA_SITE_UNKNOWN.rawValue else { return .mpeg2 }
        return Colorimetry.ChromaSite(
            cositedHorizontally: site & GST_VIDEO_CHROMA_SITE_H_COSITED.rawValue != 0,
            cositedVertically: site & GST_VIDEO_CHROMA_SITE_V_COSITED.rawValue != 0)
    }
}

extension VideoInfo: CustomStringConvertible {
    /// Pixel format, size and pixel aspect ratio: `I420 1280x720 1/1`.
    public var description: String {
        let (numerator, denominator) = pixelAspectRatio
        return "\(format?.rawValue ?? "?") \(width)x\(height) \(numerator)/\(denominator)"
    }
}

extension VideoInfo {
    /// Returns the caps fields `colorimetry` and `chroma-site` for the same image in another format; nil for
    /// the default of that format.
    ///
    /// Transfer function and primaries stay: a conversion between formats does not change them.
    func colorFields(as format: PixelFormat) -> (colorimetry: String?, chromaSite: String?) {
        var other = GstVideoInfo()
        guard let layout = self.format?.layout,
            gst_video_info_set_format(
                &other, people_video_format_from_string(format.rawValue), guint(raw.width), guint(raw.height))
                != 0
        else { return (nil, nil) }
        let sameModel = layout.model == format.layout.model
        if sameModel { other.colorimetry = raw.colorimetry }
        other.colorimetry.transfer = raw.colorimetry.transfer
        other.colorimetry.primaries = raw.colorimetry.primaries
        let sameChroma = sameModel && format.layout.component(1).isSubsampled(as: layout.component(1))
        return (
            gst_video_colorimetry_to_string(&other.colorimetry).map(copyAndFree),
            sameChroma ? gst_video_chroma_site_to_string(raw.chroma_site).map(copyAndFree) : nil
        )
    }
}

extension ComponentLayout {
    fileprivate func isSubsampled(as other: ComponentLayout) -> Bool {
        widthShift == other.widthShift && heightShift == other.heightShift
    }
}

/// Whether the first structure of `caps` is about memory other than system memory, such as a graphics card's.
private func hasOtherMemory(_ caps: UnsafeMutablePointer<GstCaps>) -> Bool {
    guard let features = gst_caps_get_features(caps, 0) else { return false }
    if gst_caps_features_is_any(features) != 0 { return true }
    return (0..<gst_caps_features_get_size(features)).contains { index in
        guard let name = gst_caps_features_get_nth(features, index) else { return false }
        return strncmp(name, "memory:", 7) == 0 && strcmp(name, "memory:SystemMemory") != 0
    }
}

extension GstVideoInfo {
    /// The image in one buffer, which is a field if each buffer contains one; the memory layout stays the
    /// same.
    fileprivate var image: GstVideoInfo {
        var field = self
        // This flag is set for caps with a rate of 0 and not for caps without a rate, which mean the same.
        field.flags = GstVideoFlags(rawValue: flags.rawValue & ~GST_VIDEO_FLAG_VARIABLE_FPS.rawValue)
        guard interlace_mode == GST_VIDEO_INTERLACE_MODE_ALTERNATE else { return field }
        field.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
        field.height = height / 2 + height % 2
        field.par_d = par_d <= .max / 2 ? par_d * 2 : par_d
        return field
    }
}

// MARK: - Caps

/// Caps of raw video in these formats, any size that `ImageView` takes and any frame rate.
func videoCaps(formats: [PixelFormat]) -> String {
    rawCaps(formats: formats, "\(sides), framerate=(fraction)[ 0/1, 2147483647/1 ]")
}

/// Caps of raw video in these formats and any size that `ImageView` takes, without a frame rate field.
func sizedCaps(formats: [PixelFormat]) -> String { rawCaps(formats: formats, sides) }

private var sides: String {
    let side = "(int)[ 1, \(ImageView.maximumSide) ]"
    return ", width=\(side), height=\(side)"
}

/// Caps of raw video in these formats, in system memory, as frames or as single fields.
func rawCaps(formats: [PixelFormat], _ more: String = "") -> String {
    let fields = "format=(string)\(formatList(formats))\(more)"
    return "video/x-raw, \(fields); video/x-raw(format:Interlaced), \(fields), interlace-mode=alternate"
}

/// Caps of raw video in any memory and format.
let anyVideoCaps = "video/x-raw(ANY)"

/// Formats as a list in the syntax of caps.
func formatList(_ formats: [PixelFormat]) -> String {
    "{ " + formats.map(\.rawValue).joined(separator: ", ") + " }"
}

extension GStreamer {
    /// The colours that caps describe: range, matrix, transfer function and primaries.
    package struct Colorimetry {
        private var raw: GstVideoColorimetry

        init(_ raw: GstVideoColorimetry) { self.raw = raw }

        /// Parses the field `colorimetry` of caps.
        package init?(_ text: String?) {
            raw = GstVideoColorimetry()
            guard let text, gst_video_colorimetry_from_string(&raw, text) != 0 else { return nil }
        }

        /// Colours by the code points of ISO/IEC 23091-2, in which 2 means unspecified.
        package init(isFullRange: Bool, matrix: UInt32, transfer: UInt32, primaries: UInt32) {
            raw = GstVideoColorimetry()
            raw.range = isFullRange ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235
            raw.matrix = gst_video_color_matrix_from_iso(matrix)
            raw.transfer = gst_video_transfer_function_from_iso(transfer)
            raw.primaries = gst_video_color_primaries_from_iso(primaries)
        }

        /// The colours as a text that `init(_:)` parses.
        package var text: String? {
            var copy = raw
            return gst_video_colorimetry_to_string(&copy).map(copyAndFree)
        }

        /// Whether 0 is black and the largest value white.
        package var isFullRange: Bool { raw.range == GST_VIDEO_COLOR_RANGE_0_255 }

        /// The transfer function of high dynamic range, as in ITU-R BT.2100: `PQ` or `HLG`; nil for standard range.
        package var highDynamicRange: String? {
            switch raw.transfer {
            case GST_VIDEO_TRANSFER_SMPTE2084: "PQ"
            case GST_VIDEO_TRANSFER_ARIB_STD_B67: "HLG"
            default: nil
            }
        }

        /// These colours with the matrix and primaries of ITU-R BT.2020 where they are unknown; nil if both
        /// are known.
        package var completedAsBT2020: Colorimetry? {
            var color = raw
            if color.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN {
                color.matrix = GST_VIDEO_COLOR_MATRIX_BT2020
            }
            if color.primaries == GST_VIDEO_COLOR_PRIMARIES_UNKNOWN {
                color.primaries = GST_VIDEO_COLOR_PRIMARIES_BT2020
            }
            let isComplete = color.matrix == raw.matrix && color.primaries == raw.primaries
            return isComplete ? nil : Colorimetry(color)
        }

        /// Primaries, transfer function and matrix in the code points of ISO/IEC 23091-2.
        package var codePoints: [UInt8] {
            [
                gst_video_color_primaries_to_iso(raw.primaries),
                gst_video_transfer_function_to_iso(raw.transfer),
                gst_video_color_matrix_to_iso(raw.matrix),
            ].map { UInt8(clamping: $0) }
        }
    }
}
