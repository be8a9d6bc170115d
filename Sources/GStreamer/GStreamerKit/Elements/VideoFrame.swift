import CGStreamer
public import Imaging

/// A mapped video buffer: its pixels as an image view, and its metas.
///
/// The mapping ends with the value's life. `gst_video_frame_map` is the C function.
public struct VideoFrame: ~Copyable {
    enum Access {
        /// Access for reading, during a call that keeps the buffer alive.
        case read
        /// Access for reading and writing, during a call that keeps the buffer alive.
        case readWrite
        /// Access for reading; the mapping keeps the buffer alive.
        case hold
    }

    private let raw: GstVideoFrame
    let buffer: UnsafeMutablePointer<GstBuffer>

    /// The pixels for reading.
    public let image: ImageView
    /// The pixels for reading and writing; nil when the frame is mapped for reading only.
    public let mutableImage: MutableImageView?
    /// The stream's caps.
    public let info: VideoInfo
    /// Whether the image is a part of a buffer's contents, chosen by a GstVideoCropMeta.
    public let isCropped: Bool
    /// The whole contents of the buffer, and the rectangle of the image in it; nil if the buffer contains
    /// only the image, or is mapped for reading only.
    package let surroundings: (whole: MutableImageView, visible: PixelRect)?

    /// Maps `buffer`; nil when the buffer does not contain the image that `info` describes.
    ///
    /// - Parameter isConvertedPart: whether the image was a part of another buffer.
    init?(
        mapping buffer: UnsafeMutablePointer<GstBuffer>, as info: VideoInfo, _ access: Access,
        isConvertedPart: Bool = false
    ) {
        var raw = GstVideoFrame()
        var description = info.raw
        guard let visible = VisiblePart(of: buffer, with: info),
            gst_video_frame_map(&raw, &description, buffer, access.flags) != 0
        else { return nil }
        let around = access == .readWrite ? visible.surroundings(of: info) : nil
        let whole = around.flatMap { raw.imageView(as: info, width: $0.width, height: $0.height) }
        guard let layout = info.format?.layout, (around == nil) == (whole == nil),
            visible.apply(to: &raw, layout),
            let image = raw.imageView(as: info, width: info.width, height: info.height)
        else {
            gst_video_frame_unmap(&raw)
            return nil
        }
        surroundings = whole.flatMap { whole in around.map { (whole, $0.visible) } }
        isCropped = visible.isCropped || isConvertedPart
        self.raw = raw
        self.buffer = buffer
        self.image = ImageView(image)
        mutableImage = access == .readWrite ? image : nil
        self.info = info
    }

    /// Maps a buffer for reading, and keeps it alive; nil when it does not contain the image that `info`
    /// describes.
    package init?(holding buffer: GStreamer.Buffer, as info: VideoInfo) {
        self.init(mapping: buffer.pointer(), as: info, .hold)
    }

    deinit {
        var raw = raw
        gst_video_frame_unmap(&raw)
    }

    var rawFrame: GstVideoFrame { raw }

    /// The frame's time in the stream, in nanoseconds.
    public var presentationTime: UInt64? {
        // GST_CLOCK_TIME_NONE
        buffer.pointee.pts == .max ? nil : UInt64(buffer.pointee.pts)
    }

    /// Duration for which the frame is shown, in nanoseconds: the caps', else the buffer's, else that of 30
    /// frames a second.
    public var duration: UInt64 {
        let own = buffer.pointee.duration
        return info.frameDuration ?? (own == .max || own == 0 ? 33_333_333 : UInt64(own))
    }

    /// Whether the image is a still: neither the caps nor the buffer have a duration.
    public var isStill: Bool { info.frameDuration == nil && buffer.pointee.duration == .max }

    /// Seconds since a frame of presentation time `last`, in nanoseconds; the duration of this frame if the
    /// times give none, as after a jump of the clock.
    public func seconds(since last: UInt64?) -> Double {
        guard let last, let time = presentationTime, time > last else { return Double(duration) / 1e9 }
        return Double(time - last) / 1e9
    }
}

extension VideoFrame.Access {
    fileprivate var flags: GstMapFlags {
        // A mapping with a reference of its own would make the buffer read-only, so that metas could not be
        // attached.
        let borrowed = GST_VIDEO_FRAME_MAP_FLAG_NO_REF.rawValue
        return switch self {
        case .read: GstMapFlags(rawValue: GST_MAP_READ.rawValue | borrowed)
        case .readWrite: GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue | borrowed)
        case .hold: GST_MAP_READ
        }
    }
}

extension GstVideoFrame {
    /// Returns the mapped planes, if they contain an image of this size; writable only if they are mapped for
    /// writing.
    fileprivate func imageView(as description: VideoInfo, width: Int, height: Int) -> MutableImageView? {
        guard let format = description.format, let first = plane(0) else { return nil }
        let second = plane(1) ?? first
        let third = plane(2) ?? second
        let fourth = plane(3) ?? third
        return MutableImageView(
            format: format, width: width, height: height,
            colorimetry: description.colorimetry,
            planes: (first.plane, second.plane, third.plane, fourth.plane),
            byteCounts: (first.byteCount, second.byteCount, third.byteCount, fourth.byteCount))
    }

    /// Returns the plane `index`, and the number of accessible bytes from its base on.
    private func plane(_ index: Int) -> (plane: MutablePlane, byteCount: Int)? {
        let (data, stride, own) =
            switch index {
            case 0: (data.0, info.stride.0, map.0)
            case 1: (data.1, info.stride.1, map.1)
            case 2: (data.2, info.stride.2, map.2)
            default: (data.3, info.stride.3, map.3)
            }
        // Only a buffer with a GstVideoMeta is mapped plane by plane.
        let mapping = meta == nil ? map.0 : own
        guard let data, let start = mapping.data else { return nil }
        let base = UnsafeMutableRawPointer(data)
        let skipped = base - UnsafeMutableRawPointer(start)
        let byteCount = Int(clamping: mapping.size) - skipped
        guard skipped >= 0, byteCount > 0 else { return nil }
        return (MutablePlane(base: base, stride: Int(stride)), byteCount)
    }
}
