import CGStreamer

/// Refuses pictures that would fill the machine's memory, for a small file can claim any size, or be decoded for ever.
///
/// What parsers and decoders say in their caps counts, before they decode anything. Decoders of JPEG take memory before they
/// say anything, and parsers do not read all damaged files: there the frames' own headers count.
final class PictureLimit: BinObserver {
    /// Pixels of the largest picture, 16384 x 16384: more than any camera takes at once.
    private static let mostPixels = 1 << 28
    /// Bytes of the largest decoded picture: 1 GiB.
    private static let maximumBytes = 1 << 30

    /// Why a picture was refused.
    enum Refusal: Sendable {
        /// Width and height.
        case size(String)
        /// Two starts of a JPEG, one after the other: `jpegdec` of GStreamer 1.22 never ends with those.
        case doubleStart
    }

    private let refused = Guarded<Refusal?>(nil)

    /// Nil when no picture was refused.
    var refusal: Refusal? { refused.snapshot() }

    /// Looks at whatever comes to the element.
    func added(_ element: UnsafeMutablePointer<GstElement>) {
        guard let pad = gst_element_get_static_pad(element, "sink") else { return }
        defer { gst_object_unref(pad) }
        addProbe(to: pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_BUFFER) {
            [self] pad, info in
            let isRefused =
                caps(in: info).map { refuses(Self.fault(of: $0)) }
                ?? info.buffer.map { refuses(Self.fault(of: $0, at: pad)) }
            // Other events go on: GStreamer warns of a pad to which data comes without them.
            return isRefused ?? false ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
        }
    }

    /// Whether caps or a buffer with this fault go no further; no others do once a picture has been refused.
    private func refuses(_ fault: @autoclosure () -> Refusal?) -> Bool {
        if refusal != nil { return true }
        guard let fault = fault() else { return false }
        refused.update { $0 = fault }
        return true
    }

    private func caps(in info: GstPadProbeInfo) -> UnsafeMutablePointer<GstCaps>? {
        guard let event = info.event, people_event_type(event) == GST_EVENT_CAPS else { return nil }
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_event_parse_caps(event, &caps)
        return caps
    }

    private static func takesJPEG(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
        guard let caps = gst_pad_get_current_caps(pad) else { return false }
        defer { gst_caps_unref(caps) }
        guard let structure = gst_caps_get_structure(caps, 0) else { return false }
        return gst_structure_has_name(structure, "image/jpeg") != 0
    }

    private static func fault(
        of buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>
    ) -> Refusal? {
        guard takesJPEG(pad) else { return nil }
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
        defer { gst_buffer_unmap(buffer, &map) }
        let bytes = UnsafeRawBufferPointer(start: map.data, count: Int(clamping: map.size))
        if bytes.starts(with: [0xff, 0xd8, 0xff, 0xd8]) { return .doubleStart }
        let frame = JPEGFrame.first(in: bytes) {
            $0.width * $0.height > mostPixels || $0.coefficients > maximumBytes
        }
        return frame.map { .size("\($0.width)x\($0.height)") }
    }

    private static func fault(of caps: UnsafeMutablePointer<GstCaps>) -> Refusal? {
        var (width, height): (gint, gint) = (0, 0)
        guard let structure = gst_caps_get_structure(caps, 0),
            gst_structure_get_int(structure, "width", &width) != 0,
            gst_structure_get_int(structure, "height", &height) != 0
        else { return nil }
        var info = GstVideoInfo()
        let isRaw = gst_structure_has_name(structure, "video/x-raw") != 0
        let bytes = isRaw && gst_video_info_from_caps(&info, caps) != 0 ? Int(clamping: info.size) : 0
        guard Int(width) * Int(height) > mostPixels || bytes > maximumBytes else { return nil }
        return .size("\(width)x\(height)")
    }
}

extension ElementError {
    static func refused(_ location: String, _ reason: PictureLimit.Refusal) -> ElementError {
        switch reason {
        case .size(let size):
            ElementError(
                .resourceOpenRead,
                "\"\(location)\" is too large (\(size) pixels); the maximum is 268 million pixels, and 1 GiB when decoded."
            )
        case .doubleStart: .unreadable(location, "a damaged JPEG")
        }
    }
}
