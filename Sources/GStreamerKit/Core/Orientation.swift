import Imaging

extension GStreamer.TagList {
    /// How the stream's frames must be turned to be upright, if the tags speak of it.
    var orientation: ImageOrientation? { string("image-orientation").flatMap { ImageOrientation(tag: $0) } }
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
