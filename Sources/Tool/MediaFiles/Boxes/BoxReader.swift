import FileNames
import Glibc

/// Boxes of a file: a length of four bytes, a kind of four, and the content (ISO/IEC 14496-12, 4.2).
struct BoxReader {
    /// A box in memory.
    struct Box {
        let kind: String
        let content: ArraySlice<UInt8>
    }

    /// Maximum length in bytes of a box that is read: the index of a day of video is smaller.
    private static let maximumBytes = 256 << 20

    /// Returns the content of a file's first box of a kind; nil where it has none, or where the file is cut off before it ends.
    static func content(of kind: String, inFile path: String) -> [UInt8]? {
        guard let file = fopen(path.fileName, "r") else { return nil }
        defer { fclose(file) }
        var place = 0
        while let header = bytes(of: file, at: place, count: 16) {
            guard let (found, start, length) = parsedHeader(header[...]) else { return nil }
            // A length of 0 lasts to the end of the file.
            let end = length == 0 ? size(of: file) : place.addingReportingOverflow(length).partialValue
            guard end >= place + start else { return nil }
            if found == kind {
                guard end - place - start <= maximumBytes else { return nil }
                return bytes(of: file, at: place + start, count: end - place - start)
            }
            place = end
        }
        return nil
    }

    /// Returns the boxes of some bytes, as far as they are whole.
    static func boxes(in bytes: ArraySlice<UInt8>) -> [Box] {
        var boxes: [Box] = []
        var rest = bytes
        while let (kind, start, length) = parsedHeader(rest), length >= start, length <= rest.count {
            boxes.append(Box(kind: kind, content: rest.dropFirst(start).prefix(length - start)))
            rest = rest.dropFirst(length)
        }
        return boxes
    }

    /// Returns a whole number of `count` bytes, the highest first; nil where there are fewer bytes.
    static func number(_ bytes: ArraySlice<UInt8>, at offset: Int, count: Int) -> UInt64? {
        let found = bytes.dropFirst(offset).prefix(count)
        return found.count == count ? found.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }

    /// Returns a box's kind, the length of its header, and its whole length.
    private static func parsedHeader(_ bytes: ArraySlice<UInt8>) -> (kind: String, start: Int, length: Int)? {
        guard let length = number(bytes, at: 0, count: 4), bytes.count >= 8 else { return nil }
        let kind = String(decoding: bytes.dropFirst(4).prefix(4), as: UTF8.self)
        guard length == 1 else { return (kind, 8, Int(length)) }
        return number(bytes, at: 8, count: 8).flatMap { Int(exactly: $0) }.map { (kind, 16, $0) }
    }

    private static func size(of file: UnsafeMutablePointer<FILE>) -> Int {
        fseeko(file, 0, SEEK_END) == 0 ? Int(ftello(file)) : 0
    }

    private static func bytes(of file: UnsafeMutablePointer<FILE>, at place: Int, count: Int) -> [UInt8]? {
        guard fseeko(file, off_t(place), SEEK_SET) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let length = fread(&bytes, 1, count, file)
        // A header at the end of the file may be shorter.
        return length == count || count == 16 && length >= 8 ? Array(bytes.prefix(length)) : nil
    }
}
