import CGStreamer
import Imaging

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
