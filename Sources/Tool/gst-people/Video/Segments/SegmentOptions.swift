import CommandKit
import Glibc

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
