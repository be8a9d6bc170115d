import GStreamerKit

/// Picks the frames of a video that are shown at given times.
struct FrameSampling {
    /// A frame with its number in the video, from 1 on.
    typealias Picked = (frame: Frame, number: Int)

    private let range: VideoRange
    /// Nanoseconds between two times; nil to pick all frames.
    private let interval: UInt64?
    /// The last frame, whose duration is not known yet, and its time in nanoseconds.
    private var waiting: (picked: Picked, time: UInt64)?

    init(_ part: FramePart) { (range, interval) = (part.range, part.interval) }

    /// Adds the next frame.
    ///
    /// - Returns: the frame that is picked now, which is this one or the one before.
    mutating func add(_ frame: Frame, number: Int) -> Picked? {
        guard interval != nil else { return (frame, number) }
        let time = frame.streamTime ?? 0
        // The first frame also counts for the start, if the sound begins before the picture.
        defer { waiting = ((frame, number), waiting == nil ? 0 : time) }
        return picked(until: time)
    }

    /// Returns the last frame, if it is picked and has not been returned yet.
    ///
    /// - Parameter end: time of the video's end in nanoseconds; 0 if unknown.
    func last(_ end: UInt64) -> Picked? {
        let (shortest, isTooLate) = (waiting?.picked.frame.streamTime ?? 0)
            .addingReportingOverflow(2 * VideoRange.tolerance)
        return picked(until: min(isTooLate ? .max : max(end, shortest), range.end ?? .max))
    }

    private func picked(until end: UInt64) -> Picked? {
        waiting.flatMap { isShown($0.time, until: end) ? $0.picked : nil }
    }

    /// Whether a frame that is shown from one time to another is shown at one of the given times.
    private func isShown(_ time: UInt64, until end: UInt64) -> Bool {
        guard let interval else { return true }
        guard !VideoRange.reaches(range.start, time) else { return !VideoRange.reaches(range.start, end) }
        let elapsed = time - range.start - VideoRange.tolerance
        let rest = elapsed % interval
        let (moment, isTooLate) = (time - VideoRange.tolerance)
            .addingReportingOverflow(rest == 0 ? 0 : interval - rest)
        return !isTooLate && !VideoRange.reaches(moment, end)
    }
}
