/// Pictures in a file besides the one that is read: pages, thumbnails, gain and depth maps, clips.
enum OtherPictures {
    /// Notes about pictures that are left out.
    static func notes(
        _ picture: VipsPicture, _ bytes: UnsafeRawBufferPointer, _ kind: PictureKind
    ) -> [String] {
        // Pages of JPEG 2000 are sizes of one picture.
        let count = kind == .jpeg2000 ? 1 : picture.int("n-pages") ?? 1
        if count > 1 { return ["only the first of \(count) pictures in the file is read"] }
        switch kind {
        case .jpeg where JPEGEnd.isFollowedByMore(bytes):
            return [
                "what follows the first picture in the file (a gain map, other pictures or a clip) is left out"
            ]
        case .png where PNGHeader(bytes).isAnimated:
            return ["only the first picture of the animation is read"]
        case .tiff where (picture.int("n-subifds") ?? 0) > 0:
            return ["left out: smaller pictures or previews in the file"]
        case .heif: return parts(ofHEIF: bytes)
        default: return []
        }
    }

    /// Notes about pictures that refer to the first one in a HEIF file (ISO/IEC 23008-12), and about clips.
    private static func parts(ofHEIF bytes: UnsafeRawBufferPointer) -> [String] {
        // References are in the header, which comes first.
        let header = bytes.prefix(1 << 16)
        func has(_ name: String) -> Bool { header.contains(Array(name.utf8)) }
        var parts: [String] = []
        if has("thmb") { parts.append("thumbnails") }
        if has("auxlauxC") || has("urn:mpeg:hevc:2015:auxid:2") || has("auxid:hdrgainmap") {
            parts.append("gain or depth maps")
        }
        if hasClip(bytes) { parts.append("a clip") }
        return parts.isEmpty ? [] : ["left out: \(parts.joined(separator: ", "))"]
    }

    /// Whether a box of the file holds a clip: `mpvd` of motion photos, or `moov`.
    private static func hasClip(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place + 8 <= bytes.count {
            let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            if name == "mpvd" || name == "moov" { return true }
            let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            // Larger boxes and the last one have other lengths.
            guard size >= 8 else { return false }
            place += size
        }
        return false
    }
}

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

/// The length that the header of a WebP file names.
enum WebPLength {
    /// Returns a truncated file, with zeros in the place of what is missing; nil for others.
    static func padded(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard bytes.count >= 12 else { return nil }
        let named = (4..<8).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) } + 8
        // More than 64 times of what is there is taken for a wrong length.
        guard named > bytes.count, named / 64 <= bytes.count else { return nil }
        return Array(bytes) + [UInt8](repeating: 0, count: named - bytes.count)
    }
}
