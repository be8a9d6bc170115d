/// How the program ends; `--help` lists these for scripts.
enum ExitCode: Int32 {
    case success = 0
    case failed = 1
    case usage = 2
    case input = 3
    case output = 4
    case missing = 5

    /// What a shell expects of a program that a signal ended.
    static func status(afterSignal number: Int32) -> Int32 { 128 + number }
}

/// Why a file was not made.
struct ToolError: Error {
    let code: ExitCode
    /// A sentence for the user.
    let message: String
    /// The signal that asked the program to end.
    let signal: Int32?

    init(_ code: ExitCode, _ message: String) {
        (self.code, self.message, signal) = (code, message, nil)
    }

    init(interruptedBy signal: Int32) {
        (code, message, self.signal) = (.failed, "interrupted", signal)
    }
}
