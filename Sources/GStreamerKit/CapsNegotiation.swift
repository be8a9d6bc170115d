import CGStreamer

/// Caps of the other pad for an element that can change the pixel format: the same caps first,
/// then the same picture in any format of the pad template.
func transformCaps(
    _ caps: UnsafeMutablePointer<GstCaps>?, filter: UnsafeMutablePointer<GstCaps>?, formats: String
) -> UnsafeMutablePointer<GstCaps>? {
    guard let caps, let result = gst_caps_copy(caps), let other = gst_caps_copy(caps) else { return nil }
    let free = people_caps_make_writable(other)
    let count = gst_caps_get_size(free)
    for index in 0..<count {
        guard let structure = gst_caps_get_structure(free, index) else { continue }
        setFormats(formats, of: structure)
        // These describe the old format; GstVideoInfo has defaults for the new one.
        gst_structure_remove_field(structure, "colorimetry")
        gst_structure_remove_field(structure, "chroma-site")
    }
    let both = gst_caps_merge(people_caps_make_writable(result), free)
    guard let filter else { return both }
    defer { gst_caps_unref(both) }
    return gst_caps_intersect_full(filter, both, GST_CAPS_INTERSECT_FIRST)
}

private func setFormats(_ formats: String, of structure: UnsafeMutablePointer<GstStructure>) {
    var value = GValue()
    g_value_init(&value, gst_value_list_get_type())
    if gst_value_deserialize(&value, formats) != 0 { gst_structure_set_value(structure, "format", &value) }
    g_value_unset(&value)
}

/// Chooses fixed caps for the other pad: the input's own where possible, so that nothing is converted.
func fixateCaps(
    _ caps: UnsafeMutablePointer<GstCaps>?, other: UnsafeMutablePointer<GstCaps>?
) -> UnsafeMutablePointer<GstCaps>? {
    guard let caps, let other else { return other }
    if gst_caps_can_intersect(caps, other) != 0, let same = gst_caps_intersect(caps, other) {
        gst_caps_unref(other)
        return gst_caps_fixate(same)
    }
    return gst_caps_fixate(other)
}
