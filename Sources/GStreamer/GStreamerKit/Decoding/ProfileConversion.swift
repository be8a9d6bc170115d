import CGStreamer
import CLittleCMS
import Imaging

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
