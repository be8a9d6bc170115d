import CommandKit

/// An estimate of how long the rest of the work takes, printed once on the standard error output, soon after long work has begun.
struct WorkEstimate {
    /// The command's name in the message.
    private let command: String
    private let started = ContinuousClock.now
    private var firstFrame: ContinuousClock.Instant?

    init(_ command: String) { self.command = command }

    /// Frames whose pace is measured, and how many times as long a video must be.
    private static let (measuredFrames, longVideo) = (25, 10.0)
    /// Files whose pace is measured, and how many times as many there must be.
    private static let (measuredFiles, manyFiles) = (10, 5)

    /// Called when a file begins.
    mutating func beginFile() { firstFrame = nil }

    /// Called after each frame of a video.
    ///
    /// - Parameters:
    ///   - count: number of frames until now.
    ///   - share: the part of the video that is done, 0 to 1; nil where its length is not known.
    mutating func addFrame(_ count: Int, of file: String, share: Double?) {
        // Models are loaded until the first frame is there.
        let first = firstFrame ?? ContinuousClock.now
        firstFrame = first
        guard count == Self.measuredFrames, let share, share > 0, share * Self.longVideo <= 1 else { return }
        say((ContinuousClock.now - first).inSeconds, share, "the rest of \(file)")
    }

    /// Called after each file.
    func addFile(_ count: Int, of files: Int) {
        guard count == Self.measuredFiles, files >= Self.manyFiles * count else { return }
        say(
            (ContinuousClock.now - started).inSeconds, Double(count) / Double(files),
            "the other \(files - count) files")
    }

    private func say(_ elapsed: Double, _ share: Double, _ rest: String) {
        let left = (elapsed / share * (1 - share)).clockTime
        printDiagnostic("gst-people \(command): \(rest) will take about \(left)")
    }
}
