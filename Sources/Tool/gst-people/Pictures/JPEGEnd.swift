/// The end of the first picture in a JPEG file (ITU-T T.81, annex B).
enum JPEGEnd {
    /// Whether another picture or a clip follows the first picture: MPO, gain maps, motion photos.
    static func isFollowedByMore(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let end = end(bytes) else { return false }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[end...])
        let (picture, clip): ([UInt8], [UInt8]) = ([0xff, 0xd8, 0xff], Array("ftyp".utf8))
        return rest.indices.contains { index in
            rest[index] == picture[0] && rest[index...].starts(with: picture)
                || rest[index] == clip[0] && rest[index...].starts(with: clip)
        }
    }

    /// Whether the first picture has no end mark.
    static func isMissing(_ bytes: UnsafeRawBufferPointer) -> Bool { end(bytes) == nil }

    /// Returns the index behind the first picture; nil if the picture does not end.
    private static func end(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var place = 2
        while place + 4 <= bytes.count {
            guard bytes[place] == 0xff else {
                place += 1
                continue
            }
            switch bytes[place + 1] {
            case 0xd9: return place + 2
            // Fill bytes, samples, and marks between samples.
            case 0xff: place += 1
            case 0x00, 0x01, 0xd0...0xd8: place += 2
            // A segment with its length.
            default: place += 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
            }
        }
        return nil
    }
}
