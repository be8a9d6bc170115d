package import CommandKit
import FileNames
import Glibc
import Synchronization

/// Another program at work, with pipes to its standard input and output.
///
/// Its signals are blocked as this program's are: it ends when its pipes are closed, or by `stop()`. It leads a process group, so
/// that a script which calls another program ends with that.
package final class ChildProcess: Sendable {
    /// Pipes of a child, besides that of its messages.
    package struct Pipes: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let input = Pipes(rawValue: 1)
        package static let output = Pipes(rawValue: 2)
    }

    private struct State: Sendable {
        var input: Int32?
        var output: Int32?
        var status: Int32?
        /// Bytes written to its standard input.
        var givenBytes: Int64 = 0
        /// Whether it was ended because it made no progress.
        var isGivenUp = false
    }

    private let identifier: pid_t
    /// Its program, as it was asked for.
    package let program: String
    private let state: Mutex<State>
    private let messages: MessageReader

    /// Messages of the child until now.
    package var diagnostics: Diagnostics { messages.diagnostics }

    /// Starts a program that is found on the PATH.
    ///
    /// - Throws: `ToolError` of kind `missing` when it is not installed.
    package init(_ program: String, _ arguments: [String], pipes: Pipes) throws(ToolError) {
        let input = pipes.contains(.input) ? try Pipe() : nil
        let output = pipes.contains(.output) ? try Pipe() : nil
        let errors = try Pipe()
        let ending = try Pipe()
        defer {
            input?.closeReading()
            output?.closeWriting()
            errors.closeWriting()
        }
        do throws(ToolError) {
            identifier = try Self.spawn(
                program, arguments,
                [
                    (input?.reading, STDIN_FILENO), (output?.writing, STDOUT_FILENO),
                    (errors.writing, STDERR_FILENO),
                ])
        } catch {
            input?.closeWriting()
            output?.closeReading()
            errors.closeReading()
            ending.closeReading()
            ending.closeWriting()
            throw error
        }
        self.program = program
        // `write` waits by itself.
        if let input { _ = fcntl(input.writing, F_SETFL, O_NONBLOCK) }
        state = Mutex(State(input: input?.writing, output: output?.reading))
        messages = MessageReader(errors.reading, of: identifier, ending: ending)
        ChildActivity.running.withLock { $0[identifier] = program }
    }

    deinit { stop() }

    /// Its work until now.
    var activity: ChildActivity { ChildActivity(of: identifier) }

    /// Descriptor that writes to the child's standard input; nil when there is none.
    package var input: Int32? { state.withLock { $0.input } }
    /// Descriptor that reads the child's standard output; nil when there is none.
    package var output: Int32? { state.withLock { $0.output } }

    /// Bytes that were written to the child's standard input.
    var givenBytes: Int64 { state.withLock { $0.givenBytes } }

    func noteGiven(_ bytes: Int) { state.withLock { $0.givenBytes += Int64(bytes) } }

    /// Whether it was ended because it made no progress.
    package var isGivenUp: Bool { state.withLock { $0.isGivenUp } }

    func noteGivenUp() { state.withLock { $0.isGivenUp = true } }

    /// Ends the child's input.
    package func closeInput() {
        state.withLock { state in
            if let input = state.input { close(input) }
            state.input = nil
        }
    }

    /// Waits for the end of the child and of its messages.
    ///
    /// - Parameter milliseconds: maximum of the wait.
    /// - Returns: whether both have come.
    func hasEnded(within milliseconds: Int32) -> Bool { messages.hasEnded(within: milliseconds) }

    /// Waits for the end of the child, which is near.
    ///
    /// - Returns: its status, as `waitpid` gives it.
    @discardableResult
    func reap() -> Int32 {
        // Without the lock: `kill()` must not wait for the end.
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return state.withLock { state in
            if let status = state.status { return status }
            var status: Int32 = 0
            _ = ChildActivity.running.withLock { $0.removeValue(forKey: identifier) }
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            state.status = status
            return status
        }
    }

    /// Ends the child at once, if it has not ended.
    ///
    /// A thread that reads its output meets the end; one that writes its input meets an error.
    package func kill() {
        state.withLock { state in
            if state.status == nil { _ = Glibc.kill(-identifier, SIGKILL) }
        }
    }

    /// Ends the child at once and closes its pipes, which nothing else may be using.
    package func stop() {
        kill()
        reap()
        closeInput()
        state.withLock { state in
            if let output = state.output { close(output) }
            state.output = nil
        }
    }

    private static func spawn(
        _ program: String, _ arguments: [String], _ descriptors: [(from: Int32?, to: Int32)]
    ) throws(ToolError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (from, to) in descriptors {
            if let from {
                posix_spawn_file_actions_adddup2(&actions, from, to)
            } else {
                posix_spawn_file_actions_addopen(&actions, to, "/dev/null", O_RDWR, 0)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        let words = ([program] + arguments).map { strdup($0.fileName) } + [nil]
        defer { for word in words { free(word) } }
        var identifier: pid_t = 0
        let error = posix_spawnp(&identifier, program, &actions, &attributes, words, environ)
        guard error == 0 else {
            guard error == ENOENT else {
                throw ToolError(.failed, "\(program) cannot be started: \(String(cString: strerror(error))).")
            }
            throw ToolError(.missing, "\(program) is not installed: apt-get install ffmpeg.")
        }
        return identifier
    }
}
