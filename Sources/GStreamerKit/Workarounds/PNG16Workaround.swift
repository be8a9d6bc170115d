import CGStreamer

/// A workaround for what GStreamer's pngdec makes of PNGs with 16 bits for each of red, green and blue, and none for alpha.
///
/// Before 1.22.5 it starts each row at the place of red instead of that of alpha: all samples are one too far. Since
/// then only the first pixel's alpha is left as the memory was. `PictureKindTests.readsDeepPNGs` tells when it can go.
enum PNG16Workaround {
    /// A repaired copy of a decoded picture without transparency; nil when it is of another format, or memory is short.
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
            // The last pixel's blue fell out of the buffer.
            samples[samples.count - 1] = samples[samples.count - 5]
        }
        samples[0] = .max
    }

    /// Whether alpha, which is full in such a picture, is found one sample too far.
    private static func isShifted(_ samples: UnsafeMutableBufferPointer<UInt16>) -> Bool {
        // The first pixel's alpha tells nothing: both versions leave it as the memory was.
        let isRight = stride(from: 4, to: samples.count, by: 4).allSatisfy { samples[$0] == .max }
        let isFar = stride(from: 1, to: samples.count, by: 4).allSatisfy { samples[$0] == .max }
        // A picture whose red or blue is full everywhere fits both.
        return isRight && isFar ? isOldGStreamer : isFar
    }

    private static var isOldGStreamer: Bool { GStreamer.version < (1, 22, 5) }
}
