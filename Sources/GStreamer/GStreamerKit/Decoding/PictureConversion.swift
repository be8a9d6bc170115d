import CGStreamer
import Imaging

/// A conversion of a decoder's pictures to pictures in a stream's format.
protocol PictureConversion {
    /// Whether the style's border colour is visible anywhere.
    var showsBorder: Bool { get }

    /// Fills `output`; false when a buffer is smaller than its caps say.
    func convert(
        _ input: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>
    ) -> Bool
}

/// The available conversions.
enum PictureConversions {
    /// Returns the cheapest conversion that is sufficient; nil when GStreamer cannot convert such pictures.
    static func conversion(
        from source: VideoInfo, orientation: ImageOrientation, to stream: VideoInfo,
        _ style: PictureStyle
    ) -> (any PictureConversion)? {
        let needsRGB =
            orientation != .up || style.fit == .tile || source.hasAlpha
            || source.needsReferenceWhite(in: stream)
        return needsRGB
            ? RGBConversion(source, orientation, stream, style)
            : DirectConversion(source, stream, style)
    }
}

/// Conversion from the picture to the frame in one step.
private final class DirectConversion: PictureConversion {
    private let converter: RawVideoConverter
    let showsBorder: Bool

    init?(_ source: VideoInfo, _ stream: VideoInfo, _ style: PictureStyle) {
        let place = style.fit.placement(
            of: (source.width, source.height), in: (stream.width, stream.height),
            pixelAspect: source.pixelAspect / stream.pixelAspect)
        guard
            let converter = RawVideoConverter(
                from: source.raw, place.source, to: stream.raw, place.destination, border: style.border)
        else { return nil }
        self.converter = converter
        showsBorder = style.fit == .contain
    }

    func convert(
        _ input: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>
    ) -> Bool { converter.convert(input, into: output) }
}

extension VideoInfo {
    /// Width over height of a pixel.
    var pixelAspect: Double {
        Double(pixelAspectRatio.numerator) / Double(pixelAspectRatio.denominator)
    }
}

/// Conversion from the picture to the frame by way of 16-bit R'G'B'.
///
/// In that format pixels can be turned, repeated and laid on a colour, and their light can be adapted to the
/// stream's transfer function.
private final class RGBConversion: PictureConversion {
    private let (first, last): (RawVideoConverter, RawVideoConverter)
    /// The picture at its final size but in its stored orientation, and the whole frame.
    private let (stored, whole): (RGBPicture, RGBPicture)
    private let place: PixelRect
    private let orientation: ImageOrientation
    private let style: PictureStyle
    private let hasAlpha: Bool
    private let light: ReferenceWhiteTable?

    var showsBorder: Bool { style.fit == .contain || hasAlpha }

    init?(
        _ source: VideoInfo, _ orientation: ImageOrientation, _ stream: VideoInfo, _ style: PictureStyle
    ) {
        let size = orientation.upright(source.width, source.height)
        let aspect = orientation.swapsAxes ? 1 / source.pixelAspect : source.pixelAspect
        let place = style.fit.placement(
            of: size, in: (stream.width, stream.height), pixelAspect: aspect / stream.pixelAspect)
        let part = orientation.upright(place.destination.width, place.destination.height)
        guard let stored = RGBPicture(part.width, part.height),
            let whole = RGBPicture(stream.width, stream.height),
            let first = RawVideoConverter(
                from: source.raw,
                place.source.stored(orientation, width: source.width, height: source.height),
                to: stored.info, stored.all),
            let last = RawVideoConverter(from: whole.info, whole.all, to: stream.raw, whole.all)
        else { return nil }
        (self.first, self.last, self.stored, self.whole) = (first, last, stored, whole)
        (self.place, self.orientation, self.style) = (place.destination, orientation, style)
        hasAlpha = source.hasAlpha
        light =
            source.needsReferenceWhite(in: stream)
            ? ReferenceWhiteTable(stream.colorimetry.transfer, isWide: stream.isWide && !source.isWide) : nil
    }

    func convert(
        _ input: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>
    ) -> Bool {
        first.convert(input, into: stored.buffer.pointer()) && draw()
            && last.convert(whole.buffer.pointer(), into: output)
    }

    private func draw() -> Bool {
        stored.withPixels { picture in
            whole.withPixels { frame in
                if hasAlpha { picture.flatten(on: style.border) }
                if showsBorder { frame.fill(style.border) }
                frame.draw(picture, orientation: orientation, x: place.x, y: place.y)
                if style.fit == .tile { frame.repeatTile(width: place.width, height: place.height) }
                light?.apply(to: frame)
                return true
            }
        }
    }
}

/// A picture of 16-bit R'G'B' with alpha.
private final class RGBPicture {
    let info: GstVideoInfo
    let buffer: GStreamer.Buffer
    var all: PixelRect { PixelRect(x: 0, y: 0, width: Int(info.width), height: Int(info.height)) }

    init?(_ width: Int, _ height: Int) {
        var info = GstVideoInfo()
        guard
            gst_video_info_set_format(
                &info, GST_VIDEO_FORMAT_ARGB64, guint(clamping: width), guint(clamping: height))
                != 0, let buffer = GStreamer.Buffer(byteCount: Int(clamping: info.size))
        else { return nil }
        (self.info, self.buffer) = (info, buffer)
    }

    func withPixels(_ body: (ARGB64Image) -> Bool) -> Bool {
        buffer.writableView.withBytes { memory in
            ARGB64Image(memory, width: Int(info.width), height: Int(info.height)).map(body) ?? false
        } ?? false
    }
}

extension VideoInfo {
    /// Whether the primaries are those of BT.2020.
    var isWide: Bool { raw.colorimetry.primaries == GST_VIDEO_COLOR_PRIMARIES_BT2020 }

    /// Whether the light of a picture like this one must be adapted to look the same in a stream.
    ///
    /// A picture with a high dynamic range of its own is used as it is.
    func needsReferenceWhite(in stream: VideoInfo) -> Bool {
        guard colorimetry.transfer == .sdr else { return false }
        return stream.colorimetry.transfer != .sdr || stream.isWide != isWide
    }
}
