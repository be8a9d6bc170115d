public import Foundation

/// A program that ran to its end, or was stopped because it did not end.
public struct Subprocess {
    /// The exit status; 128 plus the signal's number when a signal ended it.
    public let status: Int32
    /// Standard output and standard error, as they came.
    public let output: String

    /// True when a signal ended the program: a crash, or the time limit.
    public var died: Bool { status > 128 }

    /// Runs `program` with the isolated environment of the tests.
    ///
    /// - Parameters:
    ///   - environment: changes to that environment; nil removes a variable.
    ///   - limit: seconds until the program is taken for hung and killed.
    public static func run(
        _ program: String, _ arguments: [String], environment: [String: String?] = [:],
        directory: URL? = nil, limit: TimeInterval = Patience.program
    ) throws -> Subprocess {
        let running = try RunningProcess(program, arguments, environment: environment, directory: directory)
        return running.finish(within: limit)
    }

    /// Runs a pipeline description with `gst-launch-1.0`.
    public static func launch(
        _ line: String, environment: [String: String?] = [:], directory: URL? = nil,
        limit: TimeInterval = Patience.program
    ) throws -> Subprocess {
        try run(
            "gst-launch-1.0", ["-q"] + words(line), environment: environment, directory: directory,
            limit: limit)
    }

    /// The words of a pipeline description as a shell would give them to `gst-launch-1.0`; no quoting.
    static func words(_ line: String) -> [String] {
        line.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}

/// A program that is running; it is killed when this goes.
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
        // A file, unlike a pipe, never fills up and stops the writer.
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

    /// True until the program has ended.
    public var isRunning: Bool { process.isRunning }

    /// What it has written until now.
    public var output: String {
        (try? Data(contentsOf: log)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Waits until `condition` holds, the program has ended, or it is taken for hung.
    ///
    /// - Returns: whether the condition holds.
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

    /// Halts the program until it is told to go on.
    public func halt() { _ = process.suspend() }

    /// Lets a halted program go on.
    public func goOn() { _ = process.resume() }

    /// Asks the program to end, as Control-C does.
    public func interrupt() { process.interrupt() }

    /// Waits for the end; kills the program after `limit` seconds.
    public func finish(within limit: TimeInterval = Patience.program) -> Subprocess {
        if ended.wait(timeout: .now() + limit) == .timedOut {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
        }
        let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
        return Subprocess(status: signal + process.terminationStatus, output: output)
    }
}

/// Runs `body` with all signals let through, as a child inherits it: threads of a test runner block them.
private func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
}
