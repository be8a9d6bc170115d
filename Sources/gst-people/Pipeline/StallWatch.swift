import CommandKit
import Glibc

/// Finds out that nothing happens any more, so that no input makes the tool wait without end.
///
/// Work of the processor counts as progress, on a slow machine too: what waits for something that never comes does none.
struct StallWatch {
    /// Tenths of a second without any progress, after which it is given up.
    static let patience = 300
    /// A thousandth of a second in each tenth is more than waiting takes, in nanoseconds.
    private static let leastWork: Int64 = 1_000_000

    private let input: String
    private var work = processorTime
    private var quiet = 0

    /// - Parameter input: the file that is read.
    init(_ input: String) { self.input = input }

    /// Called after each tenth of a second that brought nothing.
    ///
    /// - Parameter place: what was waited for, as in "while it is decoded".
    mutating func check(_ place: String) throws(ToolError) {
        let now = processorTime
        quiet = now - work < Self.leastWork ? quiet + 1 : 0
        work = now
        guard quiet >= Self.patience else { return }
        throw ToolError(.input, "\(input): nothing has happened for \(Self.patience / 10) s \(place).")
    }
}

/// The time for which the processor has worked for this program, in nanoseconds.
private var processorTime: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}
