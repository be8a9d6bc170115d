import GStreamerKit

/// What a video says about itself besides the tags that GStreamer hands over: date and place of recording, chapters.
struct KeptMetadata {
    private let job: Job
    private let tags: FileTags
    private let boxes: MovieBoxes?

    init(_ job: Job) {
        self.job = job
        tags = FileTags(of: job.input)
        boxes = MovieBoxes(of: job.input)
    }

    /// When the input was recorded, in seconds since 1970.
    var recorded: Int64? { tags.recorded ?? boxes?.created }

    /// The streams of the input.
    var streams: [InputStreams.Stream] { tags.streams.all }

    /// Whether an output will have the chapters of the input; nil where there are none.
    func keepsChapters(in container: Container) -> Bool? {
        guard tags.hasChapters || boxes?.hasChapters ?? false else { return nil }
        return container.hasTrackTimescale ? !keptChapters.isEmpty : tags.hasChapters && job.range.isWhole
    }

    /// Completes a finished video.
    ///
    /// - Returns: what it does not hold, for the user.
    func complete(_ path: String) -> [String] {
        let hasBoxes = completeBoxes(path)
        let found = FileTags(of: path)
        let names = tags.names.subtracting(found.names).subtracting(Self.ignored)
        var lost = names.sorted().map { GStreamer.TagList.nickname(of: $0) ?? "a tag" }
        if let boxes, !hasBoxes, !boxes.places.isEmpty || !boxes.keys.isEmpty {
            lost.append("place of recording")
        }
        let hasChapters = found.hasChapters || hasBoxes && !keptChapters.isEmpty
        if !hasChapters, tags.hasChapters || boxes?.hasChapters ?? false { lost.append("chapters") }
        return lost.isEmpty ? [] : ["left out: \(lost.joined(separator: ", "))"]
    }

    /// Frames are upright, each stream of audio keeps its language, and what GStreamer cannot read has no name.
    private static let ignored = ["application-name", "image-orientation", "language-code", "private-qt-tag"]

    /// Their times are those of the whole video.
    private var keptChapters: [[UInt8]] { job.range.isWhole ? boxes?.chapters ?? [] : [] }

    /// Writes into the header of an MP4 or QuickTime video what GStreamer's muxers do not.
    ///
    /// - Returns: whether all that the input's header has of it is there.
    private func completeBoxes(_ path: String) -> Bool {
        guard var video = MovieBoxes(of: path) else { return false }
        if let recorded { video.setCreated(recorded) }
        let isComplete = video.add(user: (boxes?.places ?? []) + keptChapters, behind: boxes?.keys ?? [])
        return video.write() && isComplete
    }
}
