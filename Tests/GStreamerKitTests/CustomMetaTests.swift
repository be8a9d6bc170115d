import CGStreamer
import TestSupport
import Testing

/// Cases in which a custom meta follows its picture, and in which it must not.
struct CustomMetaTests {
    private func noted() throws -> Frame {
        let caps = "video/x-raw,format=RGB,width=16,height=8,framerate=25/1"
        return try probe("", caps: caps).transform(Frame(caps))
    }

    /// Returns the note on a frame's buffer after `change`, which makes a new buffer.
    private func note(
        after change: (UnsafeMutablePointer<GstBuffer>) -> UnsafeMutablePointer<GstBuffer>?
    ) throws -> Int? {
        let frame = try noted()
        guard let buffer = change(frame.buffer) else { throw SetupFailure("no buffer") }
        defer { gst_buffer_unref(buffer) }
        guard let meta = gst_buffer_get_custom_meta(buffer, "GstPeopleTestNote") else { return nil }
        var width: gint = 0
        gst_structure_get_int(gst_custom_meta_get_structure(meta), "width", &width)
        return Int(width)
    }

    /// GST_BUFFER_COPY_ALL, which is a cast in C.
    private var everything: GstBufferCopyFlags {
        let parts = [
            GST_BUFFER_COPY_FLAGS, GST_BUFFER_COPY_TIMESTAMPS, GST_BUFFER_COPY_META, GST_BUFFER_COPY_MEMORY,
        ]
        return GstBufferCopyFlags(rawValue: parts.reduce(0) { $0 | $1.rawValue })
    }

    @Test func followsCopies() throws {
        #expect(try note { gst_buffer_ref($0) } == 16)
        #expect(try note { gst_buffer_copy($0) } == 16)
        #expect(try note { gst_buffer_copy_deep($0) } == 16)
        #expect(try note { gst_buffer_copy_region($0, everything, 0, gsize.max) } == 16)
    }

    @Test func takesThePlaceOfItsOwnKind() throws {
        let caps = "video/x-raw,format=RGB,width=16,height=8,framerate=25/1"
        let twice = try probe("", caps: caps).transform(noted())
        let api = try #require(gst_meta_get_info("GstPeopleTestNote")).pointee.api
        #expect(gst_buffer_get_n_meta(twice.buffer, api) == 1)
    }

    @Test func doesNotFollowAPart() throws {
        #expect(try note { gst_buffer_copy_region($0, everything, 0, 100) } == nil)
    }

    struct Scale: Sendable, CustomTestStringConvertible {
        /// Width, height, pixel aspect ratio.
        let from, to: [Int32]
        let isKept: Bool

        var testDescription: String { "\(from) to \(to)" }
    }

    @Test(arguments: [
        Scale(from: [1280, 720, 1, 1], to: [640, 360, 1, 1], isKept: true),
        Scale(from: [1280, 720, 1, 1], to: [1920, 1080, 1, 1], isKept: true),
        // Rounding to whole pixels adds no border.
        Scale(from: [1920, 1080, 1, 1], to: [854, 480, 1, 1], isKept: true),
        Scale(from: [1080, 720, 1, 1], to: [161, 107, 1, 1], isKept: true),
        // The pixels' aspect ratio compensates for the size.
        Scale(from: [720, 576, 16, 15], to: [768, 576, 1, 1], isKept: true),
        Scale(from: [640, 480, 1, 1], to: [320, 480, 2, 1], isKept: true),
        // These scales add borders.
        Scale(from: [1280, 720, 1, 1], to: [640, 480, 1, 1], isKept: false),
        Scale(from: [1280, 720, 1, 1], to: [720, 1280, 1, 1], isKept: false),
        Scale(from: [720, 576, 16, 15], to: [720, 576, 64, 45], isKept: false),
        Scale(from: [640, 480, 1, 1], to: [640, 470, 1, 1], isKept: false),
    ])
    func followsScalesWithoutBorders(_ scale: Scale) throws {
        #expect(
            try note { transform($0, gst_video_meta_transform_scale_get_quark(), scale) }
                == (scale.isKept ? 16 : nil))
    }

    @Test func doesNotFollowOtherTransformations() throws {
        let same = Scale(from: [64, 64, 1, 1], to: [64, 64, 1, 1], isKept: true)
        #expect(try note { transform($0, g_quark_from_string("gst-test-turn"), same) } == nil)
    }

    /// Returns the actions of an element that makes a new buffer for a changed picture.
    private func transform(
        _ buffer: UnsafeMutablePointer<GstBuffer>, _ type: GQuark, _ scale: Scale
    ) -> UnsafeMutablePointer<GstBuffer>? {
        let target = gst_buffer_new()
        guard let meta = gst_buffer_get_custom_meta(buffer, "GstPeopleTestNote") else { return target }
        let base = UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstMeta.self)
        var (from, to) = (info(scale.from), info(scale.to))
        withUnsafeMutablePointer(to: &from) { from in
            withUnsafeMutablePointer(to: &to) { to in
                var data = GstVideoMetaTransform(in_info: from, out_info: to)
                _ = base.pointee.info.pointee.transform_func?(target, base, buffer, type, &data)
            }
        }
        return target
    }

    private func info(_ numbers: [Int32]) -> GstVideoInfo {
        var info = GstVideoInfo()
        gst_video_info_set_format(&info, GST_VIDEO_FORMAT_I420, guint(numbers[0]), guint(numbers[1]))
        (info.par_n, info.par_d) = (numbers[2], numbers[3])
        return info
    }
}
