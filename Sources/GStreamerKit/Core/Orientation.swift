import CGStreamer
import Imaging

/// The orientation that a tag event gives the stream's pictures, if it speaks of it.
func orientation(inTagsOf event: UnsafeMutablePointer<GstEvent>) -> ImageOrientation? {
    var tags: UnsafeMutablePointer<GstTagList>?
    gst_event_parse_tag(event, &tags)
    var text: UnsafeMutablePointer<CChar>?
    guard let tags, gst_tag_list_get_string(tags, "image-orientation", &text) != 0, let text
    else { return nil }
    defer { g_free(text) }
    return ImageOrientation(tag: String(cString: text))
}

extension ImageOrientation {
    /// The value of GStreamer's `image-orientation` tag: a clockwise turn that makes the picture
    /// upright, `flip-` for a mirror image before it.
    init?(tag: String) {
        switch tag {
        case "rotate-0": self = .up
        case "flip-rotate-0": self = .upMirrored
        case "rotate-180": self = .down
        case "flip-rotate-180": self = .downMirrored
        case "flip-rotate-270": self = .leftMirrored
        case "rotate-90": self = .right
        case "flip-rotate-90": self = .rightMirrored
        case "rotate-270": self = .left
        default: return nil
        }
    }
}
