import CGStreamer

/// Takes the orientation out of a stream's tags once its frames are turned.
///
/// GStreamer 1.22's videoflip leaves it in: elements downstream would turn the picture once more.
enum OrientationTag {
    /// - Parameter pad: where turned frames leave.
    static func remove(at pad: Pad) {
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { _, info, _ in
                if let info { OrientationTag.removeOrientation(info) }
                return GST_PAD_PROBE_OK
            }, nil, nil)
    }

    fileprivate static func removeOrientation(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let event = info.pointee.data?.assumingMemoryBound(to: GstEvent.self),
            people_event_type(event) == GST_EVENT_TAG
        else { return }
        var tags: UnsafeMutablePointer<GstTagList>?
        gst_event_parse_tag(event, &tags)
        guard let tags, gst_tag_list_get_tag_size(tags, "image-orientation") > 0,
            let rest = gst_tag_list_copy(tags)
        else { return }
        gst_tag_list_remove_tag(rest, "image-orientation")
        info.pointee.data = UnsafeMutableRawPointer(gst_event_new_tag(rest))
        gst_event_unref(event)
    }
}
