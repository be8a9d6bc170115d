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
    /// Kinds of the boxes in the sample entries of video, such as `hvcC`.
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
        properties = Set(
            (entries ?? []).flatMap { entry in
                BoxReader.boxes(in: entry.content.dropFirst(Self.visualEntryBytes)).map(\.kind)
            })
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
