import CommandKit
import Glibc
import Synchronization
import Threads

/// Messages of an ffmpeg process with `-loglevel repeat+level+warning`.
package struct Diagnostics: Equatable, Sendable {
    package struct Message: Equatable, Sendable {
        /// The part of ffmpeg that has written it, such as `h264`; empty for the program itself.
        package let source: String
        package let isError: Bool
        package let text: String
    }

    /// First messages of each source.
    package private(set) var messages: [Message] = []
    private var counts: [String: Int] = [:]

    /// Messages of a source that are kept: a damaged file can give millions.
    private static let keptMessages = 20

    package init() {}

    /// Adds a line: `[h264 @ 0x55d0] [error] text`.
    package mutating func add(_ line: String) {
        var rest = Substring(line.filter { $0 != "\n" && $0 != "\r\n" && $0 != "\r" })
        var source = ""
        var level = ""
        while rest.first == "[", let end = rest.firstIndex(of: "]") {
            let field = rest[rest.index(after: rest.startIndex)..<end]
            if let at = field.range(" @ ") { source = String(field[..<at]) } else { level = String(field) }
            rest = rest[rest.index(after: end)...].drop { $0 == " " }
        }
        guard !rest.isEmpty else { return }
        let count = counts[source, default: 0]
        counts[source] = count + 1
        guard count < Self.keptMessages else { return }
        messages.append(
            Message(source: source, isError: ["error", "fatal", "panic"].contains(level), text: String(rest)))
    }

    /// Last error of the program itself, or else of a part.
    package var reason: String? {
        let errors = messages.filter { message in
            message.isError && !Self.consequences.contains(where: message.text.hasPrefix)
        }
        return (errors.last { $0.source.isEmpty } ?? errors.last)?.text
    }

    /// Whether the end of a file could not be written, in which case some versions of ffmpeg end with status 0.
    package var hasWriteError: Bool {
        messages.contains { $0.isError && $0.text.hasPrefix("Error writing trailer") }
    }

    /// Beginnings of errors that follow from others and do not say why.
    private static let consequences = [
        "Error initializing output stream", "Could not write header", "Conversion failed",
    ]
}

extension Substring {
    /// Place of a text.
    fileprivate func range(_ text: String) -> Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}

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

/// Divides bytes that come in parts into lines.
struct LineSplitter {
    private var line: [CChar] = []

    /// Bytes of the last line, which has no end yet.
    var restCount: Int { line.count }

    /// Calls `body` with each line that ends in a part; it has its end, and a zero byte after that.
    mutating func add(_ part: UnsafeRawBufferPointer, _ body: (UnsafePointer<CChar>) -> Void) {
        var rest = part[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[...end])
            give(body)
            rest = rest[(end + 1)...]
        }
        append(rest)
    }

    /// Calls `body` with the last line, if it has no end.
    mutating func finish(_ body: (UnsafePointer<CChar>) -> Void) {
        if !line.isEmpty { give(body) }
    }

    private mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) {
        line.append(contentsOf: bytes.lazy.map { CChar(bitPattern: $0) })
    }

    private mutating func give(_ body: (UnsafePointer<CChar>) -> Void) {
        line.append(0)
        line.withUnsafeBufferPointer { if let start = $0.baseAddress { body(start) } }
        line.removeAll(keepingCapacity: true)
    }
}
