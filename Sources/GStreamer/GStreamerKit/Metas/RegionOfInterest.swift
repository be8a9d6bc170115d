import CGStreamer
public import Imaging

extension VideoFrame {
    /// Removes the frame's regions of a kind.
    public func removeRegions(_ kind: StaticString) {
        var type = kind.withCString { g_quark_from_string($0) }
        gst_buffer_foreach_meta(buffer, removeRegion, &type)
    }

    /// Removes the frame's descriptions for other plugins, whichever element attached them: regions of
    /// interest, and the metadata of GStreamer's analytics library.
    public func removeDescriptions() { gst_buffer_foreach_meta(buffer, removeDescription, nil) }

    /// Whether regions are also objects of GStreamer's analytics library.
    public static var hasAnalytics: Bool { AnalyticsLibrary.shared != nil }

    /// Opens the library that `attachRegion` uses, so that no frame waits for it.
    public static func prepareRegions() { _ = AnalyticsLibrary.shared }

    /// Marks a region for other plugins: encoders, blurs, overlays.
    ///
    /// The region becomes a `GstVideoRegionOfInterestMeta`. Its parameters are a `detection` structure with
    /// the region, normalised and unrounded, and the confidence; GStreamer drops parameters when it converts
    /// a frame. If GStreamer has its analytics library (from 1.24 on), the region also becomes an object with
    /// a track there.
    ///
    /// - Parameters:
    ///   - kind: the kind of thing in the region: `face`.
    ///   - box: in normalised coordinates of the frame; cut off at the frame's edges.
    ///   - id: the id of the tracked thing.
    ///   - tracks: the element's tracks.
    public func attachRegion(
        _ kind: StaticString, box: Rectangle, confidence: Double, id: Int, in tracks: RegionTracks
    ) {
        let pixels = PixelRect(box, width: info.width, height: info.height)
        attachObject(kind, pixels, confidence: confidence, id: id, in: tracks)
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

    /// `GST_CLOCK_TIME_NONE`.
    private static var unknownTime: UInt64 { .max }

    /// Adds an object and its track to the analytics metadata; GStreamer cannot remove a single object again.
    private func attachObject(
        _ kind: StaticString, _ box: PixelRect, confidence: Double, id: Int, in tracks: RegionTracks
    ) {
        guard let library = AnalyticsLibrary.shared, let meta = library.meta(of: buffer) else { return }
        let type = kind.withCString { g_quark_from_string($0) }
        let seen = tracks.see(id)
        var (object, track) = (AnalyticsLibrary.Handle(), AnalyticsLibrary.Handle())
        guard
            library.addObject(
                meta, type, gint(clamping: box.x), gint(clamping: box.y), gint(clamping: box.width),
                gint(clamping: box.height), gfloat(confidence), &object) != 0,
            library.addTrack(
                meta, guint64(tracks.track(of: id)), GstClockTime(seen?.first ?? Self.unknownTime), &track)
                != 0
        else { return }
        if let seen { _ = library.updateLastSeen(&track, GstClockTime(seen.last)) }
        _ = library.setRelation(meta, AnalyticsLibrary.relatesTo, object.id, track.id)
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

/// Removes a region of interest or the analytics library's metadata, by setting it to nil.
private let removeDescription: GstBufferForeachMetaFunc = { _, meta, _ in
    guard let found = meta?.pointee, found.pointee.flags.rawValue & GST_META_FLAG_LOCKED.rawValue == 0 else {
        return 1
    }
    let type = found.pointee.info.pointee.api
    if type == gst_video_region_of_interest_meta_api_get_type() || type == AnalyticsLibrary.shared?.metaType {
        meta?.pointee = nil
    }
    return 1
}
