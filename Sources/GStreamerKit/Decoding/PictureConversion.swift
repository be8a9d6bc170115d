import CGStreamer
import Imaging

/// A way from a decoder's picture to one that a stream would carry.
protocol PictureConversion {
    /// Whether the style's border colour is seen anywhere.
    var showsBorder: Bool { get }

    /// Fills `output`; false when a buffer does not hold what its caps say.
    func convert(
        _ input: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>
    ) -> Bool
}

/// The ways to convert.
enum PictureConversions {
    /// The cheapest one that does all that is needed; nil when GStreamer cannot convert such pictures.
    static func conversion(
        from source: VideoInfo, turned orientation: ImageOrientation, to stream: VideoInfo,
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

/// From the picture to the frame in one step.
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
