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
