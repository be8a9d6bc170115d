import CGStreamer
public import Imaging

/// What caps say about a video stream.
public struct VideoInfo: @unchecked Sendable, Equatable {
    // Its only pointer is to GStreamer's constant format table.
    var raw: GstVideoInfo

    /// The pixel format; nil when it is not one of the table's.
    public let format: PixelFormat?

    init(_ raw: GstVideoInfo) {
        self.raw = raw
        format = raw.finfo.flatMap { PixelFormat(rawValue: String(cString: $0.pointee.name)) }
    }

    init?(caps: UnsafeMutablePointer<GstCaps>?) {
        var raw = GstVideoInfo()
        guard let caps, gst_video_info_from_caps(&raw, caps) != 0 else { return nil }
        self.init(raw)
    }

    /// Whether both describe the same pictures, frame rate included.
    public static func == (one: VideoInfo, other: VideoInfo) -> Bool {
        var (one, other) = (one.raw, other.raw)
        return gst_video_info_is_equal(&one, &other) != 0
    }

    /// Pixels in a row.
    public var width: Int { Int(raw.width) }
    /// Rows.
    public var height: Int { Int(raw.height) }
    /// Width of a pixel over its height, as a fraction.
    public var pixelAspectRatio: (numerator: Int, denominator: Int) {
        (Int(max(1, raw.par_n)), Int(max(1, raw.par_d)))
    }

    /// Matrix, range and chroma siting, with GStreamer's defaults filled in.
    public var colorimetry: Colorimetry {
        Colorimetry(matrix: matrix, range: range, chromaSite: chromaSite)
    }

    private var matrix: Colorimetry.Matrix {
        switch raw.colorimetry.matrix {
        case GST_VIDEO_COLOR_MATRIX_BT709: .bt709
        case GST_VIDEO_COLOR_MATRIX_BT2020: .bt2020
        default: .bt601
        }
    }

    private var range: Colorimetry.Range {
        // Grey carries luma; GStreamer's default for it is full range, as for RGB.
        raw.colorimetry.range == GST_VIDEO_COLOR_RANGE_16_235 ? .limited : .full
    }

    private var chromaSite: Colorimetry.ChromaSite {
        let site = raw.chroma_site.rawValue
        guard site != GST_VIDEO_CHROMA_SITE_UNKNOWN.rawValue else { return .mpeg2 }
        return Colorimetry.ChromaSite(
            cositedHorizontally: site & GST_VIDEO_CHROMA_SITE_H_COSITED.rawValue != 0,
            cositedVertically: site & GST_VIDEO_CHROMA_SITE_V_COSITED.rawValue != 0)
    }
}

/// Caps of raw video in these formats, any size that `ImageView` takes and any frame rate.
func videoCaps(formatList: String) -> String {
    let side = "(int)[ 1, \(ImageView.maximumSide) ]"
    return "video/x-raw, format=(string)\(formatList), width=\(side), height=\(side), "
        + "framerate=(fraction)[ 0/1, 2147483647/1 ]"
}
