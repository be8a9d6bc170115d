/// How a command ends: one table for all of them.
public enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case failed = 1
    case usage = 2
    case input = 3
    case output = 4
    case missing = 5

    /// What the status means, as help and manual say it.
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

    /// What a shell expects of a program that a signal ended.
    public static func status(afterSignal number: Int32) -> Int32 { 128 + number }

    /// The statuses with their meanings, those after signals included.
    static let table: [(status: String, meaning: String)] =
        allCases.map { ("\($0.rawValue)", $0.meaning) }
        + [
            (
                "129, 130, 143",
                "stopped by SIGHUP, SIGINT (Control-C) or SIGTERM; camera commands return 0 instead"
            )
        ]
}

/// Why a command did not do its work.
public struct ToolError: Error {
    /// What a shell is told.
    public let code: ExitCode
    /// A sentence for the user.
    public let message: String
    /// The signal that asked the program to end.
    public let signal: Int32?

    /// A failure of a kind.
    public init(_ code: ExitCode, _ message: String) {
        (self.code, self.message, signal) = (code, message, nil)
    }

    /// The end that a signal asked for.
    public init(interruptedBy signal: Int32, _ message: String = "interrupted") {
        (code, self.message, self.signal) = (.failed, message, signal)
    }

    /// A wrong command line.
    public static func usage(_ problem: String) -> ToolError {
        ToolError(.usage, "\(problem); see --help")
    }

    /// What the program ends with.
    public var status: Int32 { signal.map(ExitCode.status) ?? code.rawValue }
}
