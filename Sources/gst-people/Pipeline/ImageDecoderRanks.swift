import CGStreamer
import CommandKit

/// Ranks of the image decoders that decodebin chooses from, where its own choice gives wrong pictures.
enum ImageDecoderRanks {
    /// Sets the ranks that suit the file at `path`, which need not be a picture.
    static func adjust(for path: String) throws(ToolError) {
        // It reads the orientation from EXIF data, and decodebin leaves it out by default.
        setRank("jpegparse", preferred)
        let avoidsDefault = isDeepColorPNG(path)
        let isInstalled = setRank("gdkpixbufdec", avoidsDefault ? preferred : GST_RANK_NONE.rawValue)
        if avoidsDefault, !isInstalled { throw .missing(element: "gdkpixbufdec") }
    }

    /// Whether `path` is a PNG of 16 bits without alpha, whose channels GStreamer 1.22's pngdec mixes up.
    private static func isDeepColorPNG(_ path: String) -> Bool {
        let header = start(ofFile: path, count: 26)
        guard header.count == 26 else { return false }
        let truecolor: UInt8 = 2
        return header.starts(with: [0x89, 0x50, 0x4e, 0x47]) && header[24] == 16 && header[25] == truecolor
    }

    private static let preferred = GST_RANK_PRIMARY.rawValue + 1

    @discardableResult
    private static func setRank(_ element: String, _ rank: UInt32) -> Bool {
        guard let factory = gst_element_factory_find(element) else { return false }
        gst_plugin_feature_set_rank(factory, guint(rank))
        gst_object_unref(UnsafeMutableRawPointer(factory))
        return true
    }
}
