import CommandKit
import Glibc

/// A part of a long video that is made by itself; times are in nanoseconds of the video.
struct VideoSegment: Equatable, Sendable {
    /// Time at which analysis begins, so that its state at the start is that of a video without seams.
    let warmUp: UInt64
    let start: UInt64
    /// Nil for the end of the video.
    let end: UInt64?
    let frames: Int
}

extension VideoSegment {
    /// Frames that are analysed before the first one that is written.
    ///
    /// docs/experiments/README.md has the measurement.
    static let warmUpFrames = 120
    /// Phases of the analysis repeat after so many frames: people are looked for in every fourth, masks are made
    /// again in every second.
    static let phase = 4

    /// Cuts the chosen frames of a video.
    ///
    /// - Parameter length: approximate length of a segment, in nanoseconds.
    /// - Returns: an even number of segments, where key frames allow, so that two workers end together; one for a video that is
    ///   shorter than one and a half.
    static func cut(_ plan: VideoPlan, length: UInt64) -> [VideoSegment] {
        guard let frames = plan.selection.expected, let first = frames.first else {
            return []
        }
        let starts = [first] + seams(plan.input.keyTimes, frames, length: length)
        return starts.indices.map { place in
            let (start, end) = (
                starts[place], place + 1 < starts.count ? starts[place + 1] : plan.job.range.end
            )
            let (from, to) = (position(of: start, in: frames), position(of: end ?? .max, in: frames))
            return VideoSegment(
                warmUp: place == 0 ? start : frames[warmUp(before: from)], start: start, end: end,
                frames: to - from)
        }
    }

    /// Places that divide the video evenly: at key frames, or at other frames where none is near.
    private static func seams(_ keys: [UInt64], _ frames: [UInt64], length: UInt64) -> [UInt64] {
        guard let first = frames.first, let last = frames.last else { return [] }
        let whole = Double(last - first)
        guard length > 0, whole >= 1.5 * Double(length) else { return [] }
        let count = 2 * max(1, Int((whole / Double(length) / 2).rounded()))
        var seams: [UInt64] = []
        for place in 1..<count {
            let wanted = first + UInt64(whole * Double(place) / Double(count))
            let key = nearest(wanted, in: keys).flatMap { distance($0, wanted) <= length / 4 ? $0 : nil }
            // Decoding begins at a key frame before it.
            guard let seam = key ?? nearest(wanted, in: frames), seam > seams.last ?? first else { continue }
            seams.append(seam)
        }
        return seams
    }

    private static func nearest(_ time: UInt64, in times: [UInt64]) -> UInt64? {
        let after = position(of: time, in: times)
        let near = times[max(0, after - 1)..<min(times.count, after + 1)]
        return near.min { distance($0, time) < distance($1, time) }
    }

    private static func distance(_ one: UInt64, _ other: UInt64) -> UInt64 {
        one > other ? one - other : other - one
    }

    /// Returns the number of ascending times before one.
    private static func position(of time: UInt64, in times: [UInt64]) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The frame at which analysis begins, with the phase that it has there in a video without seams.
    private static func warmUp(before frame: Int) -> Int { max(0, frame - warmUpFrames) / phase * phase }
}

/// Options for long videos, which are made in segments.
struct SegmentOptions {
    /// Seconds; 0 to make every video in one piece.
    var length = 60.0
    /// Segments that are made at once; 0 for as many as the machine can do.
    var workers = 0
    var task = Task.video

    /// Work of one run.
    enum Task: Equatable {
        case video
        /// Prints the cuts of the video, for programs that distribute its segments.
        case plan
        /// One segment, by its number.
        case segment(Int)
    }

    static var options: [Option<SegmentOptions>] {
        [
            .number(
                "segment-length", "SECONDS", in: 0...86400,
                "approximate length of the segments of a long video; 0 makes one piece (default: 60)",
                \.length),
            .integer(
                "jobs", "N", in: 0...256,
                "number of segments processed in parallel (default: one per processor core)", \.workers),
            .flag(
                "plan", "only divide long videos into segments, and list them with --json", \.task, to: .plan),
            Option("segment", .text("N"), "process only this segment of the list of --plan; the first is 0") {
                (options: inout SegmentOptions, text: String) throws(ToolError) in
                guard let number = Int(text), number >= 0 else {
                    throw .usage("--segment takes the number of a segment, not \(text)")
                }
                options.task = .segment(number)
            },
        ]
    }

    var nanoseconds: UInt64 { UInt64(length * 1e9) }

    /// One for each core, as far as memory allows: each decodes, analyses and encodes frames of its own.
    var workerCount: Int {
        if workers > 0 { return workers }
        let memory = sysconf(Int32(_SC_PHYS_PAGES)) / 1024 * (sysconf(Int32(_SC_PAGESIZE)) / 1024)
        return max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), memory / Self.megabytes))
    }

    /// Memory that each segment takes: what the encoder looks ahead at 4K.
    private static let megabytes = 1500
}
