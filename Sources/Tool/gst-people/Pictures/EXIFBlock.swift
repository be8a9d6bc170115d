/// A block of EXIF: a TIFF behind six bytes (CIPA DC-008).
struct EXIFBlock {
    private(set) var bytes: [UInt8]
    private let isBigEndian: Bool
    private static let start = Array("Exif\0\0".utf8)

    /// - Returns: nil for other bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.start), bytes.count > 14 else { return nil }
        isBigEndian = bytes[6] == UInt8(ascii: "M")
        self.bytes = bytes
    }

    /// Says that the picture is upright.
    mutating func setUpright() {
        guard let orientation = entry(0x0112, inDirectoryAt: number(4, 4)) else { return }
        clear(orientation + 8, 4)
        // Two bytes: the number that means upright is 1.
        bytes[Self.start.count + orientation + (isBigEndian ? 9 : 8)] = 1
    }

    /// Replaces the camera maker's note, which may hold a picture, by four zeros.
    ///
    /// libvips and libexif keep the note also where its field was removed.
    mutating func clearMakerNote() {
        let (pointerToExif, makerNote) = (0x8769, 0x927c)
        guard let pointer = entry(pointerToExif, inDirectoryAt: number(4, 4)),
            let note = entry(makerNote, inDirectoryAt: number(pointer + 8, 4))
        else { return }
        let (count, place) = (number(note + 4, 4), number(note + 8, 4))
        if count > 4 { clear(place, count) }
        clear(note + 4, 8)
        bytes[Self.start.count + note + (isBigEndian ? 7 : 4)] = 4
    }

    /// Returns the place of an entry with a tag in a directory of the TIFF.
    private func entry(_ tag: Int, inDirectoryAt directory: Int) -> Int? {
        let first = directory + 2
        return (0..<number(directory, 2)).map { first + 12 * $0 }
            .first { number($0, 2) == tag && Self.start.count + $0 + 12 <= bytes.count }
    }

    /// Returns a number of the TIFF; 0 behind its end.
    private func number(_ place: Int, _ count: Int) -> Int {
        let start = place + Self.start.count
        guard start + count <= bytes.count else { return 0 }
        let digits = bytes[start..<start + count]
        return isBigEndian
            ? digits.reduce(0) { $0 << 8 | Int($1) } : digits.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func clear(_ place: Int, _ count: Int) {
        let start = min(bytes.count, place + Self.start.count)
        for index in start..<min(bytes.count, start + count) { bytes[index] = 0 }
    }
}
