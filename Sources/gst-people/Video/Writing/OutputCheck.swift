import CommandKit
import MediaFiles

/// Compares a finished video with its input: what is missing is an error, before the output has its name.
struct OutputCheck {
    private let job: Job
    private let input: VideoInput
    private let tracks: OutputTracks

    init(_ job: Job, _ input: VideoInput, _ tracks: OutputTracks) {
        (self.job, self.input, self.tracks) = (job, input, tracks)
    }

    // MARK: - Input

    /// Throws where the input is damaged or truncated by what its container says, before the work.
    ///
    /// - Returns: notes for the user.
    func checkInput() throws(ToolError) -> [String] {
        try accept(shortening + Self.readingErrors(input.index.diagnostics))
    }

    /// Throws where frames of the input were not decoded.
    ///
    /// - Parameters:
    ///   - times: of the decoded frames, in nanoseconds of the file.
    ///   - selection: of frames that the input should have.
    /// - Returns: notes for the user.
    func checkDecoded(
        _ times: [UInt64], _ selection: FrameSelection, _ diagnostics: Diagnostics
    ) throws(ToolError) -> [String] {
        var notes = resizing(diagnostics)
        var problems: [String] = []
        if let expected = selection.expected {
            let missing = missingFrames(expected, times)
            if missing.lost > 0 {
                problems.append("\(missing.lost) of \(expected.count) frames cannot be decoded")
            }
            if missing.start > 0 {
                notes.append(
                    "the first \(missing.start) frames are left out: they cannot be decoded without frames before them"
                )
            }
        }
        let errors = Self.readingErrors(diagnostics)
        // What the container says was checked before.
        if errors != Self.readingErrors(input.index.diagnostics) { problems += errors }
        if let damage = diagnostics.messages.first(where: { $0.isError && $0.source == input.track.codec }) {
            notes.append("the decoder reports damaged frames: \(damage.text)")
        }
        return notes + (try accept(problems))
    }

    /// Problems as notes, where the user takes what can be read.
    private func accept(_ problems: [String]) throws(ToolError) -> [String] {
        guard !problems.isEmpty else { return [] }
        let text = problems.joined(separator: "; ")
        guard job.acceptsDamage else {
            throw ToolError(
                .input,
                "\(job.input) is damaged or truncated: \(text). Add --damaged to process what can be read.")
        }
        return ["the input is damaged or truncated: \(text)"]
    }

    /// Frames of the file that were not decoded: those before the first decoded one, and others.
    private func missingFrames(_ expected: [UInt64], _ times: [UInt64]) -> (start: Int, lost: Int) {
        guard let first = times.first else { return (0, expected.count) }
        let found = Set(times)
        let missing = expected.filter { !found.contains($0) }
        let start = selectionBeginsVideo(expected) ? missing.filter { $0 < first }.count : 0
        return (start, missing.count - start)
    }

    private func selectionBeginsVideo(_ expected: [UInt64]) -> Bool {
        expected.first == input.frameTimes.first
    }

    /// The part that is missing at the end by what the file says of its length.
    private var shortening: [String] {
        if let count = input.track.frameCount, let found = input.frameCount, found < count,
            input.description.isAVI
        {
            return ["it contains \(found) of \(count) frames"]
        }
        if let rest = input.bytesBehindPackets, rest > 0 { return ["its last packet is cut off"] }
        guard let length = input.track.length, let last = input.frameTimes.last else { return [] }
        // Tracks of MP4 and QuickTime count from their own beginning, which may be later than the file's.
        let end = Double(input.frameTimes.first ?? 0) / 1e9 + length
        let found = Double(last + (input.lastDuration ?? 0)) / 1e9
        let isNeeded = job.range.end.map { Double($0) / 1e9 > found } ?? true
        // Containers round, and some only estimate.
        guard isNeeded, end - found > max(0.25, length * 0.002) else { return [] }
        return ["it contains \(found.text(decimals: 1)) of \(end.text(decimals: 1)) seconds of video"]
    }

    /// What ffmpeg found wrong with the container.
    private static func readingErrors(_ all: Diagnostics...) -> [String] {
        let errors = all.flatMap(\.messages).filter {
            $0.isError && demuxers.contains(where: $0.source.hasPrefix)
        }
        return errors.first.map { ["ffmpeg reports: \($0.text)"] } ?? []
    }

    /// Beginnings of the names of ffmpeg's demuxers in messages.
    private static let demuxers = [
        "mov,", "matroska", "avi", "mpegts", "mpeg", "ogg", "flv", "asf", "mxf", "in#",
    ]

    /// A note about frames of another size or aspect.
    private func resizing(_ diagnostics: Diagnostics) -> [String] {
        let sizes = Set(diagnostics.pictureSizes)
        return sizes.count > 1
            ? [
                "the size or aspect changes within the video: later frames are scaled and boxed to the first's"
            ] : []
    }

    // MARK: - Output

    /// Throws where the written file has not what it should have.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - times: of its frames, in ticks of the input's track.
    /// - Returns: notes for the user.
    func checkWritten(_ path: String, _ times: [Int]) throws(ToolError) -> [String] {
        let output = try VideoInput(path: path)
        try checkFrames(output, times)
        for (place, track) in tracks.tracks.enumerated() where track.stream.kind == .audio {
            try checkAudio(track, place + 1, output)
        }
        return lostTags(output)
    }

    private func checkFrames(_ output: VideoInput, _ times: [Int]) throws(ToolError) {
        let written = output.frameTimes
        guard written.count == times.count else {
            throw incomplete("it has \(written.count) of \(times.count) frames")
        }
        let expected = times.map { UInt64(max(0, $0.rescaled(from: input.track.timeBase, to: .nanosecond))) }
        guard let first = expected.first, let start = written.first else { return }
        let shift = Int64(first) - Int64(start)
        let distance = zip(expected, written).map { abs(Int64($0) - Int64($1) - shift) }.max() ?? 0
        guard distance <= Self.timeTolerance else {
            throw incomplete(
                "a frame is shown \((Double(distance) / 1e9).text(decimals: 3)) s beside its time")
        }
    }

    /// Nanoseconds: Matroska has milliseconds.
    private static let timeTolerance: Int64 = 1_000_000

    private func checkAudio(_ track: OutputTracks.Track, _ place: Int, _ output: VideoInput) throws(ToolError)
    {
        guard let before = input.index.streams[track.stream.index] else { return }
        let after = output.index.streams[place]
        let seconds = { (packets: PacketIndex.Stream?, unit: Rational?) -> Double in
            guard let packets, let unit, let first = packets.first, let end = packets.end else { return 0 }
            return Double(end - first) * unit.value
        }
        let written = seconds(after, output.description.streams.first { $0.index == place }?.timeBase)
        var expected = seconds(before, track.stream.timeBase)
        if !job.range.isWhole {
            let begin = Double(before.first ?? 0) * track.stream.timeBase.value - input.description.start
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
        ToolError(.failed, "\(job.output) would be incomplete: \(reason).")
    }

    // MARK: - Metadata

    /// Tags of the input that the output has not.
    private func lostTags(_ output: VideoInput) -> [String] {
        var lost: [String] = []
        let kept = Set(output.description.tags.keys.map(\.plainTag))
        for name in input.description.tags.keys.sorted() where !Self.technical.contains(name.plainTag) {
            if !kept.contains(name.plainTag) { lost.append(name) }
        }
        if input.description.chapterCount > 0, job.range.isWhole,
            output.description.chapterCount < input.description.chapterCount
        {
            lost.append("chapters")
        }
        if input.description.diagnostics.messages.contains(where: { $0.text.contains("spherical") }) {
            lost.append("spherical (360-degree) mapping")
        }
        let sideData = input.track.sideData.compactMap { $0["side_data_type"]?.string }
        for name in sideData where ["Spherical Mapping", "Stereo 3D"].contains(name) {
            lost.append(name == "Stereo 3D" ? "stereo mode" : "spherical (360-degree) mapping")
        }
        for (place, track) in tracks.tracks.enumerated() {
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

    /// Tags about the file itself, which the output has of its own.
    private static let technical: Set<String> = [
        "major_brand", "minor_version", "compatible_brands", "encoder", "duration", "creation_time_original",
        "timecode", "software",
    ]
}

extension String {
    /// A tag's name without the differences between containers.
    fileprivate var plainTag: String { lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " } }
}

extension MediaDescription {
    fileprivate var isAVI: Bool { format.hasPrefix("avi") }
}

extension Diagnostics {
    /// Size and aspect of decoded frames, each time they change.
    fileprivate var pictureSizes: [String] {
        messages.filter { $0.source.hasPrefix("Parsed_scale") || $0.source.hasPrefix("scale") }
            .compactMap { message in message.text.firstIndex(of: "-").map { String(message.text[..<$0]) } }
    }
}
