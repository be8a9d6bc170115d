import CGStreamer
import Imaging

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
