/// Ranks of the image decoders that decodebin chooses from, where its own choice gives wrong images.
package enum ImageDecoderRanks {
    /// As many bytes of a file tell what it is.
    package static let headerLength = 26

    /// Sets the ranks that suit a file, which need not be an image.
    ///
    /// - Parameter header: its first bytes.
    /// - Returns: an element that is needed and not installed; nil when all is well.
    package static func adjust(for header: [UInt8]) -> String? {
        // It reads the orientation from EXIF data, and decodebin leaves it out by default;
        // `PhotoTests.turnsJPEGsUpright` tells whether that is still so.
        GStreamer.Registry.setRank(of: "jpegparse", .aboveOthers)
        let avoidsDefault = isDeepColorPNG(header)
        let isInstalled = GStreamer.Registry.setRank(
            of: deepDecoder, avoidsDefault ? .aboveOthers : .never)
        return avoidsDefault && !isInstalled ? deepDecoder : nil
    }

    private static let deepDecoder = "gdkpixbufdec"

    /// Whether it is a PNG of 16 bits without alpha, whose channels GStreamer 1.22's pngdec mixes up.
    ///
    /// See `PNG16Workaround` for versions; `PhotoTests.keepsTheColoursOfDeepPNGs` tells when it can go.
    private static func isDeepColorPNG(_ header: [UInt8]) -> Bool {
        guard header.count >= headerLength else { return false }
        let truecolor: UInt8 = 2
        return header.starts(with: [0x89, 0x50, 0x4e, 0x47]) && header[24] == 16 && header[25] == truecolor
    }
}
