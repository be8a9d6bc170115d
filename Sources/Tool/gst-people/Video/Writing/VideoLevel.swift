import MediaFiles

/// The level of a video, which tells a player how much it has to decode.
struct VideoLevel: Equatable {
    /// The number that the file has: ten times the level for H.264, thirty times for HEVC.
    let code: Int
    private let unit: Int

    /// The level as people write it, such as `4.1`.
    var name: String { "\(code / unit).\(code % unit * 10 / unit)" }

    /// The level of a written track; nil for codecs without one.
    static func written(_ track: MediaDescription.Stream) -> VideoLevel? {
        guard let unit = units[track.codec], let code = track.video.level, code > 0 else { return nil }
        return VideoLevel(code: code, unit: unit)
    }

    /// The lowest level for frames of a size at a rate; nil for codecs without one.
    ///
    /// - Parameter codec: ffmpeg's name.
    static func needed(_ codec: String, _ width: Int, _ height: Int, rate: Rational) -> VideoLevel? {
        guard let unit = units[codec] else { return nil }
        let block = codec == "h264" ? 16 : 1
        let (columns, rows) = (width.blocks(of: block), height.blocks(of: block))
        let (size, longest) = (columns * rows, max(columns, rows))
        let fitting = (codec == "h264" ? h264 : hevc).first { limit in
            size <= limit.size && longest * longest <= 8 * limit.size
                && Double(size) * rate.value <= Double(limit.rate)
        }
        return fitting.map { VideoLevel(code: $0.code, unit: unit) }
    }

    private static let units = ["h264": 10, "hevc": 30]

    private typealias Limit = (code: Int, size: Int, rate: Int)

    /// Macroblocks of a frame and in a second (ITU-T H.264, table A-1); levels 2 and 4.1 allow more bits only.
    private static let h264: [Limit] = [
        (10, 99, 1485), (11, 396, 3000), (12, 396, 6000), (13, 396, 11880), (21, 792, 19800),
        (22, 1620, 20250), (30, 1620, 40500), (31, 3600, 108_000), (32, 5120, 216_000), (40, 8192, 245_760),
        (42, 8704, 522_240), (50, 22080, 589_824), (51, 36864, 983_040), (52, 36864, 2_073_600),
        (60, 139_264, 4_177_920), (61, 139_264, 8_355_840), (62, 139_264, 16_711_680),
    ]

    /// Luma samples of a frame and in a second (ITU-T H.265, tables A.8 and A.9).
    private static let hevc: [Limit] = [
        (30, 36864, 552_960), (60, 122_880, 3_686_400), (63, 245_760, 7_372_800), (90, 552_960, 16_588_800),
        (93, 983_040, 33_177_600), (120, 2_228_224, 66_846_720), (123, 2_228_224, 133_693_440),
        (150, 8_912_896, 267_386_880), (153, 8_912_896, 534_773_760), (156, 8_912_896, 1_069_547_520),
        (180, 35_651_584, 1_069_547_520), (183, 35_651_584, 2_139_095_040), (186, 35_651_584, 4_278_190_080),
    ]
}

extension Int {
    fileprivate func blocks(of size: Int) -> Int { (self + size - 1) / size }
}
