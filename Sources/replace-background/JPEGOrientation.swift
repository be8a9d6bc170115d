import CGStreamer

/// The orientation in the EXIF data of JPEG pictures.
enum JPEGOrientation {
    /// Lets decodebin use the parser that reads it, which it leaves out by default.
    static func enable() {
        guard let parser = gst_element_factory_find("jpegparse") else { return }
        gst_plugin_feature_set_rank(parser, guint(GST_RANK_PRIMARY.rawValue) + 1)
        gst_object_unref(UnsafeMutableRawPointer(parser))
    }
}
