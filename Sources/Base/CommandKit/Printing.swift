import CGStreamer
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

extension Double {
    /// Returns the number with so many decimals.
    public func text(decimals: Int) -> String {
        text(format: "%.\(max(0, min(17, decimals)))f")
    }

    /// The number with at most six digits and no zeros at the end.
    public var shortText: String { text(format: "%g") }

    /// Returns the number rounded to so many significant digits.
    public func rounded(digits: Int) -> Double {
        Double(text(format: "%.\(max(1, min(17, digits)))g")) ?? self
    }

    /// The number of seconds as `h:mm:ss`.
    public var clockTime: String {
        // Longer than any work, and short enough to be a whole number.
        let longest = 1e9
        let seconds = Int((isNaN ? 0 : Swift.max(0, Swift.min(longest, self))).rounded())
        let pair = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds / 3600):\(pair(seconds / 60 % 60)):\(pair(seconds % 60))"
    }

    private func text(format: String) -> String {
        // The longest number has 309 digits before the point.
        var buffer = [CChar](repeating: 0, count: 400)
        guard let text = g_ascii_formatd(&buffer, gint(buffer.count), format, self) else { return "" }
        return String(cString: text)
    }
}

extension Duration {
    /// The duration as a number of seconds.
    public var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
