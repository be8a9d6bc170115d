import MediaFiles

/// ffmpeg's arguments that encode a sound track whose packets the container cannot hold.
struct SoundEncoding: Equatable, Sendable {
    /// ffmpeg's encoder.
    let encoder: String
    /// The filter that mixes the channels for the encoder.
    let filter: String
    /// The channels that are written, by ffmpeg's name.
    let layout: String
    private let channels: Int

    /// Bits a second.
    ///
    /// Two channels have more than their encoders need for sound like the original's; a further one shares much with them.
    var bitRate: Int {
        let ofTwo = encoder == "aac" ? 192_000 : 160_000
        return channels <= 2 ? ofTwo : ofTwo + (channels - 2) * 64_000
    }

    /// The ways to encode a track, the best first: all its channels, fewer, stereo.
    static func ways(_ stream: MediaDescription.Stream, in container: Container) -> [SoundEncoding] {
        guard let encoder = container.soundEncoder else { return [] }
        let layouts = layouts(of: encoder)
        let own =
            SoundLayout.known.first { $0.name == stream.channelLayout }
            ?? SoundLayout.known.first { $0.channels == stream.channels }
        let whole = own.map { own in layouts.filter { $0.holds(own) } } ?? []
        let fewer = layouts.filter {
            ["7.1", "5.1", "stereo"].contains($0.name) && $0.channels < stream.channels
        }
        var ways: [SoundEncoding] = []
        for layout in whole + fewer.reversed() where !ways.contains(where: { $0.layout == layout.name }) {
            ways.append(
                SoundEncoding(
                    encoder: encoder, filter: "aformat=channel_layouts=\(layout.name)", layout: layout.name,
                    channels: layout.channels))
        }
        return stream.channels > 2 ? ways + [mixture(of: stream.channels, encoder)] : ways
    }

    /// A mixture of channels whose places are unknown: every other one to the left.
    private static func mixture(of channels: Int, _ encoder: String) -> SoundEncoding {
        let sides = (0...1).map { side in
            "c\(side)<" + stride(from: side, to: channels, by: 2).map { "c\($0)" }.joined(separator: "+")
        }
        return SoundEncoding(
            encoder: encoder, filter: "pan=stereo|\(sides.joined(separator: "|"))", layout: "stereo",
            channels: 2)
    }

    /// The layouts that decoders know without a description of the channels.
    ///
    /// The layouts of AAC are its channel configurations (ISO/IEC 14496-3, 1.6.3.5), those of Opus mapping family 1 (RFC 7845,
    /// 5.1.1.2) without 5.0 and 6.1, whose channels ffmpeg (5.1 and 7.0) puts into others' places.
    private static func layouts(of encoder: String) -> [SoundLayout] {
        let names =
            encoder == "aac"
            ? ["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "7.1"]
            : ["mono", "stereo", "3.0", "quad", "5.1", "7.1"]
        return names.compactMap { name in SoundLayout.known.first { $0.name == name } }
    }
}

/// The places of a sound's channels.
private struct SoundLayout {
    /// ffmpeg's name.
    let name: String
    let channels: Int
    let hasCenter: Bool
    let hasLowFrequencies: Bool
    /// Channels at the sides, behind the listener, or between the front ones.
    let others: Int

    /// - Parameter places: `c`: center; `l`: low frequencies.
    private init(_ name: String, _ channels: Int, _ places: String = "") {
        (self.name, self.channels) = (name, channels)
        (hasCenter, hasLowFrequencies) = (places.contains("c"), places.contains("l"))
        // No layout of an encoder has more of them.
        others = min(4, max(0, channels - 2 - places.count))
    }

    /// Whether it has a place for each channel of another one.
    func holds(_ other: SoundLayout) -> Bool {
        guard channels > 2 else { return channels == other.channels || other.channels == 1 }
        return channels >= other.channels && others >= other.others && (hasCenter || !other.hasCenter)
            && (hasLowFrequencies || !other.hasLowFrequencies)
    }

    /// The common layouts; the first of so many channels is the one that ffmpeg assumes where a file names none.
    static let known = [
        SoundLayout("mono", 1), SoundLayout("stereo", 2), SoundLayout("downmix", 2),
        SoundLayout("2.1", 3, "l"), SoundLayout("3.0", 3, "c"), SoundLayout("3.0(back)", 3),
        SoundLayout("4.0", 4, "c"), SoundLayout("quad", 4), SoundLayout("quad(side)", 4),
        SoundLayout("3.1", 4, "cl"), SoundLayout("5.0", 5, "c"), SoundLayout("5.0(side)", 5, "c"),
        SoundLayout("4.1", 5, "cl"), SoundLayout("5.1", 6, "cl"), SoundLayout("5.1(side)", 6, "cl"),
        SoundLayout("6.0", 6, "c"), SoundLayout("6.0(front)", 6), SoundLayout("hexagonal", 6, "c"),
        SoundLayout("6.1", 7, "cl"), SoundLayout("6.1(back)", 7, "cl"), SoundLayout("6.1(front)", 7, "l"),
        SoundLayout("7.0", 7, "c"), SoundLayout("7.0(front)", 7, "c"), SoundLayout("7.1", 8, "cl"),
        SoundLayout("7.1(wide)", 8, "cl"), SoundLayout("7.1(wide-side)", 8, "cl"),
        SoundLayout("octagonal", 8, "c"),
    ]
}

extension Container {
    /// ffmpeg's encoder of sound; nil where there is none.
    fileprivate var soundEncoder: String? {
        switch self {
        case .mp4, .mov: "aac"
        case .mkv, .webm: "libopus"
        case .y4m, .apng, .gif, .png, .jpg: nil
        }
    }
}

/// The parts of a track's sound that a file plays, one after the other, by its edit list.
struct SoundCut: Sendable {
    private let edits: [MovieTrack.Edit]
    private let timescale: Int

    /// Returns nil for a track without cuts.
    init?(_ track: MovieTrack) {
        guard track.isCut else { return nil }
        (edits, timescale) = (track.edits, track.timescale)
    }

    /// ffmpeg's filter that leaves out the other parts of the whole decoded sound, whose times are those of the media.
    var filter: String {
        var parts: [String] = []
        // Seconds in which nothing is played; before the first part they delay it, and later they are silence.
        var delay = 0.0
        for edit in edits {
            guard let start = edit.start else {
                if let last = parts.popLast() {
                    parts.append("\(last),apad=pad_dur=\(edit.duration.text(decimals: 9))")
                } else {
                    delay += edit.duration
                }
                continue
            }
            let begin = Double(start) / Double(timescale)
            let end = (begin + edit.duration).text(decimals: 9)
            parts.append("atrim=start=\(begin.text(decimals: 9)):end=\(end),asetpts=PTS-STARTPTS")
        }
        let labels = parts.indices.map { "[part\($0)]" }
        let split = "asplit=\(parts.count)" + parts.indices.map { "[whole\($0)]" }.joined()
        let cuts = zip(parts.indices, parts).map { "[whole\($0)]\($1)\(labels[$0])" }
        let joined =
            "\(labels.joined())concat=n=\(parts.count):v=0:a=1,asetpts=PTS+\(delay.text(decimals: 9))/TB"
        return ([split] + cuts + [joined]).joined(separator: ";")
    }
}
