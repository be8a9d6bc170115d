import CommandKit
import MediaFiles

/// Compares a finished video with its input.
///
/// Missing frames or sound are an error, before the output has its name.
struct OutputCheck {
    private let job: Job
    private let input: VideoInput
    private let tracks: OutputTracks
    /// Frames a second that the encoder was given.
    private let rate: Rational

    init(_ plan: VideoPlan) {
        (job, input, tracks, rate) = (plan.job, plan.input, plan.tracks, plan.format.rate)
    }

    // MARK: - Output

    /// Throws when frames or sound are missing in the written file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - times: times of its frames, in ticks of the input's track.
    /// - Returns: notes for the user.
    func checkWritten(_ path: String, _ times: [Int]) throws(ToolError) -> [String] {
        let output = try written(path)
        try checkFrames(output, times)
        for (place, track) in tracks.tracks.enumerated() where track.stream.kind == .audio {
            try checkAudio(track, place + 1, output)
        }
        return lostTags(output) + labels(output.track, frames: times.count)
    }

    private func written(_ path: String) throws(ToolError) -> VideoInput {
        do throws(ToolError) {
            return try VideoInput.open(path)
        } catch {
            if error.signal != nil { throw error }
            throw ToolError(
                .output, "\(job.outputName) cannot be written: what was written cannot be read again.")
        }
    }

    private func checkFrames(_ output: VideoInput, _ times: [Int]) throws(ToolError) {
        // Times of packets, since ffmpeg's estimate of where a file begins can be behind its first frame.
        let ticks = output.index.streams[output.track.index]?.times.sorted() ?? []
        let written = ticks.map { $0.rescaled(from: output.track.timeBase, to: .nanosecond) }
        guard written.count == times.count else {
            throw incomplete("it has \(written.count) of \(times.count) frames")
        }
        let expected = times.map { max(0, $0.rescaled(from: input.unit, to: .nanosecond)) }
        guard let first = expected.first, let start = written.first else { return }
        let shift = first &- start
        let distance = zip(expected, written).map { ($0 &- $1 &- shift).magnitude }.max() ?? 0
        guard distance <= tracks.container.timeTolerance else {
            throw incomplete(
                "a frame is shown \((Double(distance) / 1e9).text(decimals: 3)) s beside its time")
        }
    }

    private func checkAudio(_ track: OutputTracks.Track, _ place: Int, _ output: VideoInput) throws(ToolError)
    {
        guard let before = input.index.streams[track.stream.index] else { return }
        let after = output.index.streams[place]
        let seconds = { (packets: PacketIndex.Stream?, unit: Rational?) -> Double in
            guard let packets, let unit, let first = packets.first, let end = packets.end else { return 0 }
            return Double(end - first) * unit.value
        }
        let written = seconds(after, output.description.streams.first { $0.index == place }?.timeBase)
        // After a restart of the clock, times prove nothing.
        var expected =
            input.isContinuous
            ? seconds(before, track.stream.timeBase) : Double(before.duration) * track.stream.timeBase.value
        if !job.range.isWhole {
            let begin = Double(before.first ?? 0) * track.stream.timeBase.value - input.start
            let end = min(begin + expected, job.range.end.map { Double($0) / 1e9 } ?? .infinity)
            expected = max(0, end - max(begin, Double(job.range.start) / 1e9))
        }
        guard abs(written - expected) > Self.audioTolerance + expected * 0.001 else { return }
        if job.acceptsDamage { return }
        throw incomplete(
            "\(written.text(decimals: 2)) of \(expected.text(decimals: 2)) s of its sound (track \(place)) are there"
        )
    }

    /// Seconds: a packet at either end, and the delay of an encoder.
    private static let audioTolerance = 0.25

    private func incomplete(_ reason: String) -> ToolError {
        ToolError(.failed, "\(job.outputName) would be incomplete: \(reason).")
    }

    // MARK: - Metadata

    /// Values of the written track by which players would take it for more than it is.
    private func labels(_ track: MediaDescription.Stream, frames: Int) -> [String] {
        var notes: [String] = []
        // A bit rate, and graphics processors, may ask for a higher one.
        let isFree = job.encoding.bitRate == nil && job.encoding.hardware == nil
        if isFree, let level = VideoLevel.written(track),
            let needed = VideoLevel.needed(track.codec, track.video.width, track.video.height, rate: rate),
            level.code > needed.code
        {
            notes.append(
                "the video is marked level \(level.name), and \(needed.name) would do: some players may refuse it"
            )
        }
        // In a part, the first or last frame may be cut short; of two frames ffprobe names a multiple of the rate.
        if job.range.isWhole, frames > 2, let named = track.video.rate,
            named.value > rate.value * Self.rateTolerance
        {
            notes.append("the file names \(named) frames a second instead of \(rate)")
        }
        return notes
    }

    /// Frames before the last second may be closer together than others.
    private static let rateTolerance = 1.5

    /// Tags of the input that are missing in the output.
    private func lostTags(_ output: VideoInput) -> [String] {
        var lost: [String] = []
        let kept = Set(output.description.tags.keys.map(\.plainTag))
        for name in input.description.tags.keys.sorted() where !Self.isTechnical(name.plainTag) {
            if !kept.contains(name.plainTag) { lost.append(name) }
        }
        if input.description.chapterCount > 0, job.range.isWhole,
            output.description.chapterCount < input.description.chapterCount
        {
            lost.append("chapters")
        }
        if let code = input.timeCode, output.timeCode != tracks.timeCode ?? code {
            lost.append("timecode \(code)")
        }
        if input.description.diagnostics.messages.contains(where: { $0.text.contains("spherical") }) {
            lost.append("spherical (360-degree) mapping")
        }
        let sideData = input.track.sideData.compactMap { $0["side_data_type"]?.string }
        for name in sideData where ["Spherical Mapping", "Stereo 3D"].contains(name) {
            lost.append(name == "Stereo 3D" ? "stereo mode" : "spherical (360-degree) mapping")
        }
        for (place, track) in tracks.tracks.enumerated() {
            // A part of a video may have no line of its subtitles.
            guard output.index.streams[place + 1] != nil else { continue }
            let written = output.description.streams.first { $0.index == place + 1 }
            if let language = track.stream.language, written?.language == nil {
                lost.append("language \(language)")
            }
            let flags = track.stream.dispositions.subtracting(written?.dispositions ?? []).subtracting([
                "default"
            ])
            lost += flags.sorted().map { "flag \($0) of track \(place + 1)" }
        }
        return lost.isEmpty ? [] : ["left out: \(lost.joined(separator: ", "))"]
    }

    /// Tags about the file itself, which each file sets anew.
    private static let technical: Set<String> = [
        "majorbrand", "minorversion", "compatiblebrands", "encoder", "duration", "timecode", "software",
        // MXF names its own parts.
        "companyname", "applicationplatform", "modificationdate", "operationalpatternul", "uid",
    ]

    private static func isTechnical(_ name: String) -> Bool {
        technical.contains(name) || ["uid", "umid"].contains(where: name.hasSuffix)
            || ["product", "toolkit"].contains(where: name.hasPrefix)
    }
}

extension String {
    /// A tag's name without the differences between containers.
    fileprivate var plainTag: String { lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " } }
}
