import CGStreamer
import Imaging
import TestSupport
import Testing

/// Unusual caps, and buffers that contradict their caps and metadata.
struct CapsFuzzTests {
    /// Formats of the table, and some others.
    private static let formats =
        PixelFormat.allCases.map(\.rawValue) + [
            "v210", "RGB16", "GBR", "NV12_64Z32", "ENCODED", "Y444_16BE", "x",
        ]

    @Test func wrongCapsShowNothingAndBreakNothing() throws {
        let frame = try ElementCase.grayFrame()
        let elements = try ElementCase.all.map { ($0, try $0.harness(frame.caps)) }
        try Fuzz(surface: "caps", usual: 100).run { generator in
            let (element, harness) = generator.pick(elements)
            let size = (width: generator.side(), height: generator.side())
            let caps = generator.caps(Self.formats, size)
            var wrong: String?
            let faults = ReportedFaults.during {
                if let caps { harness.setCaps(caps) }
                for _ in 0..<2 {
                    guard let buffer = generator.buffer(size) else { continue }
                    let flow = harness.push(buffer: buffer)
                    wrong = wrong ?? fault(of: element, harness, flow)
                }
            }
            return (wrong ?? faults.first).map { "\(element.name), \(caps ?? "the same caps"): \($0)" }
        }
    }

    /// Checks that the element has worked on each output frame, and reported each refused one.
    private func fault(of element: ElementCase, _ harness: Harness, _ flow: GstFlowReturn) -> String? {
        let isRefused = flow == GST_FLOW_NOT_NEGOTIATED || flow == GST_FLOW_FLUSHING
        let messages = harness.messages()
        guard flow == GST_FLOW_OK || isRefused || messages.contains(where: { $0.kind == .error }) else {
            return "flow \(flow.rawValue) without an error"
        }
        while let result = harness.pull() {
            if let meta = element.meta {
                if result.count(ofMeta: meta) != 1 { return "no metadata" }
            } else if !element.hasWorked(on: result) {
                return "the frame is not covered: \(result.samples(0).prefix(2))"
            }
        }
        return nil
    }
}

extension SeededGenerator {
    fileprivate mutating func side() -> Int {
        once(in: 4) ? wildNumber() : Int.random(in: 1...80, using: &self)
    }

    /// Caps with fields of any kind, including missing ones; nil to keep the previous caps.
    fileprivate mutating func caps(
        _ formats: [String], _ size: (width: Int, height: Int)
    ) -> String? {
        guard !once(in: 4) else { return nil }
        var text = pick([
            "video/x-raw", "video/x-raw", "video/x-raw(memory:DMABuf)", "video/x-raw(format:Interlaced)",
        ])
        let sides = [size.width, size.height].map { Int(Int32(truncatingIfNeeded: $0)) }
        if !once(in: 20) { text += ",format=(string)\(pick(formats))" }
        if !once(in: 20) { text += ",width=(int)\(sides[0])" }
        if !once(in: 20) { text += ",height=(int)\(sides[1])" }
        let more = [
            "framerate=(fraction)25/1", "framerate=(fraction)0/1", "framerate=(fraction)\(fraction())",
            "pixel-aspect-ratio=(fraction)\(fraction())", "interlace-mode=(string)alternate",
            "interlace-mode=(string)mixed", "interlace-mode=(string)fields", "colorimetry=(string)bt2100-pq",
            "colorimetry=(string)1:1:16:9", "colorimetry=(string)x:y", "chroma-site=(string)cosited",
            "multiview-mode=(string)side-by-side", "views=(int)\(Int32(truncatingIfNeeded: wildNumber()))",
            "field-order=(string)top-field-first", "framerate=(string)fast",
            "max-framerate=(fraction)\(fraction())",
        ]
        for _ in 0..<pick([1, 1, 2, 4]) { text += "," + pick(more) }
        return text
    }

    private mutating func fraction() -> String {
        let (over, under) = (Int32(truncatingIfNeeded: wildNumber()), Int32(truncatingIfNeeded: wildNumber()))
        return "\(max(over, -.max))/\(under == 0 || under == .min ? 1 : under)"
    }

    /// Returns a buffer of 128s with memory of any size, in one or several parts, with any metadata about it.
    fileprivate mutating func buffer(_ size: (width: Int, height: Int)) -> UnsafeMutablePointer<GstBuffer>? {
        guard let buffer = gst_buffer_new() else { return nil }
        let (width, height) = (min(max(size.width, 1), 256), min(max(size.height, 1), 256))
        let whole = pick([width * height * 8, width * height * 3 / 2, width * height * 4, 0, 1, width])
        for _ in 0..<pick([1, 1, 1, 3]) where whole > 0 {
            let bytes = gsize(max(1, whole))
            let part = gst_buffer_new_allocate(nil, bytes, nil)
            gst_buffer_memset(part, 0, 128, bytes)
            if let memory = gst_buffer_get_all_memory(part) { gst_buffer_append_memory(buffer, memory) }
            gst_buffer_unref(part)
        }
        if once(in: 3) { addVideoMeta(buffer, width, height) }
        if once(in: 5) { addCropMeta(buffer, width, height) }
        let times: [GstClockTime] = [0, 40_000_000, .max, .max - 1, 1 << 63]
        buffer.pointee.pts = pick(times)
        let durations: [GstClockTime] = [40_000_000, 0, .max, .max - 1]
        buffer.pointee.duration = pick(durations)
        if once(in: 5) {
            buffer.pointee.mini_object.flags |= UInt32(truncatingIfNeeded: next()) & 0x00ff_ff00
        }
        return buffer
    }

    private mutating func addVideoMeta(_ buffer: UnsafeMutablePointer<GstBuffer>, _ width: Int, _ height: Int)
    {
        var info = GstVideoInfo()
        let format = pick([
            GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_GRAY8,
        ])
        gst_video_info_set_format(&info, format, guint(width), guint(height))
        let planes = info.finfo.pointee.n_planes
        var offsets = [info.offset.0, info.offset.1, info.offset.2, info.offset.3]
        var strides = [info.stride.0, info.stride.1, info.stride.2, info.stride.3]
        for plane in 0..<4 {
            if once(in: 4) { offsets[plane] = gsize(truncatingIfNeeded: wildNumber()) }
            if once(in: 4) { strides[plane] = gint(truncatingIfNeeded: wildNumber()) }
        }
        let sides = [width, height].map { once(in: 4) ? guint(truncatingIfNeeded: wildNumber()) : guint($0) }
        gst_buffer_add_video_meta_full(
            buffer, GST_VIDEO_FRAME_FLAG_NONE, format, sides[0], sides[1], planes, &offsets, &strides)
    }

    private mutating func addCropMeta(_ buffer: UnsafeMutablePointer<GstBuffer>, _ width: Int, _ height: Int)
    {
        let meta = gst_buffer_add_meta(buffer, gst_video_crop_meta_get_info(), nil)
        guard let crop = UnsafeMutableRawPointer(meta)?.assumingMemoryBound(to: GstVideoCropMeta.self) else {
            return
        }
        let sides = [0, 0, width, height].map {
            once(in: 3) ? guint(truncatingIfNeeded: wildNumber()) : guint($0)
        }
        (crop.pointee.x, crop.pointee.y) = (sides[0], sides[1])
        (crop.pointee.width, crop.pointee.height) = (sides[2], sides[3])
    }
}
