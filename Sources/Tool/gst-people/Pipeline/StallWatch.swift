import CommandKit
import Glibc
import MediaFiles
import Threads

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

/// Work on a thread of its own, while the calling thread handles signals and limits the time.
enum WatchedWork {
    /// Calls `body` on another thread and waits for its result.
    ///
    /// - Parameters:
    ///   - input: the file that is processed, for messages.
    ///   - place: the kind of work, such as "while it is decoded".
    /// - Throws: when a signal asks the program to end, or the work stalls; the thread is then abandoned.
    static func run<Result: Sendable>(
        _ input: String, _ place: String, _ body: @escaping @Sendable () -> Result
    ) throws(ToolError) -> Result {
        let result = Monitor<Result?>(nil)
        start {
            let made = body()
            result.update { $0 = made }
        }
        var watch = StallWatch(input)
        while true {
            if let result = result.wait(until: Deadline(in: 0.1), for: { $0 }) { return result }
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
            try watch.check(place)
        }
    }

    /// Calls a function that may throw, likewise.
    static func run<Value: Sendable>(
        _ input: String, _ place: String, _ body: @escaping @Sendable () throws(ToolError) -> Value
    ) throws(ToolError) -> Value {
        let outcome = try run(input, place) { () -> Result<Value, ToolError> in
            do throws(ToolError) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Calls `body` on another thread; on this one where the system grants none.
    private static func start(_ body: @escaping @Sendable () -> Void) {
        if BackgroundThread(body) == nil { body() }
    }
}
