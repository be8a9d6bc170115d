import CGStreamer
import CLittleCMS
import CZlib
import Imaging

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

/// A segment of a JPEG file before its samples (ITU-T T.81, annex B).
struct JPEGSegment {
    /// The second byte of its marker: 0xe1 of APP1, 0xe2 of APP2.
    let marker: UInt8
    /// The bytes behind its length; fewer where the file ends before.
    let data: ArraySlice<UInt8>

    /// Returns the segments at the beginning of a file, as far as the given bytes go.
    static func all(of file: [UInt8]) -> [JPEGSegment] {
        guard file.starts(with: [0xff, 0xd8]) else { return [] }
        let startOfScan = 0xda
        var (segments, place) = ([JPEGSegment](), 2)
        while place + 4 <= file.count, file[place] == 0xff, file[place + 1] != startOfScan {
            let end = place + 2 + max(2, Int(file[place + 2]) << 8 | Int(file[place + 3]))
            segments.append(
                JPEGSegment(marker: file[place + 1], data: file[place + 4..<min(end, file.count)]))
            place = end
        }
        return segments
    }
}

/// Conversion of a decoded picture's colours from its own profile to sRGB (LittleCMS).
enum ProfileConversion {
    /// Returns the picture in sRGB; nil if it already is, if the profile is not an RGB profile, or if memory
    /// is short.
    ///
    /// - Parameter profile: bytes of the profile in the file.
    static func converted(_ sample: GStreamer.Sample, from profile: [UInt8]) -> GStreamer.Sample? {
        guard let source = sample.caps.flatMap({ VideoInfo($0) }), let input = sample.buffer else {
            return nil
        }
        let isDeep = source.raw.finfo.map { $0.pointee.depth.0 > 8 } ?? false
        guard let transform = Transform(profile, isDeep: isDeep), transform.changesColors,
            let format = GStreamer.Caps(caps(isDeep ? "ARGB64" : "RGBA", source)),
            let target = VideoInfo(format),
            let converter = RawVideoConverter(
                from: source.raw, source.bounds, to: target.raw, target.bounds),
            let output = GStreamer.Buffer(byteCount: Int(clamping: target.raw.size)),
            converter.convert(input.pointer, into: output.pointer()),
            output.writableView.withBytes({ transform.apply(to: $0) }) != nil
        else { return nil }
        return GStreamer.Sample(output, format)
    }

    private static func caps(_ format: String, _ info: VideoInfo) -> String {
        let aspect = info.pixelAspectRatio
        return "video/x-raw,format=\(format),width=\(info.width),height=\(info.height),framerate=0/1,"
            + "pixel-aspect-ratio=\(aspect.numerator)/\(aspect.denominator)"
    }
}

extension VideoInfo {
    fileprivate var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}

/// A transform from a profile to sRGB, for pixels of RGBA with 8 bits or ARGB with 16.
private final class Transform {
    private let raw: cmsHTRANSFORM
    private let isDeep: Bool

    init?(_ profile: [UInt8], isDeep: Bool) {
        guard let source = cmsOpenProfileFromMem(profile, cmsUInt32Number(clamping: profile.count)) else {
            return nil
        }
        defer { cmsCloseProfile(source) }
        guard cmsGetColorSpace(source) == cmsSigRgbData, let target = cmsCreate_sRGBProfile() else {
            return nil
        }
        defer { cmsCloseProfile(target) }
        let format = isDeep ? people_cms_argb_16 : people_cms_rgba_8
        guard
            let raw = cmsCreateTransform(
                source, format, target, format, cmsUInt32Number(INTENT_PERCEPTUAL), people_cms_copy_alpha)
        else { return nil }
        (self.raw, self.isDeep) = (raw, isDeep)
    }

    deinit { cmsDeleteTransform(raw) }

    /// Whether a colour changes by more than the last of eight bits; most pictures have a profile of sRGB.
    var changesColors: Bool {
        var grid: [UInt8] = []
        for color in 0..<6 * 6 * 6 {
            let samples = [color / 36, color / 6 % 6, color % 6].map { UInt8(clamping: $0 * 51) }
            // Both bytes of a 16-bit sample are equal.
            grid += isDeep ? ([255] + samples).flatMap { [$0, $0] } : samples + [255]
        }
        var converted = grid
        converted.withUnsafeMutableBytes { apply(to: $0) }
        // Only the high byte of 16 bits counts, which is the second one in memory.
        return grid.indices.contains { index in
            (!isDeep || index % 2 == 1) && abs(Int(grid[index]) - Int(converted[index])) > 1
        }
    }

    /// Converts contiguous pixels.
    func apply(to pixels: UnsafeMutableRawBufferPointer) {
        let bytes = isDeep ? 8 : 4
        // LittleCMS counts pixels in 32 bits.
        let part = 1 << 24
        for start in stride(from: 0, to: pixels.count / bytes, by: part) {
            let place = pixels.baseAddress.map { $0 + start * bytes }
            let count = min(part, pixels.count / bytes - start)
            cmsDoTransform(raw, place, place, cmsUInt32Number(count))
        }
    }
}
