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

/// A track of MP4 or QuickTime, as its boxes describe it: what ffprobe does not tell.
///
/// The boxes are those of ISO/IEC 14496-12.
package struct MovieTrack: Sendable {
    /// A part of the track's media, one after the other as the file is played.
    package struct Edit: Sendable, Equatable {
        /// Length in seconds.
        package let duration: Double
        /// Beginning in ticks of the media; nil for a time in which nothing is presented.
        package let start: Int?
    }

    /// The number of the track, as ffprobe's `id` has it.
    package let id: Int
    /// Ticks of the media in a second.
    package let timescale: Int
    /// The edits; empty where the whole media is presented.
    package let edits: [Edit]
    /// Kinds of the sample entries, such as `avc1`; `encv` and `enca` are encrypted.
    package let entries: [String]
    /// Kinds of the boxes in the sample entries of video, such as `hvcC`, and of those in `vexu`, which tells what the views are.
    package let properties: Set<String>

    /// Whether the samples are encrypted (ISO/IEC 23001-7).
    package var isEncrypted: Bool { entries.contains { ["encv", "enca"].contains($0) } }

    /// Whether more than one part of the media is presented, or media after a pause.
    package var isCut: Bool { edits.filter { $0.start != nil }.count > 1 }

    /// Returns the tracks of a file; none where it is of another kind.
    package static func all(ofFile path: String) -> [MovieTrack] {
        guard let content = BoxReader.content(of: "moov", inFile: path) else { return [] }
        let movie = BoxReader.boxes(in: content[...])
        let header = movie.first { $0.kind == "mvhd" }?.content ?? []
        guard let timescale = Self.timescale(header), timescale > 0 else { return [] }
        return movie.filter { $0.kind == "trak" }.compactMap {
            MovieTrack(BoxReader.boxes(in: $0.content), movieTimescale: timescale)
        }
    }

    private init?(_ boxes: [BoxReader.Box], movieTimescale: Int) {
        func inside(_ path: String..., of boxes: [BoxReader.Box]) -> ArraySlice<UInt8>? {
            var (boxes, content) = (boxes, ArraySlice<UInt8>?.none)
            for kind in path {
                content = boxes.first { $0.kind == kind }?.content
                guard let content else { return nil }
                boxes = BoxReader.boxes(in: content)
            }
            return content
        }
        guard let header = inside("tkhd", of: boxes),
            let id = BoxReader.number(header, at: Self.isLong(header) ? 20 : 12, count: 4),
            let media = inside("mdia", "mdhd", of: boxes), let timescale = Self.timescale(media),
            timescale > 0
        else { return nil }
        (self.id, self.timescale) = (Int(id), timescale)
        edits = inside("edts", "elst", of: boxes).map { Self.edits($0, movieTimescale) } ?? []
        let entries = inside("mdia", "minf", "stbl", "stsd", of: boxes).map {
            BoxReader.boxes(in: $0.dropFirst(8))
        }
        self.entries = entries?.map(\.kind) ?? []
        let own = (entries ?? []).flatMap {
            BoxReader.boxes(in: $0.content.dropFirst(Self.visualEntryBytes))
        }
        let views = own.filter { $0.kind == "vexu" }.flatMap { BoxReader.boxes(in: $0.content) }
        properties = Set((own + views).map(\.kind))
    }

    /// Bytes of a visual sample entry before its boxes (ISO/IEC 14496-12, 12.1.3).
    private static let visualEntryBytes = 78

    /// Whether a box of version 1 has times of eight bytes.
    private static func isLong(_ header: ArraySlice<UInt8>) -> Bool { header.first == 1 }

    private static func timescale(_ header: ArraySlice<UInt8>) -> Int? {
        BoxReader.number(header, at: isLong(header) ? 20 : 12, count: 4).map { Int($0) }
    }

    private static func edits(_ list: ArraySlice<UInt8>, _ timescale: Int) -> [Edit] {
        let (count, bytes) = (BoxReader.number(list, at: 4, count: 4) ?? 0, isLong(list) ? 8 : 4)
        let length = 2 * bytes + 4
        return (0..<min(Int(count), list.count / length)).compactMap { index in
            let place = 8 + index * length
            guard let duration = BoxReader.number(list, at: place, count: bytes),
                let start = BoxReader.number(list, at: place + bytes, count: bytes)
            else { return nil }
            let isEmpty = start == (bytes == 8 ? UInt64.max : UInt64(UInt32.max))
            return Edit(
                duration: Double(duration) / Double(timescale), start: isEmpty ? nil : Int(exactly: start))
        }
    }
}

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
