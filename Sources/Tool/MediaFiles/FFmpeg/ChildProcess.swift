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

extension ChildProcess {
    /// Reads what the child has written to its standard output, as soon as there is something.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    /// - Throws: when the child makes no progress, in which case it is ended.
    package func read(
        into bytes: UnsafeMutableRawBufferPointer, _ patience: ChildWatch.Patience = .reading
    ) throws(ToolError) -> Int {
        guard let output else { return 0 }
        var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        try wait(patience) { poll(&request, 1, Self.tenth) > 0 }
        while true {
            let count = Glibc.read(output, bytes.baseAddress, bytes.count)
            guard count < 0 else { return count }
            guard errno == EINTR else {
                throw ToolError(
                    .failed, "\(program)'s output cannot be read: \(String(cString: strerror(errno))).")
            }
        }
    }

    /// Writes to the child's standard input.
    ///
    /// - Returns: false where the child takes no more.
    /// - Throws: when the child makes no progress, in which case it is ended.
    func write(_ bytes: UnsafeRawBufferPointer, _ patience: ChildWatch.Patience) throws(ToolError) -> Bool {
        guard let input else { return false }
        var request = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(input, rest.baseAddress, rest.count)
            if count > 0 {
                noteGiven(count)
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno == EAGAIN {
                try wait(patience) { poll(&request, 1, Self.tenth) > 0 }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Writes an array to the child's standard input, likewise.
    package func write(_ bytes: [UInt8], _ patience: ChildWatch.Patience) throws(ToolError) -> Bool {
        let result = bytes.withUnsafeBytes { bytes -> Result<Bool, ToolError> in
            do throws(ToolError) { return .success(try write(bytes, patience)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Reads the standard output to its end.
    ///
    /// - Parameters:
    ///   - limit: bytes after which the program is not the one that was meant.
    ///   - body: is called with each part.
    func readAll(
        limit: Int, _ body: (UnsafeRawBufferPointer) throws(ToolError) -> Void
    ) throws(ToolError) {
        let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { part.deallocate() }
        var total = 0
        while true {
            let count = try read(into: part)
            guard count > 0 else { return }
            total += count
            guard total <= limit else { throw fail(.failed, "sends what it was not asked for") }
            try body(UnsafeRawBufferPointer(rebasing: part[..<count]))
        }
    }

    /// Waits for the end of the child and of its messages.
    ///
    /// - Returns: whether it has ended with success.
    /// - Throws: when the child makes no progress, in which case it is ended.
    @discardableResult
    package func finish(_ patience: ChildWatch.Patience = .reading) throws(ToolError) -> Bool {
        try wait(patience) { hasEnded(within: Self.tenth) }
        return reap() == 0
    }

    /// A tenth of a second, in milliseconds.
    private static let tenth: Int32 = 100

    /// Waits until a condition holds.
    ///
    /// - Parameter condition: takes a tenth of a second if it does not hold.
    private func wait(
        _ patience: ChildWatch.Patience, until condition: () -> Bool
    ) throws(ToolError) {
        if condition() { return }
        var watch = ChildWatch(patience.given(givenBytes), activity)
        while !condition() {
            guard let stall = watch.check(activity) else { continue }
            let seconds = patience.waits / 10
            switch stall {
            case .idle:
                throw fail(.input, "is waited for: nothing has happened for \(seconds) s")
            case .busy:
                throw fail(.failed, "has worked for \(seconds) s and more without giving anything")
            case .endless: throw fail(.failed, "reads and writes without an end")
            }
        }
    }

    /// Ends the child.
    ///
    /// - Returns: an error that names the program, with its place.
    func fail(_ code: ExitCode, _ problem: String) -> ToolError {
        noteGivenUp()
        kill()
        let path = Self.path(of: program) ?? program
        return ToolError(code, "\(path) \(problem). See whether it is \(program): \(path) -version")
    }

    /// Returns the place of a program on the PATH.
    private static func path(of program: String) -> String? {
        let folders = getenv("PATH").map { String(fileName: $0) } ?? "/bin:/usr/bin"
        return folders.split(separator: ":").lazy.map { "\($0)/\(program)" }
            .first { access($0.fileName, X_OK) == 0 }
    }
}

/// A pipe whose ends other children do not inherit.
struct Pipe {
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
