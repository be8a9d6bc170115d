/// Writes what the caps say of colours into the headers of ProRes frames.
///
/// FFmpeg's encoder leaves them unspecified there, and players believe the frames rather than the file around them. Seen with
/// FFmpeg 5; `VideoTranscodingTests.tagsTheColoursOfProRes` tells when it can go.
package enum ProResColorTags {
    /// - Parameter pad: where encoded frames leave.
    package static func install(on pad: GStreamer.Pad) {
        pad.onBuffer { info in
            guard let caps = info.pad.currentCaps, caps.mediaType == "video/x-prores",
                let colorimetry = GStreamer.Colorimetry(caps.fields?.string("colorimetry"))
            else { return }
            info.writableBuffer?.write(colorimetry.codePoints, at: place)
        }
    }

    /// Bytes from the frame's beginning (SMPTE RDD 36, 5.1.1 and 5.1.2): its size and `icpf`, then in the header sizes, version,
    /// encoder, width, height, flags and aspect before the colour primaries.
    private static let place = 8 + 2 + 2 + 4 + 2 + 2 + 1 + 1
}
