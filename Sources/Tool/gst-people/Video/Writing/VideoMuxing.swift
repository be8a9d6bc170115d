import CommandKit
import MediaFiles

/// ffmpeg's arguments that write a video: its frames or packets come by a pipe, all else from the input.
struct VideoMuxing {
    private let tracks: OutputTracks
    private let encoding: VideoEncoding
    private let path: String
    private let unit: Rational
    /// Times of the first frames in ticks, as far as they are known.
    private let firstTimes: [Int]
    /// Number of frames; nil where it is not known before.
    private let frames: Int?
    /// Time of the last frame in ticks, and how long it is shown; nil where that is not known.
    private let last: (time: Int, duration: Int)?

    init(
        _ tracks: OutputTracks, _ encoding: VideoEncoding, _ unit: Rational, firstTimes: [Int], frames: Int?,
        last: (time: Int, duration: Int)?, to path: String
    ) {
        (self.tracks, self.encoding, self.unit, self.path) = (tracks, encoding, unit, path)
        (self.firstTimes, self.frames, self.last) = (firstTimes, frames, last)
    }

    /// Arguments for raw frames.
    ///
    /// - Parameter first: time of the first frame, in ticks.
    func encodingArguments(first: Int) -> [String] {
        arguments(encoding.arguments, first: first, decodingTime: "DTS")
    }

    /// Arguments for packets of segments.
    ///
    /// - Parameter delay: frames by which decoding runs ahead of presentation.
    func copyingArguments(first: Int, delay: Int) -> [String] {
        arguments(["-c:v:0", "copy"], first: first, decodingTime: decodingTime(delay))
    }

    private func arguments(_ video: [String], first: Int, decodingTime: String) -> [String] {
        let times = "setts=pts=PTS:dts=\(decodingTime):duration=\(duration)"
        return tracks.inputArguments(first: Double(first) * unit.value) + video + encoding.tag
            + ["-bsf:v:0", times] + tracks.outputArguments + ["-y", FFmpeg.file(path)]
    }

    // MARK: - Times, before they are moved to those of the output

    /// Raw frames have no durations: that of the last is set, the others follow from the times.
    ///
    /// MP4 also needs that of the packet decoded last: a track is as long as the decoding times and this one.
    private var duration: String {
        guard let last else { return "DURATION" }
        let shown = (Double(last.duration) * unit.value).text(decimals: 6)
        let time = seconds(last.time)
        let known = tickLengths.reversed().reduce("DURATION") { others, tick in
            "if(\(isLast)lte(abs(PTS*\(tick)-\(time))\\,0.000501)\\,\(shown)/(\(tick))\\,\(others))"
        }
        guard let frames, !tracks.container.hasMilliseconds else { return known }
        return "if(eq(N\\,\(frames - 1))\\,\(shown)/TB\\,\(known))"
    }

    /// Lengths in seconds that a tick of a packet's time may have, the likeliest first.
    ///
    /// ffmpeg 5 sets `TB` to the encoder's, and counts times in Matroska's milliseconds unless packets had to wait for other
    /// tracks (`check_init_output_file` in its `ffmpeg_mux.c`). The last packet's time, which is known, tells the two apart.
    private var tickLengths: [String] { tracks.container.hasMilliseconds ? ["0.001", "TB"] : ["TB"] }

    /// Condition that only the last packets meet; they are stored at most 16 frames out of order.
    private var isLast: String {
        guard let frames, tracks.container.hasMilliseconds else { return "" }
        return "gte(N\\,\(frames - 17))*"
    }

    /// NUT has no decoding times: those of the first frames lie before the first presentation, the others are those at which
    /// earlier frames are shown.
    ///
    /// Matroska stores none: any that ascend to the first presentation will do, a tick apart whatever a tick is.
    private func decodingTime(_ delay: Int) -> String {
        guard let first = firstTimes.first, delay > 0, firstTimes.count > delay else { return "DTS" }
        if tracks.container.hasMilliseconds {
            return "if(eq(N\\,0)\\,PTS-\(delay)\\,if(lt(N\\,\(delay))\\,PREV_OUTDTS+1\\,DTS))"
        }
        return firstTimes.prefix(delay).enumerated().reversed().reduce("DTS") { others, frame in
            let time = seconds(frame.element + first - firstTimes[delay])
            return "if(eq(N\\,\(frame.offset))\\,\(time)/TB\\,\(others))"
        }
    }

    /// A time of the output as one of the input.
    private func seconds(_ ticks: Int) -> String {
        (tracks.zero + Double(ticks) * unit.value).text(decimals: 9)
    }
}
