import CommandKit
import FileNames
import Files
import Glibc

/// A temporary file without a name, which is removed when the process ends, in whatever way.
final class UnnamedFile: Sendable {
    let descriptor: Int32
    /// A path by which this program and its children can open the file.
    var path: String { "/proc/\(getpid())/fd/\(descriptor)" }

    /// Makes an empty file in `$TMPDIR`, or in `/var/tmp`, which is on a disk.
    init() throws(ToolError) {
        let folder = getenv("TMPDIR").map { String(fileName: $0) } ?? "/var/tmp"
        var name = "\(folder)/gst-people-XXXXXX".fileName
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else {
            throw ToolError(
                .output, "\(folder) cannot hold a temporary file: \(String(cString: strerror(errno))).")
        }
        unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Appends all data from a descriptor.
    ///
    /// - Parameters:
    ///   - name: name of the source in messages.
    ///   - program: the program that sends the data, for messages.
    /// - Throws: `ToolError` after a signal, after half a minute without data, for data that begin with a megabyte of one value, which
    ///   no video does, and before a long input fills the disk.
    func append(
        from source: Int32, named name: String, sentBy program: String? = nil
    ) throws(ToolError) {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var (length, beginning) = (0, Beginning())
        while try Self.wait(for: source, name, program) {
            let count = read(source, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw Self.unreadable(name, String(cString: strerror(errno))) }
            if count == 0 { return }
            beginning.add(bytes[..<count])
            guard beginning.repeated < Self.longestRepetition else {
                throw Self.unreadable(name, "\(program ?? "it") sends nothing but one value, again and again")
            }
            try write(bytes[..<count], to: descriptor, "the temporary file")
            length += count
            guard length < Self.longInput || hasSpace else {
                throw ToolError(
                    .output,
                    "\(name) has more than \(length >> 30) GB and would fill the disk of the temporary file: end it by --end, "
                        + "or name a larger folder in TMPDIR.")
            }
        }
    }

    /// Number of bytes of one value at the beginning from which data are no video.
    private static let longestRepetition = 1 << 20
    /// Number of bytes from which an input may be without end.
    private static let longInput = 1 << 30
    /// Number of bytes that a long input leaves to other programs.
    private static let reserve: UInt = 256 << 20

    /// Whether the disk has more than the reserve.
    private var hasSpace: Bool {
        var disk = statvfs()
        return fstatvfs(descriptor, &disk) != 0 || disk.f_bavail > Self.reserve / max(1, disk.f_frsize)
    }

    /// Appends a text.
    func append(_ text: String) throws(ToolError) {
        try write(Array(text.utf8)[...], to: descriptor, "the temporary file")
    }

    /// Removes the contents.
    func clear() throws(ToolError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw ToolError(
                .output, "the temporary file cannot be written: \(String(cString: strerror(errno))).")
        }
    }

    /// Copies the contents to the standard output.
    func copyToStandardOutput() throws(ToolError) {
        var (bytes, place) = ([UInt8](repeating: 0, count: 1 << 20), 0)
        while true {
            let count = pread(descriptor, &bytes, bytes.count, place)
            guard count > 0 else { break }
            try write(bytes[..<count], to: STDOUT_FILENO, "the standard output")
            place += count
        }
    }

    /// Waits for data.
    ///
    /// - Returns: always true; throws after a signal, and after half a minute without data.
    private static func wait(
        for source: Int32, _ name: String, _ program: String?
    ) throws(ToolError) -> Bool {
        let (step, limit): (Int32, Int32) = (100, 30_000)
        var waited: Int32 = 0
        var request = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, step) <= 0 {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
            waited += step
            if waited >= limit {
                throw unreadable(name, "nothing came \(program.map { "from \($0) " } ?? "")for 30 s")
            }
        }
        return true
    }

    private func write(_ bytes: ArraySlice<UInt8>, to target: Int32, _ name: String) throws(ToolError) {
        if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
        let error = bytes.withUnsafeBytes { Descriptor.write($0, to: target) }
        guard error == 0 else {
            throw ToolError(.output, "\(name) cannot be written: \(String(cString: strerror(error))).")
        }
    }

    private static func unreadable(_ name: String, _ reason: String) -> ToolError {
        ToolError(.input, "\(name) cannot be read: \(reason).")
    }
}

/// The beginning of data.
private struct Beginning {
    /// Number of bytes before the first one that differs from those before it.
    private(set) var repeated = 0
    private var value: UInt8?
    private var isOver = false

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        guard !isOver, let first = value ?? bytes.first else { return }
        value = first
        isOver = bytes.contains { $0 != first }
        if !isOver { repeated += bytes.count }
    }
}
