import CGStreamer
import TestSupport
import Testing

/// Ids and times in the metadata of GStreamer's analytics library, which all elements share.
@Suite(.enabled(if: Analytics.isThere, "GStreamer has the library from 1.24 on"))
struct TrackIdTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func tracksOfAllElementsDiffer() throws {
        let clip = try Frame.picture(Checkout.clip.path, "video/x-raw,format=RGB")
        let line =
            "personsegment quality=fast instance-masks=true ! bodypose ! facepose ! facepose ! handpose"
        let frame = try Harness(line, caps: clip.caps).transform(clip)
        let (tracks, regions) = (try Analytics.tracks(of: frame), Region.all(of: frame))
        #expect(Set(regions.map(\.kind)) == ["person", "face", "hand"])
        #expect(Set(tracks.map(\.id)).count == tracks.count && tracks.count >= regions.count)
        // The lower half is the id in the project's own metadata.
        #expect(Set(tracks.map { Int($0.id & 0xffff_ffff) }) == Set(regions.map(\.id)))
    }

    @Test func tracksHaveRunningTimes() throws {
        let picture = try astronaut(320, 320)
        let harness = try Harness("facepose", caps: picture.caps)
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        segment.start = guint64(4 * Self.second)
        harness.push(event: gst_event_new_segment(&segment))
        for time in [5 * Self.second, 5 * Self.second + 40_000_000] {
            let frame = picture.duplicate()
            frame.time = time
            let tracks = try Analytics.tracks(of: harness.transform(frame))
            #expect(tracks.map(\.first) == [Self.second] && tracks.map(\.last) == [time - 4 * Self.second])
        }
    }
}
