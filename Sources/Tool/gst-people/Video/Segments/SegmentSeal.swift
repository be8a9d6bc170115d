import CGStreamer
import CommandKit
import FileNames
import Glibc
import MediaFiles

/// The seal at the end of a kept segment, by which later runs find whether a byte of it has changed.
enum SegmentSeal {
    /// Appends the seal to a segment that was just made.
    static func append(to path: String) throws(ToolError) {
        guard let bytes = try packet(of: path, count: .max) else { throw FileSystem.unwritable(path) }
        guard let file = fopen(path.fileName, "a") else { throw FileSystem.unwritable(path) }
        let written = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, written == bytes.count else { throw FileSystem.unwritable(path) }
    }

    /// Whether a segment is as it was when it was made.
    ///
    /// - Throws: `ToolError` when a signal asks the program to end.
    static func isIntact(_ path: String) throws(ToolError) -> Bool {
        let length = NUTSeal.packet(digits(of: "")).count
        var status = stat()
        guard stat(path.fileName, &status) == 0, Int(status.st_size) > length else { return false }
        let count = Int(status.st_size) - length
        guard let expected = try packet(of: path, count: count) else { return false }
        return end(of: path, from: count) == expected
    }

    /// Returns the seal of the first bytes of a file; nil where it cannot be read.
    private static func packet(of path: String, count: Int) throws(ToolError) -> [UInt8]? {
        guard let file = fopen(path.fileName, "r") else { return nil }
        defer { fclose(file) }
        guard let checksum = g_checksum_new(G_CHECKSUM_SHA256) else { return nil }
        defer { g_checksum_free(checksum) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var rest = count
        while rest > 0 {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
            let length = fread(&bytes, 1, min(bytes.count, rest), file)
            guard length > 0 else { break }
            g_checksum_update(checksum, bytes, gssize(length))
            rest -= length
        }
        guard ferror(file) == 0, let text = g_checksum_get_string(checksum) else { return nil }
        return NUTSeal.packet(String(cString: text))
    }

    private static func end(of path: String, from place: Int) -> [UInt8] {
        guard let file = fopen(path.fileName, "r") else { return [] }
        defer { fclose(file) }
        guard fseek(file, place, SEEK_SET) == 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let length = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(length))
    }

    /// Returns the SHA-256 of a text, in hexadecimal digits.
    static func digits(of text: String) -> String {
        guard let digits = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1) else { return "" }
        defer { g_free(digits) }
        return String(cString: digits)
    }
}
