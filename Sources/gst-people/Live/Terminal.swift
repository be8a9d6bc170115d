import CommandKit
import Glibc

/// The terminal in which the tool was started.
enum Terminal {
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Asks a question that is answered with yes unless otherwise; no where nobody can answer.
    static func confirms(_ question: String) throws(ToolError) -> Bool {
        guard isatty(STDIN_FILENO) == 1, isOutput else { return false }
        try printText(question)
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // Signals are blocked: short waits, so that Control-C is heard.
        while poll(&input, 1, 100) == 0 {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
        }
        guard let answer = readLine() else { return false }
        return ["", "y", "yes"].contains(answer.filter { !$0.isWhitespace }.lowercased())
    }
}
