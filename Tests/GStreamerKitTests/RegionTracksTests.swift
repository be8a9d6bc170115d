import GStreamerKit
import Testing

/// The ids of elements' findings in metadata that all elements share.
struct RegionTracksTests {
    private static let minute: UInt64 = 60_000_000_000

    @Test func noTwoStreamsShareAnId() {
        let streams = [RegionTracks(), RegionTracks(), RegionTracks()]
        let ids = streams.flatMap { stream in [0, 1, 7].map(stream.track) }
        #expect(Set(ids).count == ids.count)
        #expect(ids.map { $0 & 0xffff_ffff } == [0, 1, 7, 0, 1, 7, 0, 1, 7])
    }

    @Test func recordsWhenAThingWasFirstAndLastSeen() throws {
        let tracks = RegionTracks()
        #expect(tracks.see(1) == nil)
        tracks.begin(at: 10)
        #expect(try #require(tracks.see(1)) == (10, 10))
        tracks.begin(at: 50)
        #expect(try #require(tracks.see(1)) == (10, 50))
        #expect(try #require(tracks.see(2)) == (50, 50))
        tracks.begin(at: nil)
        #expect(tracks.see(1) == nil)
        // Running time begins anew.
        tracks.begin(at: 5)
        #expect(try #require(tracks.see(1)) == (5, 5))
    }

    /// An endless stream must not fill the memory.
    @Test func dropsTracksUnseenForAMinute() throws {
        let tracks = RegionTracks()
        for id in 0..<100 {
            tracks.begin(at: UInt64(id))
            _ = tracks.see(id)
        }
        tracks.begin(at: Self.minute)
        #expect(try #require(tracks.see(0)).first == 0)
        tracks.begin(at: Self.minute + 99)
        #expect(try #require(tracks.see(0)).first == 0)
        #expect(try #require(tracks.see(98)).first == Self.minute + 99)
        #expect(try #require(tracks.see(99)).first == 99)
    }
}
