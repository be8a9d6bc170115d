import CGStreamer

extension GStreamer {
    /// The colours that caps describe: range, matrix, transfer function and primaries.
    package struct Colorimetry {
        private var raw: GstVideoColorimetry

        init(_ raw: GstVideoColorimetry) { self.raw = raw }

        /// Parses the field `colorimetry` of caps.
        package init?(_ text: String?) {
            raw = GstVideoColorimetry()
            guard let text, gst_video_colorimetry_from_string(&raw, text) != 0 else { return nil }
        }

        /// Colours by the code points of ISO/IEC 23091-2, in which 2 means unspecified.
        package init(isFullRange: Bool, matrix: UInt32, transfer: UInt32, primaries: UInt32) {
            raw = GstVideoColorimetry()
            raw.range = isFullRange ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235
            raw.matrix = gst_video_color_matrix_from_iso(matrix)
            raw.transfer = gst_video_transfer_function_from_iso(transfer)
            raw.primaries = gst_video_color_primaries_from_iso(primaries)
        }

        /// The colours as a text that `init(_:)` parses.
        package var text: String? {
            var copy = raw
            return gst_video_colorimetry_to_string(&copy).map(copyAndFree)
        }

        /// Whether 0 is black and the largest value white.
        package var isFullRange: Bool { raw.range == GST_VIDEO_COLOR_RANGE_0_255 }

        /// The transfer function of high dynamic range, as in ITU-R BT.2100: `PQ` or `HLG`; nil for standard range.
        package var highDynamicRange: String? {
            switch raw.transfer {
            case GST_VIDEO_TRANSFER_SMPTE2084: "PQ"
            case GST_VIDEO_TRANSFER_ARIB_STD_B67: "HLG"
            default: nil
            }
        }

        /// These colours with the matrix and primaries of ITU-R BT.2020 where they are unknown; nil if both
        /// are known.
        package var completedAsBT2020: Colorimetry? {
            var color = raw
            if color.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN {
                color.matrix = GST_VIDEO_COLOR_MATRIX_BT2020
            }
            if color.primaries == GST_VIDEO_COLOR_PRIMARIES_UNKNOWN {
                color.primaries = GST_VIDEO_COLOR_PRIMARIES_BT2020
            }
            let isComplete = color.matrix == raw.matrix && color.primaries == raw.primaries
            return isComplete ? nil : Colorimetry(color)
        }

        /// Primaries, transfer function and matrix in the code points of ISO/IEC 23091-2.
        package var codePoints: [UInt8] {
            [
                gst_video_color_primaries_to_iso(raw.primaries),
                gst_video_transfer_function_to_iso(raw.transfer),
                gst_video_color_matrix_to_iso(raw.matrix),
            ].map { UInt8(clamping: $0) }
        }
    }
}
