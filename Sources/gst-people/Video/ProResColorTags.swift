import CGStreamer

/// Writes what the caps say of colours into the headers of ProRes frames.
///
/// FFmpeg's encoder leaves them unspecified there, and players believe the frames rather than the file around them.
enum ProResColorTags {
    /// - Parameter pad: where encoded frames leave.
    static func install(on pad: Pad) {
        // The probe goes with the pad, which it must not keep alive.
        nonisolated(unsafe) let pad = pad
        onBuffer(pad) { info in
            if let colorimetry = colorimetry(of: pad) { write(colorimetry, into: info) }
        }
    }

    private static func colorimetry(of pad: Pad) -> GstVideoColorimetry? {
        guard let caps = gst_pad_get_current_caps(pad) else { return nil }
        defer { gst_caps_unref(caps) }
        let fields = gst_caps_get_structure(caps, 0)
        var colorimetry = GstVideoColorimetry()
        guard mediaType(of: caps) == "video/x-prores",
            let text = gst_structure_get_string(fields, "colorimetry"),
            gst_video_colorimetry_from_string(&colorimetry, text) != 0
        else { return nil }
        return colorimetry
    }

    /// Bytes from the frame's beginning (SMPTE RDD 36, 5.1.1 and 5.1.2): its size and `icpf`, then in the header sizes, version,
    /// encoder, width, height, flags and aspect before the colour primaries.
    private static let place = 8 + 2 + 2 + 4 + 2 + 2 + 1 + 1

    private static func write(
        _ colorimetry: GstVideoColorimetry, into info: UnsafeMutablePointer<GstPadProbeInfo>
    ) {
        // In the code points of ISO/IEC 23091-2.
        let tags = [
            gst_video_color_primaries_to_iso(colorimetry.primaries),
            gst_video_transfer_function_to_iso(colorimetry.transfer),
            gst_video_color_matrix_to_iso(colorimetry.matrix),
        ].map { UInt8(clamping: $0) }
        guard let frame = writableBuffer(of: info) else { return }
        guard gst_buffer_get_size(frame) >= gsize(place + tags.count) else { return }
        gst_buffer_fill(frame, gsize(place), tags, gsize(tags.count))
    }
}
