import FileNames
import Glibc

/// Chunks of AVI files: a kind of four bytes, a length of four, and the content, padded to an even length.
package enum AVIChunks {
    /// Returns the number of empty chunks of a video stream, which capture cards write for frames that repeat the one before.
    package static func emptyCount(ofFile path: String, stream: Int) -> Int {
        guard let file = fopen(path.fileName, "r") else { return 0 }
        defer { fclose(file) }
        // `00dc` for compressed frames, `00db` for others.
        let digits = [
            UInt8(ascii: "0") + UInt8(clamping: stream / 10 % 10), UInt8(ascii: "0") + UInt8(stream % 10),
        ]
        let kinds = ["dc", "db"].map { digits + Array($0.utf8) }
        var (place, count) = (0, 0)
        var header = [UInt8](repeating: 0, count: 12)
        while fseeko(file, off_t(place), SEEK_SET) == 0, fread(&header, 1, 12, file) >= 8 {
            let length = header[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
            let (kind, list) = (Array(header[..<4]), String(decoding: header[8...], as: UTF8.self))
            // Lists that hold the chunks; the others are passed over.
            if kind == Array("RIFF".utf8) || kind == Array("LIST".utf8) && ["movi", "rec "].contains(list) {
                place += 12
            } else {
                if length == 0, kinds.contains(kind) { count += 1 }
                place += 8 + length + length % 2
            }
        }
        return count
    }
}
