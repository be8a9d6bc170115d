/// The pixel formats that the library reads and writes in place.
///
/// The raw value is GStreamer's name of the format in `video/x-raw` caps; caps are derived from
/// `allCases`. To add a format, add a case here and its row in `PixelLayout`.
public enum PixelFormat: String, CaseIterable, Sendable {
    case i420 = "I420"
    case yv12 = "YV12"
    case nv12 = "NV12"
    case nv21 = "NV21"
    case yuy2 = "YUY2"
    case uyvy = "UYVY"
    case yvyu = "YVYU"
    case rgb = "RGB"
    case bgr = "BGR"
    case rgbx = "RGBx"
    case bgrx = "BGRx"
    case xrgb = "xRGB"
    case xbgr = "xBGR"
    case rgba = "RGBA"
    case bgra = "BGRA"
    case argb = "ARGB"
    case abgr = "ABGR"
    case gray8 = "GRAY8"
}

extension PixelFormat {
    /// Where the samples of this format lie; the row of the format table.
    public var layout: PixelLayout { PixelLayout.of(self) }
}
