/// Texts of IPTC (IIM version 4.2) in a picture, in the block of resources that Photoshop writes.
///
/// Other resources of the block are left out, because one is a thumbnail.
struct IPTCRecords {
    /// The block, with the texts only; nil where there are none.
    let block: [UInt8]?
    /// Whether a picture was left out.
    let lostPicture: Bool

    private static let header = Array("Photoshop 3.0\0".utf8)
    private static let mark = Array("8BIM".utf8)
    /// Numbers of the resources: texts of IPTC, and thumbnails of two kinds.
    private static let (texts, thumbnails) = (0x0404, [0x0409, 0x040c])

    init(_ bytes: [UInt8]) {
        let resources = bytes.first == 0x1c ? [(id: Self.texts, data: bytes)] : Self.resources(of: bytes)
        let all = resources.filter { $0.id == Self.texts }.flatMap { Self.dataSets(of: $0.data) }
        let kept = all.filter { !$0.isPicture }.flatMap { $0.bytes }
        lostPicture =
            all.contains { $0.isPicture } || resources.contains { Self.thumbnails.contains($0.id) }
        guard !kept.isEmpty else {
            block = nil
            return
        }
        let name: [UInt8] = [UInt8(Self.texts >> 8), UInt8(Self.texts & 0xff), 0, 0]
        let size: [UInt8] = (0..<4).reversed().map { UInt8(truncatingIfNeeded: kept.count >> (8 * $0)) }
        let padding = [UInt8](repeating: 0, count: kept.count % 2)
        block = [Self.header, Self.mark, name, size, kept, padding].flatMap { $0 }
    }

    /// Returns the resources of a block; those before the fault of a damaged one.
    private static func resources(of bytes: [UInt8]) -> [(id: Int, data: [UInt8])] {
        var found: [(id: Int, data: [UInt8])] = []
        var place = bytes.starts(with: header) ? header.count : 0
        while place + 12 <= bytes.count, bytes[place...].starts(with: mark) {
            let id = Int(bytes[place + 4]) << 8 | Int(bytes[place + 5])
            // A name of Pascal, padded to an even length, and the size.
            let name = (Int(bytes[place + 6]) + 2) & ~1
            let sizePlace = place + 6 + name
            guard sizePlace + 4 <= bytes.count else { break }
            let size = bytes[sizePlace..<sizePlace + 4].reduce(0) { $0 << 8 | Int($1) }
            let start = sizePlace + 4
            guard size <= bytes.count - start else { break }
            found.append((id, Array(bytes[start..<start + size])))
            place = start + (size + 1) & ~1
        }
        return found
    }

    /// Returns the data sets of IPTC; those before the fault of a damaged block.
    private static func dataSets(of bytes: [UInt8]) -> [(bytes: [UInt8], isPicture: Bool)] {
        var found: [(bytes: [UInt8], isPicture: Bool)] = []
        var place = 0
        while place + 5 <= bytes.count, bytes[place] == 0x1c {
            let (record, number) = (bytes[place + 1], bytes[place + 2])
            let size = Int(bytes[place + 3]) << 8 | Int(bytes[place + 4])
            // The highest bit marks a length of several bytes, which only pictures need.
            guard size < 0x8000 else {
                found.append(([], true))
                break
            }
            guard place + 5 + size <= bytes.count else { break }
            let set = Array(bytes[place..<place + 5 + size])
            // 2:200 to 2:202 are a preview; the records from 7 on, the object itself.
            let isPicture =
                record == 2 && (200...202).contains(number) || record >= 7 || EmbeddedPicture.isIn(set)
            found.append((set, isPicture))
            place += 5 + size
        }
        return found
    }
}
