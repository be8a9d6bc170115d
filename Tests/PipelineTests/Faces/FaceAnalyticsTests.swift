import TestSupport
import Testing

/// Faces in the metadata of GStreamer's analytics library.
struct FaceAnalyticsTests {
    @Test(.enabled(if: Analytics.isThere, "GStreamer has the library from 1.24 on"))
    func aFaceIsAnObjectWithATrack() throws {
        let picture = try astronaut(320, 320)
        let frame = try Harness("facepose", caps: picture.caps).transform(picture)
        #expect(FacesMeta(frame)?.faces.count == 1)
        #expect(try Analytics.count(on: frame) == 2)
    }
}
