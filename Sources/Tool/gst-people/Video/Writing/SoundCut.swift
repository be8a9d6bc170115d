import MediaFiles

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
