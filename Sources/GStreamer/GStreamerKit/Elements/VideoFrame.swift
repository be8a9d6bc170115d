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

/// The part of a buffer's memory that contains the image of its caps.
///
/// A buffer may contain more than its caps say: its GstVideoMeta has the size of the contents, and its
/// GstVideoCropMeta the part that is shown. Without a crop that part is at the top left.
struct VisiblePart {
    private let x: Int
    private let y: Int
    /// Size of the buffer's contents; 0 if frames cannot be distinguished from fields.
    private let whole: (width: Int, height: Int)
    /// Whether a GstVideoCropMeta chooses the part that is shown.
    let isCropped: Bool

    /// Returns nil when the buffer's metadata contradict `info`; GStreamer treats mapping such a buffer as a
    /// programming error, which an application may have made fatal.
    init?(of buffer: UnsafeMutablePointer<GstBuffer>, with info: VideoInfo) {
        let (width, height) = (info.width, info.height)
        // The metadata of a field may give the height of the whole frame.
        let isHeight = { (rows: guint) in Int(rows) == height || Int(rows) == info.frameHeight }
        var whole = (width: width, height: height)
        if let meta = gst_buffer_get_video_meta(buffer)?.pointee {
            guard meta.format == info.raw.finfo?.pointee.format, meta.width >= guint(clamping: width),
                meta.height >= guint(clamping: height)
            else { return nil }
            whole = (Int(meta.width), Int(meta.height))
        }
        guard let crop = gst_buffer_get_meta(buffer, gst_video_crop_meta_api_get_type()) else {
            (x, y, self.whole, isCropped) = (0, 0, whole, false)
            return
        }
        let part = UnsafeMutableRawPointer(crop).assumingMemoryBound(to: GstVideoCropMeta.self).pointee
        (x, y) = (Int(part.x), Int(part.y))
        let isAmbiguous = info.frameHeight != height && whole.height >= info.frameHeight
        (self.whole, isCropped) = (isAmbiguous ? (0, 0) : whole, true)
        guard Int(part.width) == width, isHeight(part.height), x + width <= whole.width,
            y + height <= whole.height
        else { return nil }
    }

    /// Whether a buffer has a GstVideoCropMeta.
    static func isCropped(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        gst_buffer_get_meta(buffer, gst_video_crop_meta_api_get_type()) != nil
    }

    /// Returns the size of the buffer's contents and the rectangle of the visible part; nil if the contents
    /// are not cropped.
    func surroundings(of info: VideoInfo) -> (width: Int, height: Int, visible: PixelRect)? {
        guard isCropped, whole != (info.width, info.height) else { return nil }
        return (whole.width, whole.height, PixelRect(x: x, y: y, width: info.width, height: info.height))
    }

    /// Moves the planes of `frame` to the visible part; false when the part begins between pixels that share
    /// a chroma sample.
    func apply(to frame: inout GstVideoFrame, _ layout: PixelLayout) -> Bool {
        guard x > 0 || y > 0 else { return true }
        let shared = layout.sharedShifts
        guard x % (1 << shared.width) == 0, y % (1 << shared.height) == 0 else { return false }
        for plane in 0..<layout.planeCount {
            let rows = y >> layout.heightShift(plane: plane)
            frame.movePlane(plane, rows: rows, bytes: layout.bytes(plane: plane, before: x))
        }
        return true
    }
}

extension GstVideoFrame {
    fileprivate mutating func movePlane(_ plane: Int, rows: Int, bytes: Int) {
        let (data, stride) = (self.data, info.stride)
        switch plane {
        case 0: self.data.0 = data.0.map { $0 + rows * Int(stride.0) + bytes }
        case 1: self.data.1 = data.1.map { $0 + rows * Int(stride.1) + bytes }
        case 2: self.data.2 = data.2.map { $0 + rows * Int(stride.2) + bytes }
        default: self.data.3 = data.3.map { $0 + rows * Int(stride.3) + bytes }
        }
    }
}

/// Converts whole frames between pixel formats of the same size (`GstVideoConverter`).
final class FormatConverter {
    private let converter: OpaquePointer
    private let input: VideoInfo
    private let output: VideoInfo

    init(from input: VideoInfo, to output: VideoInfo) throws(ElementError) {
        var source = input.raw
        var destination = output.raw
        guard let converter = gst_video_converter_new(&source, &destination, nil) else {
            throw ElementError(.coreNegotiation, "These two video formats cannot be converted.")
        }
        self.converter = converter
        self.input = input
        self.output = output
    }

    deinit { gst_video_converter_free(converter) }

    /// Converts an image into `destination`; false when either buffer is too small for its image.
    func convert(
        _ source: UnsafeMutablePointer<GstBuffer>, into destination: UnsafeMutablePointer<GstBuffer>
    ) -> Bool {
        guard let read = VideoFrame(mapping: source, as: input, .read),
            let write = VideoFrame(mapping: destination, as: output, .readWrite)
        else { return false }
        read.withRaw { source in
            write.withRaw { destination in gst_video_converter_frame(converter, source, destination) }
        }
        if input.format?.layout.alpha == nil { write.mutableImage?.makeAlphaPlaneOpaque() }
        return true
    }
}

extension VideoFrame {
    /// Lends the mapped frame to a C function.
    borrowing func withRaw(_ body: (UnsafeMutablePointer<GstVideoFrame>) -> Void) {
        var copy = rawFrame
        body(&copy)
    }
}
