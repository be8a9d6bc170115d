import CGStreamer

/// Converts decoded frames into upright frames of a format that the elements and the encoder take.
struct FrameConversion {
    let hasAlpha: Bool
    /// The name of the transfer function of high dynamic range, which 8 bits cannot hold; nil for other frames.
    let highDynamicRange: String?
    /// What is changed besides the background, for the user.
    private(set) var notes: [String] = []
    private var steps: [String] = []

    /// The launch line.
    var chain: String { steps.joined(separator: " ! ") }

    /// - Parameter caps: of decoded frames; nil comes back when they are no raw video.
    init?(caps: Caps, job: Job) {
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps) != 0 else { return nil }
        highDynamicRange = Self.highDynamicRange(info.colorimetry.transfer)
        let flags = info.finfo.pointee.flags
        hasAlpha = flags.rawValue & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0
        if hasAlpha {
            steps += [
                "videoconvert", "video/x-raw,format=RGBA", "identity name=\(AlphaFlattening.elementName)",
            ]
            notes.append("transparent parts, if there are any, are black")
        }
        steps += ["videoconvert", "video/x-raw,format=\(job.format.pixels)"]
        if info.interlace_mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE {
            // A frame for each frame, not for each field.
            steps.append("deinterlace fields=top")
            notes.append("the picture was deinterlaced")
        }
        if job.needsEvenSize { crop(Int(info.width), Int(info.height)) }
        // Phones store portrait clips sideways with a tag.
        steps.append("videoflip video-direction=auto")
    }

    /// As in ITU-R BT.2100.
    private static func highDynamicRange(_ transfer: GstVideoTransferFunction) -> String? {
        switch transfer {
        case GST_VIDEO_TRANSFER_SMPTE2084: "PQ"
        case GST_VIDEO_TRANSFER_ARIB_STD_B67: "HLG"
        default: nil
        }
    }

    private mutating func crop(_ width: Int, _ height: Int) {
        guard width % 2 + height % 2 > 0 else { return }
        steps.append("videocrop right=\(width % 2) bottom=\(height % 2)")
        notes.append("the last odd column or row was cut off: H.264 has even sizes only")
    }
}

extension OutputFormat {
    /// Films are stored with subsampled chroma; pictures keep theirs until the encoder.
    fileprivate var pixels: String {
        switch self {
        case .video: "I420"
        case .still: "RGB"
        }
    }
}

extension Job {
    fileprivate var needsEvenSize: Bool {
        switch format {
        case .video(let container): container.needsEvenSize(transparent: background == .transparent)
        case .still: false
        }
    }
}
