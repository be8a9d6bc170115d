import CGStreamer
public import Imaging

/// A picture placed and converted once into a stream's own format, size and colorimetry.
public final class FittedPicture: @unchecked Sendable {
    // Written by `init` only; the mapping keeps the converted buffer alive.
    private let frame: VideoFrame

    /// The picture as the stream would carry it.
    public var image: ImageView { frame.image }

    /// Converts `picture` for a stream (`GstVideoConverter`, cubic resampling).
    ///
    /// - Parameter border: colour of the free part under `contain`, 0xAARRGGBB.
    /// - Throws: `GST_RESOURCE_ERROR_READ` when the picture cannot be converted.
    public init(
        _ picture: StillPicture, for info: VideoInfo, fit: PictureFit, border: UInt32
    ) throws(ElementError) {
        guard let source = VideoInfo(caps: gst_sample_get_caps(picture.sample)),
            let input = gst_sample_get_buffer(picture.sample),
            let output = gst_buffer_new_allocate(nil, info.raw.size, nil)
        else { throw .unconvertible }
        defer { gst_buffer_unref(output) }
        guard Self.convert(input, source, into: output, info, fit: fit, border: border),
            let frame = VideoFrame(mapping: output, as: info, .hold)
        else { throw .unconvertible }
        self.frame = frame
    }

    private static func convert(
        _ input: UnsafeMutablePointer<GstBuffer>, _ source: VideoInfo,
        into output: UnsafeMutablePointer<GstBuffer>, _ destination: VideoInfo, fit: PictureFit,
        border: UInt32
    ) -> Bool {
        var (from, to) = (source.raw, destination.raw)
        // A still has no frame rate, and the converter wants the same on both sides.
        (from.fps_n, from.fps_d) = (to.fps_n, to.fps_d)
        let place = fit.placement(
            of: (source.width, source.height), in: (destination.width, destination.height),
            pixelAspect: source.pixelAspect / destination.pixelAspect)
        let options = converterOptions(place.source, place.destination, border: border)
        guard let converter = gst_video_converter_new(&from, &to, options) else { return false }
        defer { gst_video_converter_free(converter) }
        return convertFrame(converter, input, &from, output, &to)
    }
}

extension ElementError {
    fileprivate static var unconvertible: ElementError {
        ElementError(.resourceRead, "The picture could not be converted to the video's format.")
    }
}

extension VideoInfo {
    var pixelAspect: Double { Double(pixelAspectRatio.numerator) / Double(pixelAspectRatio.denominator) }
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

/// Maps both buffers and converts one into the other; the input may have any format of GStreamer's.
private func convertFrame(
    _ converter: OpaquePointer, _ input: UnsafeMutablePointer<GstBuffer>, _ from: inout GstVideoInfo,
    _ output: UnsafeMutablePointer<GstBuffer>, _ to: inout GstVideoInfo
) -> Bool {
    var (source, destination) = (GstVideoFrame(), GstVideoFrame())
    guard gst_video_frame_map(&source, &from, input, GST_MAP_READ) != 0 else { return false }
    defer { gst_video_frame_unmap(&source) }
    guard gst_video_frame_map(&destination, &to, output, GST_MAP_WRITE) != 0 else { return false }
    defer { gst_video_frame_unmap(&destination) }
    gst_video_converter_frame(converter, &source, &destination)
    return true
}
