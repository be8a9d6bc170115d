import CGStreamer
import Foundation
import TestSupport
import Testing

/// Faces in the metadata of GStreamer's analytics library.
struct FaceAnalyticsTests {
    nonisolated(unsafe) private static let library = dlopen("libgstanalytics-1.0.so.0", RTLD_NOW)

    private typealias GetMeta = @convention(c) (UnsafeMutablePointer<GstBuffer>) -> OpaquePointer?
    private typealias GetLength = @convention(c) (OpaquePointer) -> Int

    @Test(.enabled(if: library != nil, "GStreamer has the library from 1.24 on"))
    func aFaceIsAnObjectWithATrack() throws {
        let getMeta = try #require(dlsym(Self.library, "gst_buffer_get_analytics_relation_meta"))
        let getLength = try #require(dlsym(Self.library, "gst_analytics_relation_get_length"))
        let picture = try astronaut(320, 320)
        let frame = try Harness("facepose", caps: picture.caps).transform(picture)
        #expect(FacesMeta(frame)?.faces.count == 1)
        let meta = try #require(unsafeBitCast(getMeta, to: GetMeta.self)(frame.buffer))
        #expect(unsafeBitCast(getLength, to: GetLength.self)(meta) == 2)
    }
}
