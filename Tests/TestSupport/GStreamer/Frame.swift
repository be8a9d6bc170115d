public import CGStreamer
import GStreamerKit
import Imaging

/// A raw video frame of the tests: a buffer and its image, read and written by GStreamer's own tables.
public final class Frame {
    /// The buffer, owned by this object.
    public var buffer: UnsafeMutablePointer<GstBuffer> { content.pointer() }
    let content: GStreamer.Buffer
    private let info: GstVideoInfo

    /// Takes over a reference to `buffer`; `caps` stay the caller's.
    public convenience init?(
        takingBuffer buffer: UnsafeMutablePointer<GstBuffer>, caps: UnsafeMutablePointer<GstCaps>
    ) {
        self.init(GStreamer.Buffer(taking: buffer), GStreamer.Caps(retaining: caps))
    }

    /// Returns nil if the caps are not raw video.
    init?(_ content: GStreamer.Buffer, _ caps: GStreamer.Caps) {
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps.pointer()) != 0 else { return nil }
        (self.content, self.info) = (content, info)
    }

    /// Copies the buffer of a sample, without the flags of its stream.
    convenience init?(_ sample: GStreamer.Sample) {
        guard let copy = sample.buffer?.deepCopy, let caps = sample.caps else { return nil }
        copy.pointer(GstBuffer.self).pointee.mini_object.flags &= ~GST_BUFFER_FLAG_DISCONT.rawValue
        self.init(copy, caps)
    }

    /// Makes a frame with undefined contents.
    ///
    /// - Parameters:
    ///   - caps: caps of raw video.
    ///   - padding: pixels beside and below the picture, described by a GstVideoMeta; 0 for none.
    public init(_ caps: String, padding: Int = 0) throws {
        TestedPlugin.load()
        guard let caps = GStreamer.Caps(caps) else { throw SetupFailure("bad caps") }
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps.pointer()) != 0 else {
            throw SetupFailure("caps of no raw video")
        }
        var padded = info
        if padding > 0 {
            var alignment = GstVideoAlignment()
            (alignment.padding_right, alignment.padding_bottom) = (guint(padding), guint(padding))
            gst_video_info_align(&padded, &alignment)
        }
        guard let content = GStreamer.Buffer(byteCount: Int(padded.size)) else {
            throw SetupFailure("no memory")
        }
        if padding > 0 { addVideoMeta(to: content.pointer(), padded) }
        (self.content, self.info) = (content, info)
    }

    /// Width in pixels.
    public var width: Int { Int(info.width) }
    /// Height in rows: of a field if each buffer contains one.
    public var height: Int {
        let isField = info.interlace_mode == GST_VIDEO_INTERLACE_MODE_ALTERNATE
        return isField ? Int(info.height + 1) / 2 : Int(info.height)
    }
    /// GStreamer's name of the format.
    public var format: String { String(cString: info.finfo.pointee.name) }
    /// Number of colour components, without alpha.
    public var colorCount: Int { min(3, Int(info.finfo.pointee.n_components)) }
    /// The caps, at 25 frames per second.
    public var caps: String { "video/x-raw,format=\(format),width=\(width),height=\(height),framerate=25/1" }
    /// The address of the pixels' memory.
    public var memory: UnsafeMutablePointer<GstMemory>? { gst_buffer_peek_memory(buffer, 0) }
    /// Bytes of the whole buffer, padding included.
    public var byteCount: Int { Int(gst_buffer_get_size(buffer)) }

    /// Presentation time of the frame, in nanoseconds.
    public var time: UInt64 {
        get { UInt64(buffer.pointee.pts) }
        set { buffer.pointee.pts = GstClockTime(newValue) }
    }

    /// Returns the number of metas with a registered name on the frame.
    public func count(ofMeta name: String) -> Int {
        guard let info = gst_meta_get_info(name) else { return 0 }
        return Int(gst_buffer_get_n_meta(buffer, info.pointee.api))
    }

    /// Returns a deep copy with all metas, owned by the caller.
    public func copy() -> UnsafeMutablePointer<GstBuffer> { gst_buffer_copy_deep(buffer) }

    /// Returns a new frame with the same contents.
    public func duplicate() -> Frame { Frame(GStreamer.Buffer(taking: copy()), info) }

    private init(_ content: GStreamer.Buffer, _ info: GstVideoInfo) {
        (self.content, self.info) = (content, info)
    }
}

private func addVideoMeta(to buffer: UnsafeMutablePointer<GstBuffer>, _ info: GstVideoInfo) {
    var (offsets, strides) = (info.offset, info.stride)
    withUnsafeMutableBytes(of: &offsets) { offsets in
        withUnsafeMutableBytes(of: &strides) { strides in
            _ = gst_buffer_add_video_meta_full(
                buffer, GST_VIDEO_FRAME_FLAG_NONE, info.finfo.pointee.format, guint(info.width),
                guint(info.height), info.finfo.pointee.n_planes,
                offsets.assumingMemoryBound(to: gsize.self).baseAddress,
                strides.assumingMemoryBound(to: gint.self).baseAddress)
        }
    }
}

// MARK: - Samples

extension Frame {
    /// One colour component: rows of samples, subsampled as the format says.
    public typealias Samples = [[UInt8]]

    /// Returns the samples of component `index`: Y, Cb, Cr or R, G, B; 3 is alpha.
    ///
    /// For deep samples these are the upper eight bits.
    public func samples(_ index: Int) -> Samples {
        var rows: Samples = []
        withComponent(index, GST_MAP_READ) { component in
            rows = (0..<component.height).map { y in (0..<component.width).map { component[$0, y] } }
        }
        return rows
    }

    /// Writes component `index`; `value` receives column and row of each sample.
    ///
    /// The lower bits of deep samples become 0.
    public func fill(_ index: Int, _ value: (Int, Int) -> UInt8) {
        withComponent(index, GST_MAP_WRITE) { component in
            for y in 0..<component.height {
                for x in 0..<component.width { component[x, y] = value(x, y) }
            }
        }
    }

    /// Lends all bytes of the buffer for reading and writing.
    public func withBytes(_ body: (UnsafeMutableRawPointer) -> Void) {
        _ = content.writableView.withBytes { if let base = $0.baseAddress { body(base) } }
    }

    /// Writes every byte, padding included.
    public func fillBytes(with byte: UInt8) {
        gst_buffer_memset(buffer, 0, byte, gst_buffer_get_size(buffer))
    }

    /// Returns log2 of the horizontal and vertical subsampling of component `index`.
    public func shifts(_ index: Int) -> (horizontal: Int, vertical: Int) {
        let format = info.finfo.pointee
        return (element(of: format.w_sub, index), element(of: format.h_sub, index))
    }

    private func withComponent(_ index: Int, _ flags: GstMapFlags, _ body: (Component) -> Void) {
        var (frame, info) = (GstVideoFrame(), info)
        guard gst_video_frame_map(&frame, &info, buffer, flags) != 0 else { return }
        defer { gst_video_frame_unmap(&frame) }
        let format = info.finfo.pointee
        let plane: Int = element(of: format.plane, index)
        let base: UnsafeMutableRawPointer = withUnsafeBytes(of: frame.data) {
            $0.load(fromByteOffset: plane * MemoryLayout<Int>.stride, as: UnsafeMutableRawPointer.self)
        }
        let shifts = shifts(index)
        let isDeep = element(of: format.depth, index) > 8
        // GStreamer's table puts the second chroma sample of P010 and P016 at byte 1.
        let offset = element(of: format.poffset, index)
        body(
            Component(
                base: base + (isDeep ? offset + offset % 2 : offset),
                stride: element(of: frame.info.stride, plane),
                pixelStride: element(of: format.pixel_stride, index),
                unusedBits: element(of: format.shift, index) + element(of: format.depth, index) - 8,
                isDeep: isDeep,
                width: -((-width) >> shifts.horizontal), height: -((-height) >> shifts.vertical)))
    }

    private struct Component {
        let base: UnsafeMutableRawPointer
        let stride, pixelStride, unusedBits: Int
        let isDeep: Bool
        let width, height: Int

        subscript(x: Int, y: Int) -> UInt8 {
            get {
                let sample = base + y * stride + x * pixelStride
                guard isDeep else { return sample.load(as: UInt8.self) }
                return UInt8(truncatingIfNeeded: sample.load(as: UInt16.self) >> UInt16(unusedBits))
            }
            nonmutating set {
                let sample = base + y * stride + x * pixelStride
                if isDeep {
                    sample.storeBytes(of: UInt16(newValue) << UInt16(unusedBits), as: UInt16.self)
                } else {
                    sample.storeBytes(of: newValue, as: UInt8.self)
                }
            }
        }
    }
}

/// Returns an element of a C array, which Swift imports as a tuple.
private func element<Tuple>(of tuple: Tuple, _ index: Int) -> Int {
    withUnsafeBytes(of: tuple) { bytes in
        // GStreamer's tables have elements of type int or unsigned int, four of each.
        Int(bytes.load(fromByteOffset: index * 4, as: Int32.self))
    }
}
