import CGStreamer
public import Imaging

extension Frame {
    /// Lends a packed RGB frame to the library that knows nothing of GStreamer.
    public func withImage<Result>(_ body: (ImageView) throws -> Result) throws -> Result {
        var map = GstMapInfo()
        guard format == "RGB", gst_buffer_map(buffer, &map, GST_MAP_READ) != 0, let data = map.data else {
            throw SetupFailure("the frame is not RGB")
        }
        defer { gst_buffer_unmap(buffer, &map) }
        let plane = Plane(base: data, stride: (3 * width + 3) / 4 * 4)
        let count = Int(map.size)
        guard
            let image = ImageView(
                format: .rgb, width: width, height: height, plane: plane, byteCount: count)
        else { throw SetupFailure("the frame's rows are padded") }
        return try body(image)
    }
}
