import CGStreamer

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
