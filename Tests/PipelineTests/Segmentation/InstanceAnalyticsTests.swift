import CGStreamer
import Foundation
import TestSupport
import Testing

/// The label map in the metadata of GStreamer's analytics library.
struct InstanceAnalyticsTests {
    nonisolated(unsafe) private static let library = dlopen("libgstanalytics-1.0.so.0", RTLD_NOW)
    private static let hasSegmentation =
        dlsym(library, "gst_analytics_relation_meta_add_segmentation_mtd") != nil

    private typealias GetMeta = @convention(c) (UnsafeMutablePointer<GstBuffer>) -> OpaquePointer?
    private typealias GetType = @convention(c) () -> UInt
    private typealias Iterate =
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<gpointer?>, UInt,
            UnsafeMutablePointer<people_analytics_handle>
        ) -> gboolean
    private typealias CountRegions =
        @convention(c) (UnsafePointer<people_analytics_handle>) -> gsize
    private typealias GetMask =
        @convention(c) (
            UnsafePointer<people_analytics_handle>, UnsafeMutablePointer<gint>, UnsafeMutablePointer<gint>,
            UnsafeMutablePointer<guint>, UnsafeMutablePointer<guint>
        ) -> UnsafeMutablePointer<GstBuffer>?

    private func function<Function>(_ name: String, _ type: Function.Type) throws -> Function {
        unsafeBitCast(try #require(dlsym(Self.library, name)), to: type)
    }

    @Test(.enabled(if: library != nil && hasSegmentation, "GStreamer has it from 1.26 on"))
    func theLabelMapIsASegmentationOfInstances() throws {
        let clip = try Frame.picture(Checkout.clip.path, "video/x-raw,format=RGB")
        let frame = try Harness("personsegment quality=fast instances=true", caps: clip.caps).transform(clip)
        let labels = try #require(MaskMeta(frame)?.labels)
        let meta = try #require(
            try function("gst_buffer_get_analytics_relation_meta", GetMeta.self)(frame.buffer))
        let type = try function("gst_analytics_segmentation_mtd_get_mtd_type", GetType.self)()
        var (state, handle): (gpointer?, people_analytics_handle) = (nil, people_analytics_handle())
        let iterate = try function("gst_analytics_relation_meta_iterate", Iterate.self)
        try #require(iterate(meta, &state, type, &handle) != 0)
        #expect(
            try function("gst_analytics_segmentation_mtd_get_region_count", CountRegions.self)(&handle) == 4)
        var (x, y, width, height): (gint, gint, guint, guint) = (-1, -1, 0, 0)
        let mask = try #require(
            try function("gst_analytics_segmentation_mtd_get_mask", GetMask.self)(
                &handle, &x, &y, &width, &height))
        defer { gst_buffer_unref(mask) }
        #expect((x, y) == (0, 0) && (Int(width), Int(height)) == (clip.width, clip.height))
        #expect(Frame.bytes(of: mask) == labels)
        #expect(iterate(meta, &state, type, &handle) == 0)
    }
}
