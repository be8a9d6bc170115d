package import CommandKit
import FileNames
import Glibc

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
