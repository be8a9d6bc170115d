import CommandKit
import Threads

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
