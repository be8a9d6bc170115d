import CGStreamer
import Imaging

/// Caps on the pads of an element that can change the pixel format, and nothing else about the picture.
///
/// `formats` are those of the pad templates; `outputs` those of them that the source pad may have now.
struct CapsNegotiation {
    let formats: [PixelFormat]
    let outputs: [PixelFormat]
    /// Whether frames stay as they are, so that they may be in any memory.
    var isIdle = false

    typealias Caps = UnsafeMutablePointer<GstCaps>

    /// Caps of the other pad: the same caps first, then the same picture in any other format.
    func transform(_ caps: Caps?, from direction: GstPadDirection, filter: Caps?) -> Caps? {
        guard let caps, let possible = outputsOnly(caps) else { return nil }
        let isSource = direction == GST_PAD_SRC
        // What cannot come out has no input; but from any input something can come out.
        let convertible = isSource ? gst_caps_ref(possible) : inSystemMemory(caps)
        defer { gst_caps_unref(convertible) }
        let free = convertible.flatMap { converted($0, to: isSource ? formats : outputs) }
        let some = gst_caps_merge(possible, free)
        // What can be changed comes first: it goes on when there is something to do.
        let both = isIdle ? gst_caps_merge(some, common(caps, with: anyVideoCaps)) : some
        guard let filter else { return both }
        defer { gst_caps_unref(both) }
        return gst_caps_intersect_full(filter, both, GST_CAPS_INTERSECT_FIRST)
    }

    /// Chooses fixed caps for the other pad out of `other`, which it takes over.
    ///
    /// They are the input's own where possible, so that nothing is converted; else those that lose least.
    func fixate(_ caps: Caps?, other: Caps?, from direction: GstPadDirection) -> Caps? {
        guard let caps, let other else { return other }
        if let same = common(caps, other) { return replace(other, by: same) }
        guard direction == GST_PAD_SINK, let info = VideoInfo(caps: caps), let format = info.format else {
            return gst_caps_fixate(other)
        }
        for candidate in FormatRanking(of: outputs, from: format) {
            for keepsColorimetry in [true, false] {
                let wanted = Self.caps(caps, info, as: candidate, keepsColorimetry: keepsColorimetry)
                defer { gst_caps_unref(wanted) }
                if let chosen = wanted.flatMap({ common($0, other) }) { return replace(other, by: chosen) }
            }
        }
        return gst_caps_fixate(other)
    }

    private func common(_ one: Caps, _ other: Caps) -> Caps? {
        guard gst_caps_can_intersect(one, other) != 0 else { return nil }
        return gst_caps_intersect_full(one, other, GST_CAPS_INTERSECT_FIRST)
    }

    private func replace(_ old: Caps, by new: Caps) -> Caps? {
        gst_caps_unref(old)
        return gst_caps_fixate(new)
    }

    private func outputsOnly(_ caps: Caps) -> Caps? { common(caps, with: sizedCaps(formats: outputs)) }

    /// A copy that the caller must release.
    private func inSystemMemory(_ caps: Caps) -> Caps? { common(caps, with: sizedCaps(formats: formats)) }

    private func common(_ caps: Caps, with text: String) -> Caps? {
        guard let allowed = gst_caps_from_string(text) else { return nil }
        defer { gst_caps_unref(allowed) }
        return gst_caps_intersect_full(caps, allowed, GST_CAPS_INTERSECT_FIRST)
    }

    /// A copy whose structures may have any of `formats`.
    private func converted(_ caps: Caps, to formats: [PixelFormat]) -> Caps? {
        guard let copy = gst_caps_copy(caps), let free = people_caps_make_writable(copy) else { return nil }
        for index in 0..<gst_caps_get_size(free) {
            guard let structure = gst_caps_get_structure(free, index) else { continue }
            set("format", to: formatList(formats), of: structure, gst_value_list_get_type())
            // These describe the old format.
            gst_structure_remove_field(structure, "colorimetry")
            gst_structure_remove_field(structure, "chroma-site")
        }
        return free
    }

    /// The fixed `caps` in another format, with what they say about colours as far as it fits that format.
    private static func caps(
        _ caps: Caps, _ info: VideoInfo, as format: PixelFormat, keepsColorimetry: Bool
    ) -> Caps? {
        guard let copy = gst_caps_copy(caps), let result = people_caps_make_writable(copy),
            let structure = gst_caps_get_structure(result, 0)
        else { return nil }
        let stringType = GType(people_g_type_string)
        set("format", to: format.rawValue, of: structure, stringType)
        let kept = keepsColorimetry ? info.colorFields(as: format) : (nil, nil)
        for (name, value) in [("colorimetry", kept.0), ("chroma-site", kept.1)]
        where gst_structure_has_field(structure, name) != 0 {
            gst_structure_remove_field(structure, name)
            if let value { set(name, to: value, of: structure, stringType) }
        }
        return result
    }
}

private func set(
    _ field: String, to text: String, of structure: UnsafeMutablePointer<GstStructure>, _ type: GType
) {
    var value = GValue()
    g_value_init(&value, type)
    if gst_value_deserialize(&value, text) != 0 { gst_structure_set_value(structure, field, &value) }
    g_value_unset(&value)
}
