import CommandKit
import Glibc
import Synchronization
import Threads

/// Reads the messages of a child on a thread of its own, and then waits for the child's end.
final class MessageReader: Sendable {
    private let found = MessageStore()
    private let thread: BackgroundThread?
    /// The reading end of a pipe that the thread closes at its end.
    private let end: Int32

    /// - Parameters:
    ///   - descriptor: the reading end of the pipe of the messages, which is closed when they end.
    ///   - child: the process, which is left to be reaped.
    ///   - ending: a pipe of the reader's own.
    init(_ descriptor: Int32, of child: pid_t, ending: Pipe) {
        end = ending.reading
        thread = BackgroundThread { [found] in
            found.read(descriptor)
            var information = siginfo_t()
            while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            ending.closeWriting()
        }
        if thread == nil {
            close(descriptor)
            ending.closeWriting()
        }
    }

    deinit { close(end) }

    /// Messages until now.
    var diagnostics: Diagnostics { found.diagnostics }

    /// Waits for the end of the messages and of the child.
    ///
    /// - Parameter milliseconds: maximum of the wait.
    /// - Returns: whether both have come.
    func hasEnded(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }
}

/// Messages until now, which a thread adds to.
private final class MessageStore: Sendable {
    private let found = Mutex(Diagnostics())

    var diagnostics: Diagnostics { found.withLock { $0 } }

    /// Reads lines to the end, and closes the descriptor.
    ///
    /// A program that writes more than any file makes ffmpeg write is not listened to any longer.
    func read(_ descriptor: Int32) {
        defer { close(descriptor) }
        let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { part.deallocate() }
        var (lines, count) = (LineSplitter(), 0)
        while lines.restCount <= Self.maximumLineBytes, count < Self.maximumCount {
            let size = Glibc.read(descriptor, part.baseAddress, part.count)
            if size < 0, errno == EINTR { continue }
            guard size > 0 else { break }
            lines.add(UnsafeRawBufferPointer(rebasing: part[..<size])) { line in
                let text = String(cString: line)
                found.withLock { $0.add(text) }
                count += 1
            }
        }
        lines.finish { line in
            let text = String(cString: line)
            found.withLock { $0.add(text) }
        }
    }

    /// More than any message of ffmpeg, whose lines have 1024 bytes at most and the names of files.
    private static let maximumLineBytes = 1 << 20
    /// Twenty messages for each frame of ten hours.
    private static let maximumCount = 20_000_000
}
