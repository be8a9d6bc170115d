import Foundation
import GStreamerKit

/// Measures 1 to 16 streams in one process: their common frame rate, the time of the slowest hundredth of
/// frames, and the memory that a stream adds.
struct StreamsBench {
    private static let counts = [1, 2, 4, 8, 16]

    private let options: Options

    init(_ options: Options) throws {
        self.options = options
        GStreamer.initialize()
    }

    func run() throws {
        print(
            "\nstreams of personsegment quality=fast, 1280x720 I420, the packaged clip, one decoder for all")
        print("streams  frames/s  99 % ms  MB in all  MB per added stream")
        var first: Int?
        for count in Self.counts {
            let (frames, slow, memory) = try measure(count)
            let base = first ?? memory
            first = base
            let added = count > 1 ? String(format: "%.1f", Double(memory - base) / Double(count - 1)) : ""
            print(
                Report.right(String(count), 7), Report.right(String(Int(frames.rounded())), 8),
                Report.right(String(format: "%.1f", slow), 7), Report.right(String(memory), 9),
                Report.right(added, 19)
            )
        }
    }

    /// Returns the frame rate of all streams, the milliseconds within which 99 % of frames are done, and the
    /// largest resident memory so far.
    ///
    /// All runs share one process, and each has more streams than those before it.
    private func measure(_ count: Int) throws -> (frames: Double, slow: Double, memory: Int) {
        let source =
            "filesrc location=\(ElementBench.clip) ! decodebin ! videoconvert ! videoscale ! "
            + "video/x-raw,format=I420,width=1280,height=720 ! identity eos-after=\(options.frames + 1) ! tee name=t "
        let names = (0..<count).map { "s\($0)" }
        let chains = names.map { "t. ! queue ! personsegment quality=fast name=\($0) ! fakesink " }
        let stopwatches = try Stopwatch.run(source + chains.joined(), of: names)
        guard let start = stopwatches.compactMap(\.firstEnd).min(),
            let end = stopwatches.compactMap(\.lastEnd).max()
        else { throw BenchError("no frame passed") }
        let times = stopwatches.flatMap(\.times).sorted()
        guard !times.isEmpty else { throw BenchError("no frame passed") }
        let slow = times[min(times.count - 1, times.count * 99 / 100)] / .milliseconds(1)
        let seconds = start.duration(to: end) / .seconds(1)
        return (Double(times.count) / seconds, slow, Self.largestMegabytes())
    }

    /// Returns the process's largest resident memory so far, in units of 10^6 bytes.
    private static func largestMegabytes() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int((Double(usage.ru_maxrss) * 1024 / 1e6).rounded())
    }
}
