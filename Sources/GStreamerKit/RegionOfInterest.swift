import CGStreamer
public import Imaging

extension VideoFrame {
    /// Marks a region for other plugins: encoders, blurs, overlays (`GstVideoRegionOfInterestMeta`).
    ///
    /// Its parameters are a `detection` structure with the region again, normalised and unrounded,
    /// and the confidence; GStreamer drops parameters when it converts a frame.
    ///
    /// - Parameters:
    ///   - kind: what is there: `face`.
    ///   - box: in normalised coordinates of the frame; what lies outside the frame is cut off.
    public func attachRegion(_ kind: StaticString, box: Rectangle, confidence: Double, id: Int) {
        let pixels = PixelRect(box, width: info.width, height: info.height)
        let region = kind.withCString {
            gst_buffer_add_video_region_of_interest_meta(
                buffer, $0, guint(clamping: pixels.x), guint(clamping: pixels.y),
                guint(clamping: pixels.width), guint(clamping: pixels.height))
        }
        guard let region, let detection = gst_structure_new_empty("detection") else { return }
        region.pointee.id = gint(clamping: id)
        let fields = StructureWriter(structure: detection)
        fields.set("x_min", box.x)
        fields.set("y_min", box.y)
        fields.set("x_max", box.x + box.width)
        fields.set("y_max", box.y + box.height)
        fields.set("confidence", confidence)
        gst_video_region_of_interest_meta_add_param(region, detection)
    }
}
