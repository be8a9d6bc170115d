import CommandKit
import MediaFiles

/// ffmpeg's arguments that write a video: its frames or packets come by a pipe, all else from the input.
struct VideoMuxing {
    private let tracks: OutputTracks
    private let encoding: VideoEncoding
    private let path: String
    private let unit: Rational
    /// Time of the last frame in ticks, and how long it is shown; nil where that is not known.
    private let last: (time: Int, duration: Int)?

    init(
        _ tracks: OutputTracks, _ encoding: VideoEncoding, _ unit: Rational,
        last: (time: Int, duration: Int)?, to path: String
    ) {
        (self.tracks, self.encoding, self.unit, self.last, self.path) = (tracks, encoding, unit, last, path)
    }

    /// Arguments for raw frames.
    ///
    /// - Parameter first: time of the first frame, in ticks.
    func encodingArguments(first: Int) -> [String] { arguments(encoding.arguments, first: first) }

    /// Arguments for packets of segments.
    func copyingArguments(first: Int) -> [String] { arguments(["-c:v:0", "copy"], first: first) }

    private func arguments(_ video: [String], first: Int) -> [String] {
        tracks.inputArguments(first: Double(first) * unit.value) + video + lastDuration
            + tracks.outputArguments + ["-y", FFmpeg.file(path)]
    }

    /// Raw frames have no durations: that of the last is set, the others follow from the times.
    private var lastDuration: [String] {
        guard let last else { return [] }
        let unit = Double(last.duration) * unit.value
        let end = (Double(last.time) * self.unit.value).text(decimals: 6)
        return [
            "-bsf:v:0",
            "setts=pts=PTS:dts=DTS:duration=if(gte(PTS*TB\\,\(end)-0.0005)\\,\(unit.text(decimals: 6))/TB\\,DURATION)",
        ]
    }
}
