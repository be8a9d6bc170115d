package import CommandKit
import FileNames
import Glibc
import Synchronization

/// Another program at work, with pipes to its standard input and output.
///
/// Its signals are blocked as this program's are: it ends when its pipes are closed, or by `stop()`.
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
    }

    private let identifier: pid_t
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
            throw error
        }
        state = Mutex(State(input: input?.writing, output: output?.reading))
        messages = MessageReader(errors.reading)
        ChildActivity.running.withLock { _ = $0.insert(identifier) }
    }

    deinit { stop() }

    /// Descriptor that writes to the child's standard input; nil when there is none.
    package var input: Int32? { state.withLock { $0.input } }
    /// Descriptor that reads the child's standard output; nil when there is none.
    package var output: Int32? { state.withLock { $0.output } }

    /// Ends the child's input.
    package func closeInput() {
        state.withLock { state in
            if let input = state.input { close(input) }
            state.input = nil
        }
    }

    /// Waits for the end of the child.
    ///
    /// - Returns: whether it has ended with success.
    @discardableResult
    package func wait() -> Bool {
        // Without the lock: `kill()` must not wait for the end.
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let status = state.withLock { state in
            if let status = state.status { return status }
            var status: Int32 = 0
            ChildActivity.running.withLock { _ = $0.remove(identifier) }
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            state.status = status
            return status
        }
        messages.wait()
        return status == 0
    }

    /// Ends the child at once, if it has not ended.
    ///
    /// A thread that reads its output meets the end; one that writes its input meets an error.
    package func kill() {
        state.withLock { state in
            if state.status == nil { _ = Glibc.kill(identifier, SIGKILL) }
        }
    }

    /// Ends the child at once and closes its pipes, which nobody may be using.
    package func stop() {
        kill()
        wait()
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
        let words = ([program] + arguments).map { strdup($0.fileName) } + [nil]
        defer { for word in words { free(word) } }
        var identifier: pid_t = 0
        let error = posix_spawnp(&identifier, program, &actions, nil, words, environ)
        guard error == 0 else {
            guard error == ENOENT else {
                throw ToolError(.failed, "\(program) cannot be started: \(String(cString: strerror(error))).")
            }
            throw ToolError(.missing, "\(program) is not installed: apt-get install ffmpeg.")
        }
        return identifier
    }
}

/// A pipe whose ends other children do not inherit.
private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws(ToolError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ToolError(.failed, "No pipe could be made: \(String(cString: strerror(errno))).")
        }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A frame takes fewer changes between the programs; a smaller pipe works, too.
        _ = fcntl(writing, Self.setSize, Self.bytes)
    }

    /// F_SETPIPE_SZ (linux/fcntl.h), which Swift does not import.
    private static let setSize: Int32 = 1031
    /// Largest size that the kernel grants every user.
    private static let bytes: Int32 = 1 << 20

    func closeReading() { close(reading) }
    func closeWriting() { close(writing) }
}

/// Reads the messages of a child on a thread of its own.
private final class MessageReader: Sendable {
    private let found = Mutex(Diagnostics())
    private let thread = Mutex<BackgroundThread?>(nil)

    init(_ descriptor: Int32) {
        let thread = BackgroundThread { [weak self] in Self.read(descriptor) { self?.add($0) } }
        if thread == nil { close(descriptor) }
        self.thread.withLock { $0 = thread }
    }

    var diagnostics: Diagnostics { found.withLock { $0 } }

    private func add(_ line: String) { found.withLock { $0.add(line) } }

    /// Waits for the end of the messages.
    func wait() { thread.withLock { $0 }?.wait() }

    private static func read(_ descriptor: Int32, _ body: (String) -> Void) {
        guard let file = fdopen(descriptor, "r") else { return }
        defer { fclose(file) }
        var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { free(line) }
        while getline(&line, &capacity, file) >= 0 {
            if let line { body(String(cString: line)) }
        }
    }
}
