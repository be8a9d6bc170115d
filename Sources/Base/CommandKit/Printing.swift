import FileNames
import Files
import Glibc

/// Prints `text` on the standard output, unbuffered.
///
/// - Returns: false when the reader has closed the output, as `head` does, which is not a failure.
/// - Throws: when the output cannot be written for another reason, such as a full disk.
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
public func printDiagnostic(_ line: String, ends terminator: String = "\n") {
    _ = write(line + terminator, to: STDERR_FILENO)
}

/// Writes a text.
///
/// - Returns: 0, or the error (`errno`).
private func write(_ text: String, to descriptor: Int32) -> Int32 {
    // File names are printed as their own bytes.
    text.fileNameBytes.withUnsafeBytes { Descriptor.write($0, to: descriptor) }
}
