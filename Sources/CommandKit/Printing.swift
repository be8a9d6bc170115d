import FileNames
import Glibc

/// Prints `text` on the standard output at once.
///
/// - Returns: false when the reader has gone away, as `head` does, which is no failure.
/// - Throws: when it cannot be written for another reason, such as a full disk.
@discardableResult
public func printText(_ text: String) throws(ToolError) -> Bool {
    switch write(text, to: STDOUT_FILENO) {
    case 0: return true
    case EPIPE: return false
    case let number:
        throw ToolError(
            .output, "the standard output cannot be written: \(String(cString: strerror(number)))")
    }
}

/// Prints a line on the standard error output.
public func complain(_ line: String, ends terminator: String = "\n") {
    _ = write(line + terminator, to: STDERR_FILENO)
}

/// - Returns: 0, or what went wrong (`errno`).
private func write(_ text: String, to descriptor: Int32) -> Int32 {
    // Names of files are printed as the bytes that they are.
    text.fileNameBytes.withUnsafeBufferPointer { bytes in
        var done = 0
        while done < bytes.count {
            let written = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
            guard written >= 0 || errno == EINTR else { return errno }
            done += max(0, written)
        }
        return 0
    }
}
