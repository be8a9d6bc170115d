import CommandKit
import MediaFiles

/// Compares an input's own figures with the frames that can be read.
///
/// Missing frames are an error.
struct InputCheck {
    private let job: Job
    private let input: VideoInput

    init(_ job: Job, _ input: VideoInput) { (self.job, self.input) = (job, input) }

    /// Throws before the work if the container shows that the input is damaged or truncated.
    ///
    /// - Returns: notes for the user.
    func checkInput() throws(ToolError) -> [String] {
        let errors = Self.readingErrors(input.index.diagnostics)
        return try accept(shortening(isCertain: !errors.isEmpty) + errors + (errors.isEmpty ? [] : gaps))
    }

    /// Throws if frames of the input were not decoded.
    ///
    /// - Parameters:
    ///   - times: times of the decoded frames, in nanoseconds of the file.
    ///   - selection: frames that the input should have.
    /// - Returns: notes for the user.
    func checkDecoded(
        _ times: [UInt64], _ selection: FrameSelection, _ diagnostics: Diagnostics
    ) throws(ToolError) -> [String] {
        var notes = resizing(times, diagnostics)
        var problems: [String] = []
        let missing = selection.expected.map { missingFrames($0, times) }
        let changes = max(Set(diagnostics.pictureSizes).count - 1, input.shapes.changeCount)
        let lost = missing?.lost ?? packetsWithoutFrame(times)
        if lost > 0, lost <= changes, input.track.codec == "mpeg2video" {
            // The frame that the decoder holds back for reordering.
            notes.append(
                "frames before a change of size or aspect are left out, which ffmpeg does not give: \(lost)")
        } else if let missing, missing.lost > 0 {
            problems.append("\(missing.lost) of \(selection.expected?.count ?? 0) frames cannot be decoded")
        }
        if let missing, missing.start > 0 {
            notes.append(
                "the first \(missing.start) frames are left out: they cannot be decoded without frames before them"
            )
        }
        let errors = Self.readingErrors(diagnostics)
        // The container's own figures were checked before.
        if errors != Self.readingErrors(input.index.diagnostics) { problems += errors }
        let beginsAtStart = selection.decodingStart(of: input) == 0
        let damage = diagnostics.messages.first { message in
            message.isError && message.source == input.track.codec
                && (beginsAtStart || !Self.missingReferences.contains(where: message.text.contains))
        }
        if let damage { notes.append("the decoder reports damaged frames: \(damage.text)") }
        return notes + (try accept(problems))
    }

    /// Problems as notes, if the user accepts damage.
    private func accept(_ problems: [String]) throws(ToolError) -> [String] {
        guard !problems.isEmpty else { return [] }
        let text = problems.joined(separator: "; ")
        guard job.acceptsDamage else {
            throw ToolError(
                .input,
                "\(job.inputName) is damaged or truncated: \(text). Add --damaged to process what can be read."
            )
        }
        return ["the input is damaged or truncated: \(text)"]
    }

    /// Texts of errors about frames that refer to others from before the place where decoding begins; they are not shown.
    private static let missingReferences = [
        "mmco: unref short failure", "co located POCs unavailable", "reference picture missing",
        "reference frames",
        "Missing reference picture", "Could not find ref with POC", "reference count",
    ]

    /// Frames of the file that were not decoded: those before the first decoded one, and others.
    private func missingFrames(_ expected: [UInt64], _ times: [UInt64]) -> (start: Int, lost: Int) {
        guard let first = times.first else { return (0, expected.count) }
        let found = Set(times)
        let missing = expected.filter { !found.contains($0) }
        let start = selectionBeginsVideo(expected) ? missing.filter { $0 < first }.count : 0
        return (start, missing.count - start)
    }

    /// Returns the number of packets without a frame, of a whole video; it proves no loss, because fields may be packets.
    private func packetsWithoutFrame(_ times: [UInt64]) -> Int {
        job.range.isWhole ? max(0, (input.frameCount ?? 0) - times.count) : 0
    }

    private func selectionBeginsVideo(_ expected: [UInt64]) -> Bool {
        expected.first == input.frameTimes.first
    }

    /// The part that is missing at the end, by the length that the file names.
    ///
    /// - Parameter isCertain: whether ffmpeg reports a missing part.
    private func shortening(isCertain: Bool) -> [String] {
        if let frames = missingFramesOfAVI { return [frames] }
        if let rest = input.bytesBehindPackets, rest > 0 { return ["its last packet is cut off"] }
        if let all = shorteningOfAll(isCertain) { return [all] }
        let video = input.track.length.flatMap { length in
            let found = input.frameTimes.last.map { Double($0 + (input.lastDuration ?? 0)) / 1e9 } ?? 0
            // Tracks of MP4 and QuickTime count from their own beginning, which may be later than the file's.
            return missing(found, Double(input.frameTimes.first ?? 0) / 1e9 + length, isCertain)
        }
        if let video { return ["it contains \(video) of video"] }
        let sound = input.description.streams(.audio).lazy.compactMap { stream -> String? in
            guard isCertain, let length = stream.length, let packets = input.index.streams[stream.index],
                let first = packets.first, let end = packets.end
            else { return nil }
            return missing(Double(end - first) * stream.timeBase.value, length, isCertain)
        }
        return sound.first.map { ["it contains \($0) of sound"] } ?? []
    }

    /// The part that is missing by the length of the whole file, where tracks have none.
    private func shorteningOfAll(_ isCertain: Bool) -> String? {
        guard input.track.length == nil, let length = input.description.length else { return nil }
        let ends = input.description.streams.compactMap { stream in
            input.index.streams[stream.index]?.end.map { Double($0) * stream.timeBase.value }
        }
        // Matroska counts from zero, where tracks begin later.
        guard let found = ends.max().map({ $0 - min(0, input.start) }) else { return nil }
        return missing(found, length, isCertain).map { "it contains \($0)" }
    }

    /// The seconds that are present and the seconds that are expected; nil if no needed part is missing.
    private func missing(_ found: Double, _ length: Double, _ isCertain: Bool) -> String? {
        let isNeeded = job.range.end.map { Double($0) / 1e9 > found } ?? true
        // Containers round, and some only estimate.
        let tolerance = isCertain ? 0.01 : max(0.25, length * 0.002)
        guard isNeeded, length - found > tolerance else { return nil }
        return "\(found.text(decimals: 2)) of \(length.text(decimals: 2)) seconds"
    }

    /// Frames that are missing in an AVI, whose header counts them.
    private var missingFramesOfAVI: String? {
        guard input.description.format.hasPrefix("avi"), let count = input.track.frameCount,
            let found = input.frameCount
        else { return nil }
        // It counts empty chunks, too.
        let tolerance = input.isShorterThanRIFF ? 0 : max(2, count / 100) + input.emptyChunkCount
        if count - found > tolerance { return "it contains \(found) of \(count) frames" }
        return input.isShorterThanRIFF ? "its end is missing" : nil
    }

    /// Places without frames in a file that ffmpeg could not read everywhere.
    private var gaps: [String] {
        let times = input.frameTimes
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        let usual = steps.sorted().dropFirst(steps.count / 2).first ?? 0
        let holes = zip(times, steps).filter { $1 > 2 * usual }
        let missing = holes.reduce(0) { $0 + Double($1.1 - usual) / 1e9 }
        guard let first = holes.first else { return [] }
        let place = (Double(first.0) / 1e9).text(decimals: 2)
        return ["about \(missing.text(decimals: 2)) s are missing, the first at \(place) s"]
    }

    /// Errors of ffmpeg about the container.
    private static func readingErrors(_ all: Diagnostics...) -> [String] {
        let errors = all.flatMap(\.messages).filter {
            $0.isError && ($0.source == "mpeg" || demuxers.contains(where: $0.source.hasPrefix))
        }
        return errors.first.map { ["ffmpeg reports: \($0.text)"] } ?? []
    }

    /// Beginnings of the names of ffmpeg's demuxers in messages.
    private static let demuxers = [
        "mov,", "matroska", "avi", "mpegts", "ogg", "flv", "asf", "mxf", "in#",
    ]

    /// A note about frames of another size or aspect.
    private func resizing(_ times: [UInt64], _ diagnostics: Diagnostics) -> [String] {
        let (first, last) = (input.seconds(times.first ?? 0), input.seconds(times.last ?? 0))
        let isResized =
            Set(diagnostics.pictureSizes).count > 1 || input.shapes.changes(between: first, and: last + 0.001)
        return isResized
            ? [
                "the size or aspect changes within the video: later frames are scaled and boxed to the first's"
            ] : []
    }
}

extension Diagnostics {
    /// Size and aspect of decoded frames, each time they change.
    fileprivate var pictureSizes: [String] {
        messages.filter { $0.source.hasPrefix("Parsed_scale") || $0.source.hasPrefix("scale") }
            .compactMap { message in message.text.firstIndex(of: "-").map { String(message.text[..<$0]) } }
    }
}
