import CommandKit
import Glibc
import MediaFiles

/// Detects that work makes no progress, so that no input makes the tool wait for ever.
///
/// Processor time of this program and its child processes counts as progress, and so do bytes that the children read or
/// write: also on a slow machine or disk.
struct StallWatch {
    /// Tenths of a second without any progress, after which it is given up.
    static let patience = 300
    /// Minimum processor time of a tenth of a second with progress, in nanoseconds.
    ///
    /// An idle ffmpeg takes up to a thousandth of a second.
    private static let minimumWork: Int64 = 5_000_000

    private let input: String
    private var activity = ChildActivity.current
    private var work: Int64 = processorTime
    private var quiet = 0

    /// - Parameter input: the file that is read.
    init(_ input: String) { self.input = input }

    /// Called after each tenth of a second that brought nothing.
    ///
    /// - Parameter place: the step that waits, as in "while it is decoded".
    mutating func check(_ place: @autoclosure () -> String) throws(ToolError) {
        let (before, after) = (activity, ChildActivity.current)
        let now = processorTime &+ after.processorTime
        let isQuiet = now &- work < Self.minimumWork && before.transferredBytes == after.transferredBytes
        quiet = isQuiet ? quiet + 1 : 0
        (activity, work) = (after, now)
        guard quiet >= Self.patience else { return }
        let programs = ChildActivity.programs
        let waiting = programs.isEmpty ? "" : " (\(programs.joined(separator: " and ")) was running)"
        throw ToolError(
            .input, "\(input): nothing has happened for \(Self.patience / 10) s \(place())\(waiting).")
    }
}

/// The time for which the processor has worked for this program, in nanoseconds.
private var processorTime: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}
