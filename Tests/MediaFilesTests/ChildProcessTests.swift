import CommandKit
import Foundation
import MediaFiles
import Testing

/// Programs that are called like ffmpeg and do something else: the wait for them ends.
final class ChildProcessTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "child-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // As the tool does: a program that takes no more is an error, no signal.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns the place of a shell script.
    private func program(_ script: String) throws -> String {
        let file = folder.appending(path: "ffmpeg")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return file.path
    }

    private static let patience = ChildWatch.Patience(waits: 5, processorTime: 100_000_000)

    private static let silent = [
        "exec sleep 1000", "sleep 1000", "while :; do sleep 1; done", "exec >&- 2>&- <&-; sleep 1000",
    ]

    private func failure(_ body: () throws(ToolError) -> Void) -> ToolError? {
        do throws(ToolError) { try body() } catch { return error }
        return nil
    }

    @Test(arguments: silent) func givesUpAProgramThatDoesNothing(_ script: String) throws {
        let path = try program(script)
        let child = try ChildProcess(path, [], pipes: .output)
        let error = failure { () throws(ToolError) in
            var bytes = [UInt8](repeating: 0, count: 16)
            var (count, problem): (Int, ToolError?) = (0, nil)
            bytes.withUnsafeMutableBytes { bytes in
                do throws(ToolError) { count = try child.read(into: bytes, Self.patience) } catch {
                    problem = error
                }
            }
            if let problem { throw problem }
            // It has closed its output.
            #expect(count == 0)
            try child.finish(Self.patience)
        }
        #expect(error?.code == .input)
        #expect(error?.message.contains(path) == true, "\(String(describing: error))")
        child.stop()
    }

    @Test func givesUpAProgramThatWorksAndGivesNothing() throws {
        let path = try program("while :; do :; done")
        let child = try ChildProcess(path, [], pipes: [])
        let error = failure { () throws(ToolError) in try child.finish(Self.patience) }
        #expect(
            error?.code == .failed && error?.message.contains(path) == true, "\(String(describing: error))")
    }

    /// The first takes nothing, the others take all: none of them ends by itself.
    @Test(arguments: [
        "while :; do :; done", "cat /dev/zero >/dev/null", "cat >/dev/null; while :; do :; done",
        "cat >/dev/null; cat /dev/zero >/dev/null",
    ])
    func givesUpAProgramThatDoesNotEnd(_ script: String) throws {
        let path = try program(script)
        let child = try ChildProcess(path, [], pipes: [.input, .output])
        let patience = ChildWatch.Patience(waits: 5, processorTime: 100_000_000, transferredBytes: 1 << 30)
        let error = failure { () throws(ToolError) in
            _ = try child.write([UInt8](repeating: 0, count: 1 << 22), patience)
            child.closeInput()
            try child.finish(patience)
        }
        #expect(
            error?.code == .failed && error?.message.contains(path) == true, "\(String(describing: error))")
        #expect(child.isGivenUp)
        child.stop()
    }

    /// A program's limit of what it reads and writes grows with what it is given.
    @Test func takesAllThatItIsGiven() throws {
        let child = try ChildProcess(try program("cat >/dev/null"), [], pipes: .input)
        let patience = ChildWatch.Patience(waits: 300, processorTime: .max, transferredBytes: 1 << 20)
        for _ in 0..<64 { #expect(try child.write([UInt8](repeating: 0, count: 1 << 20), patience)) }
        child.closeInput()
        #expect(try child.finish(patience))
    }

    @Test func tellsThatAProgramTakesNoMore() throws {
        let child = try ChildProcess(try program("exit 0"), [], pipes: .input)
        #expect(try child.finish())
        #expect(try child.write([1], Self.patience) == false)
        #expect(!child.isGivenUp)
    }

    @Test(arguments: ["cat /dev/zero", "cat /dev/urandom", "yes"])
    func readsNoFramesInOtherBytes(_ script: String) throws {
        let child = try ChildProcess(try program(script), [], pipes: .output)
        let error = failure { () throws(ToolError) in _ = try NUTReader.open(child) }
        #expect(error?.message.contains("ffmpeg") == true)
    }

    /// Messages without an end, or of one endless line, end with the program that is not read any longer.
    @Test func readsNoEndlessMessage() throws {
        let child = try ChildProcess(try program("exec cat /dev/zero >&2"), [], pipes: [])
        #expect(try child.finish() == false)
        #expect(child.diagnostics == Diagnostics())
    }

    /// A script's programs end with it.
    @Test func endsAllThatAScriptHasStarted() throws {
        let mark = folder.appending(path: "started").path
        let child = try ChildProcess(
            try program("sleep 1000 & echo $! >'\(mark)'; wait"), [], pipes: [.input, .output])
        var started: pid_t?
        while started == nil {
            started = (try? String(contentsOfFile: mark, encoding: .utf8)).flatMap {
                $0.hasSuffix("\n") ? pid_t($0.dropLast()) : nil
            }
            usleep(1000)
        }
        let process = try #require(started)
        #expect(kill(process, 0) == 0)
        child.stop()
        // What reaps it is another process: until then it is a zombie.
        while kill(process, 0) == 0, state(of: process) != "Z" { usleep(1000) }
    }

    private func state(of process: pid_t) -> Substring? {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return text?.split(separator: ")").last?.split(separator: " ").first
    }

    @Test func hasItsOutputAndMessages() throws {
        let child = try ChildProcess(
            try program("printf 'text'; echo '[error] reason' >&2; exit 3"), [], pipes: .output)
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = try bytes.withUnsafeMutableBytes { try child.read(into: $0) }
        #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "text")
        #expect(try child.finish() == false)
        #expect(child.diagnostics.reason == "reason")
    }
}

/// Waits of a tenth of a second, and what a child has done in each.
struct ChildWatchTests {
    /// Returns the wait in which a child is given up, and why; nil if it is not within an hour.
    private func end(
        _ patience: ChildWatch.Patience = .reading, processorTime: Int64, bytes: Int64,
        every interval: Int = 1, hours: Int = 1
    ) -> (waits: Int, ChildWatch.Stall)? {
        var activity = ChildActivity()
        var watch = ChildWatch(patience, activity)
        for wait in 1...36_000 * hours {
            if wait % interval == 0 {
                activity.processorTime += processorTime
                activity.transferredBytes += bytes
            }
            if let stall = watch.check(activity) { return (wait, stall) }
        }
        return nil
    }

    private static let millisecond: Int64 = 1_000_000

    @Test func givesUpAfterHalfAMinuteWithoutWork() throws {
        let (waits, stall) = try #require(end(processorTime: 0, bytes: 0))
        #expect(waits == 300 && stall == .idle)
        // ffmpeg that waits, and a shell that starts `sleep` each second.
        #expect(end(processorTime: Self.millisecond, bytes: 0)?.waits == 300)
        #expect(end(processorTime: 5 * Self.millisecond, bytes: 5000, every: 10)?.waits == 300)
    }

    @Test func waitsForSlowPrograms() {
        // A slow disk, one that gives a block each ten seconds, and one that reads and computes all the time.
        #expect(end(processorTime: 0, bytes: 2000) == nil)
        #expect(end(processorTime: 0, bytes: 1 << 20, every: 100) == nil)
        #expect(end(processorTime: 100 * Self.millisecond, bytes: 4096) == nil)
    }

    @Test func givesUpWorkThatGivesNothing() throws {
        let (waits, stall) = try #require(end(processorTime: 100 * Self.millisecond, bytes: 0))
        #expect(waits == 300 && stall == .busy)
        // On many processors the wait is as long; on a share of one it is longer; encoders have more time.
        #expect(end(processorTime: 6400 * Self.millisecond, bytes: 0)?.waits == 300)
        #expect(end(processorTime: 10 * Self.millisecond, bytes: 0)?.waits == 3000)
    }

    /// The larger its frames, the more an encoder may compute: one core for 30 s, and for two hours with frames of 8K.
    @Test(arguments: [(15_360, 300), (2_073_600, 4666), (33_177_600, 74650)] as [(Int, Int)])
    func encodersOfLargeFramesHaveMoreTime(_ pixels: Int, _ waits: Int) {
        let patience = ChildWatch.Patience.encoding(pixels: pixels, reading: 0)
        let found = end(patience, processorTime: 100 * Self.millisecond, bytes: 0, hours: 3)
        #expect(found?.waits == waits && found?.1 == .busy, "\(String(describing: found))")
    }

    @Test func encodersReadAndWriteNoMoreThanThereIs() {
        let patience = ChildWatch.Patience.encoding(pixels: 160 * 96, reading: 1 << 30)
        // Five times 2^30 bytes.
        let found = end(patience, processorTime: Self.millisecond, bytes: 1 << 28)
        #expect(found?.waits == 21 && found?.1 == .endless, "\(String(describing: found))")
    }
}
