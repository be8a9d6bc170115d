import CGStreamer
import Glibc
import Imaging

/// The first bytes of a GIF: its version, and the size of its image.
enum GIFHeader {
    private static let length = 10

    /// Whether a file has a GIF's signature, but an unknown version or no size.
    ///
    /// FFmpeg opens no such file, and `avdemux_gif` of GStreamer 1.26.2 then ends the program: it reads
    /// through a pointer that FFmpeg has cleared. `StillPictureTests.refusesDamagedGIFs` checks that none
    /// reaches GStreamer.
    static func isDamaged(inFile path: UnsafePointer<CChar>) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: length)
        let count = read(file, &bytes, length)
        return isDamaged(bytes.prefix(max(0, count)))
    }

    private static func isDamaged(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.starts(with: "GIF8".utf8) else { return false }
        let hasVersion = bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8)
        guard hasVersion, bytes.count == length else { return true }
        let (width, height) = (bytes[6...7], bytes[8...9])
        return !width.contains { $0 != 0 } || !height.contains { $0 != 0 }
    }
}

/// A workaround for pngdec's output for PNGs with 16 bits for each of red, green and blue, and no alpha.
///
/// Before GStreamer 1.22.5 pngdec starts each row at the position of red instead of alpha: all samples are
/// one position too far. Since then only the first pixel's alpha is left uninitialised.
/// `PictureKindTests.readsDeepPNGs` shows when this workaround can go.
enum PNG16Workaround {
    /// Returns a repaired copy of a decoded picture without transparency; nil for other formats, or when
    /// memory is short.
    static func repaired(_ sample: GStreamer.Sample) -> GStreamer.Sample? {
        guard let caps = sample.caps, let info = VideoInfo(caps),
            info.raw.finfo?.pointee.format == GST_VIDEO_FORMAT_ARGB64, let copy = sample.buffer?.deepCopy,
            copy.writableView.withBytes({ repair($0.bindMemory(to: UInt16.self)) }) != nil
        else { return nil }
        return GStreamer.Sample(copy, caps)
    }

    private static func repair(_ samples: UnsafeMutableBufferPointer<UInt16>) {
        guard samples.count >= 8 else { return }
        if isShifted(samples) {
            for index in 1..<samples.count { samples[index - 1] = samples[index] }
            // The last pixel's blue was written outside of the buffer.
            samples[samples.count - 1] = samples[samples.count - 5]
        }
        samples[0] = .max
    }

    /// Whether alpha, which is full in such a picture, is one sample too far.
    private static func isShifted(_ samples: UnsafeMutableBufferPointer<UInt16>) -> Bool {
        // The first pixel's alpha is no evidence: both versions leave it uninitialised.
        let isRight = stride(from: 4, to: samples.count, by: 4).allSatisfy { samples[$0] == .max }
        let isFar = stride(from: 1, to: samples.count, by: 4).allSatisfy { samples[$0] == .max }
        // A picture whose red or blue is full everywhere matches both.
        return isRight && isFar ? isOldGStreamer : isFar
    }

    private static var isOldGStreamer: Bool { GStreamer.version < (1, 22, 5) }
}

extension MutableImageView {
    /// Fills a plane that contains only alpha.
    ///
    /// `GstVideoConverter` leaves such a plane half transparent. Seen in GStreamer 1.22; `ConversionTests`
    /// show when this workaround can go.
    func makeAlphaPlaneOpaque() {
        let layout = format.layout
        guard let alpha = layout.alpha, alpha.pixelStride == layout.bytesPerSample else { return }
        let byteCount = layout.rowBytes(plane: alpha.plane, width: width)
        for row in 0..<layout.rows(plane: alpha.plane, height: height) {
            plane(alpha.plane).row(row).update(repeating: .max, count: byteCount)
        }
    }
}
