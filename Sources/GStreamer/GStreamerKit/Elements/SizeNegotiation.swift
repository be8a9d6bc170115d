import CGStreamer
import Imaging

/// Caps on the pads of an element that can change the size of the image, and nothing else about it.
struct SizeNegotiation {
    let formats: [PixelFormat]
    /// The size of the output for an input; nil for any.
    let wanted: (VideoInfo) -> (width: Int, height: Int)?

    /// Caps of the other pad: the same caps first, then the same format in any size.
    func transform(
        _ caps: UnsafeMutablePointer<GstCaps>?, from direction: GstPadDirection,
        filter: UnsafeMutablePointer<GstCaps>?
    ) -> GStreamer.Caps? {
        guard let caps = caps.map({ GStreamer.Caps(retaining: $0) }),
            let known = GStreamer.Caps(sizedCaps(formats: formats)), let possible = caps.intersection(known)
        else { return nil }
        var free = possible
        free.removeFields("width", "height", "pixel-aspect-ratio")
        guard let sized = free.intersection(known) else { return nil }
        let both = wantedSize(for: caps, direction) == nil ? possible.merged(with: sized) : sized
        return filter.map { GStreamer.Caps(retaining: $0).intersection(both) } ?? both
    }

    /// Chooses fixed caps for the other pad out of `other`: the wanted size, else the input's own if possible, else one of its
    /// shape.
    func fixate(
        _ caps: UnsafeMutablePointer<GstCaps>?, other: GStreamer.Caps?, from direction: GstPadDirection
    ) -> GStreamer.Caps? {
        guard let caps = caps.map({ GStreamer.Caps(retaining: $0) }), let other, let info = VideoInfo(caps)
        else {
            return other?.fixated
        }
        let size = wantedSize(for: caps, direction) ?? (info.width, info.height)
        let pixel = info.pixelAspectRatio
        guard let first = other.fixated(at: 0, keeping: pixel, width: size.width, height: size.height) else {
            return other.fixated
        }
        return first
    }

    private func wantedSize(
        for caps: GStreamer.Caps, _ direction: GstPadDirection
    ) -> (width: Int, height: Int)? {
        guard direction == GST_PAD_SINK, caps.isFixed, let info = VideoInfo(caps) else { return nil }
        return wanted(info)
    }
}

extension GStreamer.Caps {
    /// Returns the structure at `index` with one value for each field: this pixel aspect ratio and size if possible; a side
    /// that is given decides about the other.
    fileprivate func fixated(
        at index: Int, keeping pixel: (numerator: Int, denominator: Int), width: Int, height: Int
    ) -> GStreamer.Caps? {
        guard let index = guint(exactly: index), index < gst_caps_get_size(pointer()),
            let caps = gst_caps_copy_nth(pointer(), index), let structure = gst_caps_get_structure(caps, 0)
        else { return nil }
        let copy = GStreamer.Caps(taking: caps)
        if gst_structure_has_field(structure, "pixel-aspect-ratio") != 0 {
            gst_structure_fixate_field_nearest_fraction(
                structure, "pixel-aspect-ratio", gint(clamping: pixel.numerator),
                gint(clamping: pixel.denominator))
        } else {
            var value = GValue()
            g_value_init(&value, people_type_fraction())
            gst_value_set_fraction(&value, gint(clamping: pixel.numerator), gint(clamping: pixel.denominator))
            gst_structure_take_value(structure, "pixel-aspect-ratio", &value)
        }
        let shape = Double(width) / Double(max(1, height))
        var (fixedWidth, fixedHeight): (gint, gint) = (0, 0)
        if gst_structure_get_int(structure, "width", &fixedWidth) != 0 {
            gst_structure_fixate_field_nearest_int(structure, "height", Self.side(Double(fixedWidth) / shape))
        } else if gst_structure_get_int(structure, "height", &fixedHeight) != 0 {
            gst_structure_fixate_field_nearest_int(structure, "width", Self.side(Double(fixedHeight) * shape))
        } else {
            gst_structure_fixate_field_nearest_int(structure, "width", gint(clamping: width))
            gst_structure_fixate_field_nearest_int(structure, "height", gint(clamping: height))
        }
        gst_structure_fixate(structure)
        return copy
    }

    private static func side(_ length: Double) -> gint {
        gint(clamping: Int(min(max(length.rounded(), 1), Double(ImageView.maximumSide))))
    }
}
