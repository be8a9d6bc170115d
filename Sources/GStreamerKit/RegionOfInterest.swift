import CGStreamer
public import Imaging

extension VideoFrame {
    /// Takes the regions of a kind off.
    public func removeRegions(_ kind: StaticString) {
        var type = kind.withCString { g_quark_from_string($0) }
        gst_buffer_foreach_meta(buffer, removeRegion, &type)
    }

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

/// Removes a meta, by setting it to nil, that is a region of the type in `data`, a GQuark.
private let removeRegion: GstBufferForeachMetaFunc = { _, meta, data in
    guard let found = meta?.pointee, let data,
        found.pointee.info.pointee.api == gst_video_region_of_interest_meta_api_get_type()
    else { return 1 }
    let region = UnsafeMutableRawPointer(found).assumingMemoryBound(to: GstVideoRegionOfInterestMeta.self)
    if region.pointee.roi_type == data.load(as: GQuark.self) { meta?.pointee = nil }
    return 1
}
