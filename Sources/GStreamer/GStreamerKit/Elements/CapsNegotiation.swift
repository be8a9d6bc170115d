import CGStreamer
import Imaging

/// Caps on the pads of an element that can change the pixel format, and nothing else about the image.
///
/// `formats` are the formats of the pad templates; `outputs` are those that the source pad may have now.
struct CapsNegotiation {
    let formats: [PixelFormat]
    let outputs: [PixelFormat]
    /// Whether frames stay as they are, so that they may be in any memory.
    var isIdle = false

    /// Caps of the other pad: the same caps first, then the same image in any other format.
    func transform(
        _ caps: UnsafeMutablePointer<GstCaps>?, from direction: GstPadDirection,
        filter: UnsafeMutablePointer<GstCaps>?
    ) -> GStreamer.Caps? {
        guard let caps = caps.map({ GStreamer.Caps(retaining: $0) }),
            let possible = common(caps, with: sizedCaps(formats: outputs))
        else { return nil }
        let isSource = direction == GST_PAD_SRC
        // An output format that is not possible has no input, but every input has some output.
        let convertible = isSource ? possible : common(caps, with: sizedCaps(formats: formats))
        let some = possible.merged(with: convertible.map { converted($0, to: isSource ? formats : outputs) })
        // Caps whose frames can be changed come first, so that the element can start to work later.
        let both = isIdle ? some.merged(with: common(caps, with: anyVideoCaps)) : some
        return filter.map { GStreamer.Caps(retaining: $0).intersection(both) } ?? both
    }

    /// Chooses fixed caps for the other pad out of `other`.
    ///
    /// They are the input's own caps if possible, so that nothing is converted; else the caps that lose
    /// least.
    func fixate(
        _ caps: UnsafeMutablePointer<GstCaps>?, other: GStreamer.Caps?, from direction: GstPadDirection
    ) -> GStreamer.Caps? {
        guard let caps = caps.map({ GStreamer.Caps(retaining: $0) }), let other else { return other }
        if let same = common(caps, other) { return same.fixated }
        guard direction == GST_PAD_SINK, let info = VideoInfo(caps), let format = info.format else {
            return other.fixated
        }
        for candidate in FormatRanking(of: outputs, from: format) {
            for keepsColorimetry in [true, false] {
                let wanted = Self.caps(caps, info, as: candidate, keepsColorimetry: keepsColorimetry)
                if let chosen = common(wanted, other) { return chosen.fixated }
            }
        }
        return other.fixated
    }

    private func common(_ one: GStreamer.Caps, _ other: GStreamer.Caps) -> GStreamer.Caps? {
        one.canIntersect(other) ? one.intersection(other) : nil
    }

    private func common(_ caps: GStreamer.Caps, with text: String) -> GStreamer.Caps? {
        GStreamer.Caps(text).flatMap { caps.intersection($0) }
    }

    /// Returns a copy whose structures allow any of `formats`.
    private func converted(_ caps: GStreamer.Caps, to formats: [PixelFormat]) -> GStreamer.Caps {
        var free = caps
        free.setField("format", to: formatList(formats), isList: true)
        // These fields describe the old format.
        free.removeFields("colorimetry", "chroma-site")
        return free
    }

    /// Returns the fixed `caps` in another format, with the colour fields that also apply to that format.
    private static func caps(
        _ caps: GStreamer.Caps, _ info: VideoInfo, as format: PixelFormat, keepsColorimetry: Bool
    ) -> GStreamer.Caps {
        var result = caps
        result.setField("format", to: format.rawValue)
        let kept = keepsColorimetry ? info.colorFields(as: format) : (nil, nil)
        for (name, value) in [("colorimetry", kept.0), ("chroma-site", kept.1)]
        where caps.fields?.string(named: name) != nil {
            result.removeFields(name)
            if let value { result.setField(name, to: value) }
        }
        return result
    }
}

/// Formats, sorted by loss and then by cost of a conversion from `input`.
struct FormatRanking: Sequence {
    private let formats: [PixelFormat]

    init(of formats: [PixelFormat], from input: PixelFormat) {
        let layout = input.layout
        let ranked = formats.map { (format: $0, loss: Self.loss(from: layout, to: $0.layout)) }
        // Equal formats keep the order of `formats`; `sort` alone does not guarantee it.
        self.formats = ranked.enumerated().sorted {
            $0.element.loss == $1.element.loss ? $0.offset < $1.offset : $0.element.loss < $1.element.loss
        }.map(\.element.format)
    }

    func makeIterator() -> IndexingIterator<[PixelFormat]> { formats.makeIterator() }

    /// Returns the score of a conversion: losses in the image, the worst one highest, then the number of
    /// bytes written.
    private static func loss(from input: PixelLayout, to output: PixelLayout) -> Int {
        var loss = 0
        if output.model == .gray && input.model != .gray { loss += 1 << 20 }
        if output.alpha == nil && input.alpha != nil { loss += 1 << 19 }
        if output.depth < input.depth { loss += 1 << 18 }
        if !output.keepsChroma(of: input) { loss += 1 << 17 }
        if output.model != input.model { loss += 1 << 16 }
        return loss + output.bitsPerPixel
    }
}

extension PixelLayout {
    /// Whether the format has at least as many chroma samples in each direction; grey has none to lose.
    fileprivate func keepsChroma(of input: PixelLayout) -> Bool {
        let (own, others) = (component(1), input.component(1))
        return input.model == .gray
            || own.widthShift <= others.widthShift && own.heightShift <= others.heightShift
    }

    fileprivate var bitsPerPixel: Int {
        (0..<planeCount).reduce(0) { $0 + rowBytes(plane: $1, width: 64) * rows(plane: $1, height: 64) } / 512
    }
}

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
