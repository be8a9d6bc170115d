import CZlib

/// The colour profile (ICC) in a picture's file, which GStreamer's decoders leave out.
enum EmbeddedProfile {
    /// Returns the profile's bytes; nil where the file has none, or the given bytes do not contain all of it.
    ///
    /// - Parameter file: the first bytes of a JPEG, PNG or WebP file.
    static func bytes(of file: [UInt8]) -> [UInt8]? {
        if file.starts(with: [0xff, 0xd8]) { return jpeg(file) }
        if file.starts(with: [0x89, 0x50, 0x4e, 0x47]) { return png(file) }
        if file.starts(with: "RIFF".utf8), file.dropFirst(8).starts(with: "WEBP".utf8) { return webp(file) }
        return nil
    }

    /// Reads ICC.1, annex B.4: numbered segments APP2, each with the number of segments.
    private static func jpeg(_ file: [UInt8]) -> [UInt8]? {
        let (mark, header) = ("ICC_PROFILE\0", 14)
        var (parts, count): ([UInt8: ArraySlice<UInt8>], Int) = ([:], 0)
        for segment in JPEGSegment.all(of: file) where segment.marker == 0xe2 {
            let data = segment.data
            guard data.starts(with: mark.utf8), data.count > header else { continue }
            parts[data[data.startIndex + 12]] = data.dropFirst(header)
            count = Int(data[data.startIndex + 13])
        }
        guard count > 0, parts.count == count else { return nil }
        return parts.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// Reads PNG, 11.3.2.3: chunk iCCP, with a name, a method and compressed data.
    private static func png(_ file: [UInt8]) -> [UInt8]? {
        var place = 8
        while let (kind, data, next) = chunk(file, place, isBigEndian: true), kind != "IDAT" {
            if kind == "iCCP", let end = data.firstIndex(of: 0) {
                return inflated(data[(end + 1)...].dropFirst())
            }
            // A check sum follows.
            place = next + 4
        }
        return nil
    }

    /// Reads WebP's container: chunk ICCP.
    private static func webp(_ file: [UInt8]) -> [UInt8]? {
        var place = 12
        while let (kind, data, next) = chunk(file, place, isBigEndian: false) {
            if kind == "ICCP" { return Array(data) }
            place = next + next & 1
        }
        return nil
    }

    /// Returns the name, data and end of a chunk; its size stands before the name in big-endian files, else
    /// behind it.
    private static func chunk(
        _ file: [UInt8], _ place: Int, isBigEndian: Bool
    ) -> (String, ArraySlice<UInt8>, Int)? {
        guard place + 8 <= file.count else { return nil }
        let (size, name) = isBigEndian ? (place, place + 4) : (place + 4, place)
        let bytes = file[size..<size + 4]
        let count = (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
        guard count <= file.count - place - 8 else { return nil }
        let start = place + 8
        return (
            String(decoding: file[name..<name + 4], as: UTF8.self), file[start..<start + count], start + count
        )
    }

    /// Decompresses data of zlib; nil for data that are damaged, or larger than any profile.
    private static func inflated(_ data: ArraySlice<UInt8>) -> [UInt8]? {
        let maximum = 1 << 22
        var (profile, size) = ([UInt8](repeating: 0, count: maximum), uLongf(maximum))
        let status = Array(data).withUnsafeBufferPointer {
            uncompress(&profile, &size, $0.baseAddress, uLong($0.count))
        }
        return status == Z_OK ? Array(profile.prefix(Int(size))) : nil
    }
}
