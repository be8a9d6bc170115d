import GStreamerKit
import MediaFiles

/// Range, matrix, transfer function and primaries of frames, by ffmpeg's names; nil where a stream names none.
struct PictureColors: Sendable {
    let isFullRange: Bool
    let matrix: String?
    let transfer: String?
    let primaries: String?
    private let chromaLocation: String?

    init(of video: MediaDescription.Video) {
        isFullRange = !video.isRGB && (video.range == "pc" || video.pixelFormat.hasPrefix("yuvj"))
        let isHighRange = Self.transferCodes[video.transfer ?? ""].map { [16, 18].contains($0) } ?? false
        // Encoders may name the transfer function of high dynamic range only; the rest is as in ITU-R BT.2100.
        let fallback = isHighRange ? ("bt2020nc", "bt2020") : nil
        matrix = video.isRGB ? "bt709" : video.matrix ?? fallback?.0
        transfer = video.transfer
        primaries = video.primaries ?? fallback?.1
        chromaLocation = video.chromaLocation
    }

    /// The transfer function of high dynamic range, as in ITU-R BT.2100: `PQ` or `HLG`; nil for standard range.
    var highDynamicRange: String? {
        switch transfer {
        case "smpte2084": "PQ"
        case "arib-std-b67": "HLG"
        default: nil
        }
    }

    /// Options of ffmpeg's filter `scale` that convert decoded frames to this range and matrix.
    func conversion(from video: MediaDescription.Video) -> String {
        if video.isRGB { return ":out_color_matrix=bt709:out_range=tv" }
        return isFullRange && !video.pixelFormat.hasPrefix("yuvj420p") ? ":out_range=pc" : ""
    }

    /// ffmpeg's filter that sets these for frames without them.
    var tagging: String {
        let fields: [(String, String?)] = [
            ("range", isFullRange ? "pc" : "tv"), ("colorspace", matrix), ("color_primaries", primaries),
            ("color_trc", transfer),
        ]
        return "setparams="
            + fields.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: ":")
    }

    /// GStreamer's name of range, matrix, transfer function and primaries; nil for its default by size.
    var colorimetry: String? {
        guard isFullRange || matrix != nil || transfer != nil || primaries != nil else { return nil }
        return GStreamer.Colorimetry(
            isFullRange: isFullRange, matrix: Self.matrixCodes[matrix ?? ""] ?? 2,
            transfer: Self.transferCodes[transfer ?? ""] ?? 2,
            primaries: Self.primariesCodes[primaries ?? ""] ?? 2
        ).text
    }

    /// GStreamer's name of the place of chroma samples; nil for its default.
    var chromaSite: String? {
        switch chromaLocation {
        case "left": "mpeg2"
        case "center": "jpeg"
        case "topleft": "cosited"
        default: nil
        }
    }

    // Code points of ISO/IEC 23091-2; 2 is unspecified.
    private static let matrixCodes: [String: UInt32] = [
        "gbr": 0, "bt709": 1, "fcc": 4, "bt470bg": 5, "smpte170m": 6, "smpte240m": 7, "bt2020nc": 9,
        "bt2020c": 10,
    ]
    private static let transferCodes: [String: UInt32] = [
        "bt709": 1, "bt470m": 4, "gamma22": 4, "bt470bg": 5, "gamma28": 5, "smpte170m": 6, "smpte240m": 7,
        "linear": 8, "log100": 9, "iec61966-2-1": 13, "bt2020-10": 14, "bt2020-12": 15, "smpte2084": 16,
        "arib-std-b67": 18,
    ]
    private static let primariesCodes: [String: UInt32] = [
        "bt709": 1, "bt470m": 4, "bt470bg": 5, "smpte170m": 6, "smpte240m": 7, "film": 8, "bt2020": 9,
        "smpte428": 10, "smpte431": 11, "smpte432": 12,
    ]
}
