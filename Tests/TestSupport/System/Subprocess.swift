public import Foundation

/// The result of a program that ran to its end, or was killed at its time limit.
public struct Subprocess {
    /// The exit status; 128 plus the signal's number when a signal ended it.
    public let status: Int32
    /// Standard output and standard error, in their order.
    public let output: String

    /// Whether a signal ended the program: a crash, or the time limit.
    public var died: Bool { status > 128 }

    /// Runs `program` with the isolated environment of the tests.
    ///
    /// - Parameters:
    ///   - environment: changes of that environment; nil removes a variable.
    ///   - limit: seconds after which the program is killed.
    public static func run(
        _ program: String, _ arguments: [String], environment: [String: String?] = [:],
        directory: URL? = nil, limit: TimeInterval = Patience.program
    ) throws -> Subprocess {
        let running = try RunningProcess(program, arguments, environment: environment, directory: directory)
        return running.finish(within: limit)
    }

    /// Runs a pipeline description with `gst-launch-1.0`.
    ///
    /// gst-launch (1.22 to 1.28) waits for ever if an error comes before its main loop has begun; it is
    /// interrupted then, and ends with the status of the error.
    ///
    /// - Parameter prefix: the words of a command that starts it, such as `prlimit`.
    public static func launch(
        _ line: String, prefix: [String] = [], environment: [String: String?] = [:], directory: URL? = nil,
        limit: TimeInterval = Patience.program
    ) throws -> Subprocess {
        let command = prefix + ["gst-launch-1.0", "-q"] + words(line)
        let running = try RunningProcess(
            command[0], Array(command.dropFirst()), environment: environment, directory: directory)
        if running.wait(limit: limit, until: { running.output.contains("doesn't want to preroll") }) {
            running.wait(limit: 10) { !running.isRunning }
            if running.isRunning { running.interrupt() }
        }
        return running.finish(within: limit)
    }

    /// Returns the words of a pipeline description as a shell would pass them to `gst-launch-1.0`; without
    /// quoting.
    static func words(_ line: String) -> [String] {
        line.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}

/// A running program; it is killed when this object is released.
public final class RunningProcess {
    private let process = Process()
    private let scratch: Scratch
    private let log: URL
    private let ended = DispatchSemaphore(value: 0)

    /// Starts `program`, found on the PATH, with the isolated environment of the tests.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String?] = [:],
        directory: URL? = nil
    ) throws {
        scratch = try Scratch()
        // A file never fills up like a pipe, which would stop the writer.
        log = scratch.url.appendingPathComponent("output")
        try Data().write(to: log)
        let handle = try FileHandle(forWritingTo: log)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = IsolatedEnvironment.variables(changing: environment)
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        process.terminationHandler = { [ended] _ in ended.signal() }
        try withoutBlockedSignals { try process.run() }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Whether the program is still running.
    public var isRunning: Bool { process.isRunning }

    /// The output until now.
    public var output: String {
        (try? Data(contentsOf: log)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Waits until `condition` is true, the program has ended, or the limit has passed.
    ///
    /// - Returns: whether the condition is true.
    @discardableResult
    public func wait(limit: TimeInterval = Patience.program, until condition: () throws -> Bool) rethrows
        -> Bool
    {
        let end = Date(timeIntervalSinceNow: limit)
        while try !condition() {
            guard isRunning, Date() < end else { return try condition() }
            usleep(20_000)
        }
        return true
    }

    /// Suspends the program.
    public func halt() { _ = process.suspend() }

    /// Resumes a suspended program.
    public func goOn() { _ = process.resume() }

    /// Asks the program to end, as Control-C does.
    public func interrupt() { process.interrupt() }

    /// Waits for the program's end; kills it after `limit` seconds.
    public func finish(within limit: TimeInterval = Patience.program) -> Subprocess {
        if ended.wait(timeout: .now() + limit) == .timedOut {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
        }
        let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
        return Subprocess(status: signal + process.terminationStatus, output: output)
    }
}

/// Runs `body` with all signals unblocked, for a child that inherits this; threads of a test runner block
/// signals.
private func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
}
