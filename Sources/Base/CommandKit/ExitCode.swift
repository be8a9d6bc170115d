/// The exit statuses of all commands.
public enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case failed = 1
    case usage = 2
    case input = 3
    case output = 4
    case missing = 5

    /// The meaning of the status, for help and manual.
    public var meaning: String {
        switch self {
        case .success: "success"
        case .failed: "another failure, or some of the files failed"
        case .usage: "wrong usage"
        case .input: "an input cannot be read, or there is no camera or screen"
        case .output: "an output cannot be written, or exists already"
        case .missing: "something is not installed; the message says what to do"
        }
    }

    /// Returns the exit status that shells use for a program that was ended by a signal.
    public static func status(afterSignal number: Int32) -> Int32 { 128 + number }

    /// The statuses with their meanings, including those after signals.
    static let table: [(status: String, meaning: String)] =
        allCases.map { ("\($0.rawValue)", $0.meaning) }
        + [
            (
                "129, 130, 143",
                "stopped by SIGHUP, SIGINT (Control-C) or SIGTERM; camera commands return 0 instead"
            )
        ]
}

/// The reason why a command failed.
public struct ToolError: Error {
    /// The kind of failure, which determines the exit status.
    public let code: ExitCode
    /// A sentence for the user.
    public let message: String
    /// The signal that ended the command.
    public let signal: Int32?

    /// Makes a failure of a kind.
    public init(_ code: ExitCode, _ message: String) {
        (self.code, self.message, signal) = (code, message, nil)
    }

    /// Makes a failure for a command that a signal ended.
    public init(interruptedBy signal: Int32, _ message: String = "interrupted") {
        (code, self.message, self.signal) = (.failed, message, signal)
    }

    /// Makes a failure for a wrong command line.
    public static func usage(_ problem: String) -> ToolError {
        ToolError(.usage, "\(problem); see --help")
    }

    /// The program's exit status.
    public var status: Int32 { signal.map(ExitCode.status) ?? code.rawValue }
}
