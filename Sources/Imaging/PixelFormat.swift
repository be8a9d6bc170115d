/// The pixel formats that the library reads and writes in place.
///
/// The raw value is GStreamer's name of the format in `video/x-raw` caps; caps are derived from
/// `allCases`. To add a format, add a case here and its row in `PixelLayout`.
public enum PixelFormat: String, CaseIterable, Sendable {
    case i420 = "I420"
    case yv12 = "YV12"
    case nv12 = "NV12"
    case nv21 = "NV21"
    case y42b = "Y42B"
    case y41b = "Y41B"
    case y444 = "Y444"
    case yuy2 = "YUY2"
    case uyvy = "UYVY"
    case yvyu = "YVYU"
    case ayuv = "AYUV"
    case a420 = "A420"
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
    case i420Deep = "I420_10LE"
    case i422Deep = "I422_10LE"
    case y444Deep = "Y444_10LE"
    case p010 = "P010_10LE"
    case p016 = "P016_LE"
    case argb64 = "ARGB64"
    case argb64LE = "ARGB64_LE"
    case rgba64 = "RGBA64_LE"
    case bgra64 = "BGRA64_LE"
    case abgr64 = "ABGR64_LE"
    case gray16 = "GRAY16_LE"
}

extension PixelFormat {
    /// Where the samples of this format lie; the row of the format table.
    public var layout: PixelLayout { PixelLayout.of(self) }
}
