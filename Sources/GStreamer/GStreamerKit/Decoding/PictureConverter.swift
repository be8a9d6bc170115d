import CGStreamer
package import Imaging
import Synchronization

/// Converts frames of one source to pictures in a stream's format.
final class PictureConverter {
    private let info: VideoInfo
    private let style: Guarded<PictureStyle>
    private let pool: MemoryPool
    private var plan: Plan?

    /// The conversion for one kind of frame.
    private struct Plan {
        let caps: GStreamer.Caps
        let orientation: ImageOrientation
        let style: PictureStyle
        let conversion: any PictureConversion

        func suits(_ other: GStreamer.Caps, _ orientation: ImageOrientation, _ style: PictureStyle) -> Bool {
            self.style == style && self.orientation == orientation && caps == other
        }
    }

    /// - Throws: `GST_RESOURCE_ERROR_READ` when there is no memory for such pictures.
    init(for info: VideoInfo, _ style: PictureStyle) throws(ElementError) {
        guard let pool = MemoryPool(byteCount: Int(clamping: info.raw.size)) else { throw .unconvertible }
        (self.info, self.style, self.pool) = (info, Guarded(style), pool)
    }

    /// Changes the placement of the next pictures; may be called on any thread.
    func restyle(_ style: PictureStyle) { self.style.update { $0 = style } }

    /// Converts a decoder's picture; nil when the sample has none, or memory is short.
    func convert(_ sample: GStreamer.Sample, orientation: ImageOrientation) -> ConvertedPicture? {
        guard let input = sample.buffer, let caps = sample.caps,
            let plan = plan(for: caps, orientation), let output = pool.acquire(),
            plan.conversion.convert(input.pointer, into: output.raw)
        else { return nil }
        if plan.style.isMirrored, let frame = VideoFrame(mapping: output.raw, as: info, .readWrite) {
            frame.mutableImage?.flipHorizontally()
        }
        return ConvertedPicture(output, info, showsBorder: plan.conversion.showsBorder)
    }

    private func plan(for caps: GStreamer.Caps, _ orientation: ImageOrientation) -> Plan? {
        let style = style.snapshot()
        if let plan, plan.suits(caps, orientation, style) { return plan }
        guard let source = VideoInfo(caps),
            let conversion = PictureConversions.conversion(
                from: source, orientation: orientation, to: info, style)
        else { return nil }
        plan = Plan(caps: caps, orientation: orientation, style: style, conversion: conversion)
        return plan
    }
}

extension ElementError {
    static var unconvertible: ElementError {
        ElementError(.resourceRead, "The picture could not be converted to the video's format.")
    }
}

/// The placement of a picture or a clip in a stream's frames.
package struct PictureStyle: Sendable, Equatable {
    /// The way in which the picture's shape is fitted to the frame's.
    package var fit: PictureFit
    /// Whether the picture is mirrored horizontally.
    package var isMirrored: Bool
    /// The colour of the area that stays free: 0xAARRGGBB.
    package var border: UInt32

    /// Makes a style.
    package init(fit: PictureFit = .cover, isMirrored: Bool = false, border: UInt32 = 0xff00_0000) {
        self.fit = fit
        self.isMirrored = isMirrored
        self.border = border
    }
}

/// A picture that is placed and converted into a stream's own format, size and colorimetry.
package final class ConvertedPicture: @unchecked Sendable {
    // Unchecked: only `init` writes; the mapping keeps the converted buffer alive.
    private let frame: VideoFrame

    /// The picture as the stream would carry it.
    package var image: ImageView { frame.image }

    /// Number that no other picture of this process has.
    package let revision: UInt64
    private static let lastRevision = Atomic<UInt64>(0)

    /// Whether the style's border colour is visible anywhere.
    package let showsBorder: Bool

    /// Converts `picture` for a stream.
    ///
    /// - Throws: `GST_RESOURCE_ERROR_READ` when the picture cannot be converted.
    package static func converting(
        _ picture: StillPicture, to info: VideoInfo, _ style: PictureStyle
    ) throws(ElementError) -> ConvertedPicture {
        let converter = try PictureConverter(for: info, style)
        guard let converted = converter.convert(picture.sample, orientation: picture.orientation) else {
            throw .unconvertible
        }
        return converted
    }

    /// Returns this picture stretched to frames of another format; nil when memory is short.
    package func stretched(to info: VideoInfo) -> ConvertedPicture? {
        let (old, new) = (frame.info, info)
        guard let converter = RawVideoConverter(from: old.raw, old.bounds, to: new.raw, new.bounds),
            let pool = MemoryPool(byteCount: Int(clamping: new.raw.size))
        else { return nil }
        guard let output = pool.acquire() else { return nil }
        guard converter.convert(frame.buffer, into: output.raw) else { return nil }
        return ConvertedPicture(output, new, showsBorder: showsBorder)
    }

    /// Wraps a picture that is already in the stream's format.
    init?(_ buffer: borrowing MemoryBuffer, _ info: VideoInfo, showsBorder: Bool) {
        guard let frame = VideoFrame(mapping: buffer.raw, as: info, .hold) else { return nil }
        self.frame = frame
        self.showsBorder = showsBorder
        revision = Self.lastRevision.add(1, ordering: .relaxed).newValue
    }
}

extension VideoInfo {
    fileprivate var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}

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

/// Converts and scales a part of a picture to a part of another (`GstVideoConverter`, cubic).
final class RawVideoConverter {
    private let converter: OpaquePointer
    private var from: GstVideoInfo
    private var to: GstVideoInfo

    /// - Parameter border: colour around the destination, 0xAARRGGBB.
    init?(
        from: GstVideoInfo, _ source: PixelRect, to: GstVideoInfo, _ destination: PixelRect,
        border: UInt32 = 0
    ) {
        (self.from, self.to) = (from.timeless, to.timeless)
        let options = converterOptions(source, destination, border: border)
        guard let converter = gst_video_converter_new(&self.from, &self.to, options) else { return nil }
        self.converter = converter
    }

    deinit { gst_video_converter_free(converter) }

    /// Converts the picture in one buffer into another buffer; false when a buffer cannot be mapped.
    func convert(
        _ input: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>
    ) -> Bool {
        var (source, destination) = (GstVideoFrame(), GstVideoFrame())
        guard gst_video_frame_map(&source, &from, input, GST_MAP_READ) != 0 else { return false }
        defer { gst_video_frame_unmap(&source) }
        guard gst_video_frame_map(&destination, &to, output, GST_MAP_WRITE) != 0 else { return false }
        defer { gst_video_frame_unmap(&destination) }
        gst_video_converter_frame(converter, &source, &destination)
        return true
    }
}

extension GstVideoInfo {
    /// Description of these images without a frame rate and fields, which the converter requires to be equal
    /// on both sides.
    fileprivate var timeless: GstVideoInfo {
        var info = self
        (info.fps_n, info.fps_d) = (0, 1)
        info.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
        return info
    }
}

private func converterOptions(
    _ source: PixelRect, _ destination: PixelRect, border: UInt32
) -> UnsafeMutablePointer<GstStructure>? {
    guard let options = gst_structure_new_empty("GstVideoConverter") else { return nil }
    let writer = StructureWriter(structure: options)
    writer.set("GstVideoConverter.src-x", source.x)
    writer.set("GstVideoConverter.src-y", source.y)
    writer.set("GstVideoConverter.src-width", source.width)
    writer.set("GstVideoConverter.src-height", source.height)
    writer.set("GstVideoConverter.dest-x", destination.x)
    writer.set("GstVideoConverter.dest-y", destination.y)
    writer.set("GstVideoConverter.dest-width", destination.width)
    writer.set("GstVideoConverter.dest-height", destination.height)
    writer.set("GstVideoConverter.border-argb", unsigned: border)
    return options
}
