import Glibc

/// The header of an MP4 or QuickTime video: its box `moov`, of which metadata is read and changed (ISO/IEC 14496-12).
///
/// GStreamer's muxers write the time of their own work as that of the recording, and its demuxers pass neither the place of
/// recording on nor chapters.
struct MovieBoxes {
    private let path: String
    private let offset: Int
    private var header: [UInt8]
    /// What follows, up to the end; nil where that are frames, whose places in the file the header tells.
    private let rest: [UInt8]?

    /// Longer headers are not read; that of ten hours takes some ten megabytes.
    private static let maximumBytes = 256 << 20

    /// Nil for other files.
    init?(of path: String) {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        guard fseek(file, 0, SEEK_END) == 0 else { return nil }
        let length = ftell(file)
        var place = 0
        while let box = Self.box(at: place, in: file, length), !(place == 0 && box.type != "ftyp") {
            guard box.type == "moov" else {
                place = box.end
                continue
            }
            guard let bytes = Self.bytes(from: place, to: box.end, in: file),
                Self.number(bytes, 0, 4) == UInt64(bytes.count)
            else { return nil }
            (self.path, offset, header) = (path, place, bytes)
            rest = Self.rest(behind: box, in: file, length)
            return
        }
        return nil
    }

    private static func rest(behind box: Box, in file: UnsafeMutablePointer<FILE>, _ length: Int) -> [UInt8]?
    {
        var place = box.end
        while place < length {
            guard let box = Self.box(at: place, in: file, length), !["mdat", "moof"].contains(box.type) else {
                return nil
            }
            place = box.end
        }
        return bytes(from: box.end, to: length, in: file)
    }

    private static func bytes(from start: Int, to end: Int, in file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
        guard end - start <= maximumBytes, fseek(file, start, SEEK_SET) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: end - start)
        return fread(&bytes, 1, bytes.count, file) == bytes.count ? bytes : nil
    }

    /// Writes the header back, and what follows.
    func write() -> Bool {
        guard let file = fopen(path, "r+b") else { return false }
        let bytes = header + (rest ?? [])
        let isWritten =
            fseek(file, offset, SEEK_SET) == 0 && fwrite(bytes, 1, bytes.count, file) == bytes.count
        return fclose(file) == 0 && isWritten
    }

    // MARK: - Dates

    /// From 1904, where the format's time begins, to 1970.
    private static let epoch: Int64 = 2_082_844_800

    /// When the video was made, in seconds since 1970; nil where it does not say.
    var created: Int64? {
        guard let box = top.first(where: { $0.type == "mvhd" }), box.body < box.end else { return nil }
        let time = Self.number(header, box.body + 4, header[box.body] == 1 ? 8 : 4)
        return time.flatMap { $0 == 0 ? nil : Int64(clamping: $0) - Self.epoch }
    }

    /// Says when the video was recorded, in seconds since 1970.
    mutating func setCreated(_ time: Int64) {
        let value = UInt64(clamping: time + Self.epoch)
        let tracks = top.filter { $0.type == "trak" }
        let inTracks = tracks.flatMap { track in
            boxes(in: track).flatMap { $0.type == "mdia" ? boxes(in: $0) : [$0] }
        }
        for box in top + inTracks where ["mvhd", "tkhd", "mdhd"].contains(box.type) {
            guard box.body < box.end else { continue }
            let size = header[box.body] == 1 ? 8 : 4
            guard box.body + 4 + size <= box.end, size == 8 || value <= UInt32.max else { continue }
            for byte in 0..<size {
                header[box.body + 4 + byte] = UInt8(
                    truncatingIfNeeded: value >> (8 * UInt64(size - 1 - byte)))
            }
        }
    }

    // MARK: - Boxes of users

    /// Where something was recorded, as phones (`©xyz`) and 3GPP (`loci`) write it.
    var places: [[UInt8]] { userBoxes(["\u{a9}xyz", "loci"]) }
    /// Chapters, as Nero wrote them.
    var chapters: [[UInt8]] { userBoxes(["chpl"]) }
    /// QuickTime's own metadata: keys such as `com.apple.quicktime.creationdate`, `make` and `location.ISO6709`.
    var keys: [[UInt8]] { top.filter { $0.type == "meta" }.map(bytes) }

    var hasChapters: Bool { !chapters.isEmpty || hasChapterTrack }

    /// Whether a track of text holds chapters, as QuickTime keeps them.
    private var hasChapterTrack: Bool {
        top.filter { $0.type == "trak" }.contains { track in
            boxes(in: track).filter { $0.type == "tref" }
                .contains { boxes(in: $0).contains { $0.type == "chap" } }
        }
    }

    /// Adds boxes to the metadata of users, and others behind it.
    ///
    /// - Returns: false where the header cannot become longer.
    mutating func add(user: [[UInt8]], behind others: [[UInt8]]) -> Bool {
        guard rest != nil else { return false }
        let added = user.flatMap { $0 }
        if let box = top.first(where: { $0.type == "udta" }) {
            // Some end with four zero bytes, behind which nothing is read.
            let end = boxes(in: box).last?.end ?? box.body
            header.replaceSubrange(end..<box.end, with: added)
            Self.put(end - box.start + added.count, in: &header, at: box.start)
        } else if !added.isEmpty {
            header += Self.size(added.count + 8) + Array("udta".utf8) + added
        }
        header += others.flatMap { $0 }
        Self.put(header.count, in: &header, at: 0)
        return true
    }

    private func userBoxes(_ types: [String]) -> [[UInt8]] {
        top.filter { $0.type == "udta" }.flatMap { boxes(in: $0) }
            .filter { types.contains($0.type) }.map(bytes)
    }

    // MARK: - Bytes

    private struct Box {
        /// In Latin 1.
        let type: String
        let start, body, end: Int
    }

    private func bytes(_ box: Box) -> [UInt8] { Array(header[box.start..<box.end]) }

    /// Those of the header itself.
    private var top: [Box] { boxes(from: 8, to: header.count) }
    private func boxes(in box: Box) -> [Box] { boxes(from: box.body, to: box.end) }

    private func boxes(from start: Int, to end: Int) -> [Box] {
        var (place, found) = (start, [Box]())
        while place + 8 <= end, let size = Self.number(header, place, 4).map({ Int($0) }), size >= 8,
            size <= end - place
        {
            let type = Self.text(header[place + 4..<place + 8])
            found.append(Box(type: type, start: place, body: place + 8, end: place + size))
            place += size
        }
        return found
    }

    /// A box of the file.
    private static func box(at place: Int, in file: UnsafeMutablePointer<FILE>, _ length: Int) -> Box? {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard place >= 0, place + 8 <= length, fseek(file, place, SEEK_SET) == 0,
            fread(&bytes, 1, 16, file) >= 8, let short = number(bytes, 0, 4)
        else { return nil }
        // 1: the size follows as 64 bits; 0: to the end.
        let size = short == 1 ? number(bytes, 8, 8) ?? 0 : short == 0 ? UInt64(length - place) : short
        guard size >= 8, size <= UInt64(length - place) else { return nil }
        return Box(type: text(bytes[4..<8]), start: place, body: place + 8, end: place + Int(size))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> UInt64? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func size(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func put(_ value: Int, in bytes: inout [UInt8], at place: Int) {
        bytes.replaceSubrange(place..<place + 4, with: size(value))
    }
}
