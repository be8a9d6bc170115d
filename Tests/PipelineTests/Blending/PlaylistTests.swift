import CGStreamer
import Foundation
import TestSupport
import Testing

/// Local files that name pictures and clips of a server; nothing must connect to that server.
struct PlaylistTests {
    private let scratch: Scratch
    private let server: LocalServer

    init() throws {
        scratch = try Scratch()
        server = try LocalServer(.bytes(LocalServer.Answer.head))
    }

    private static let endings = ["m3u8", "ts", "mp4", "png"]

    /// Returns a playlist of a kind, in a file with that ending.
    private func playlist(_ kind: String, _ ending: String) throws -> String {
        let place = "http://127.0.0.1:\(server.port)"
        let text =
            switch kind {
            case "HLS": "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n\(place)/a.ts\n#EXT-X-ENDLIST\n"
            case "HLS of several": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\n\(place)/a.m3u8\n"
            case "SDP":
                "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n"
                    + "a=rtpmap:96 H264/90000\n"
            default:
                """
                <?xml version="1.0"?>
                <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S" \
                minBufferTime="PT1S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period>\
                <AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000" width="64" height="36">\
                <BaseURL>\(place)/a.mp4</BaseURL><SegmentBase indexRange="0-100"/></Representation></AdaptationSet>\
                </Period></MPD>

                """
            }
        return try scratch.file("list.\(ending)", Data(text.utf8))
    }

    @Test(arguments: ["HLS", "HLS of several", "DASH", "SDP"], endings)
    func playlistsAreRefusedAsBackgrounds(_ kind: String, _ ending: String) throws {
        let path = try playlist(kind, ending)
        let pipeline = try Pipeline("videotestsrc ! blendmask background=\(path) ! fakesink")
        #expect(pipeline.set(state: GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE)
        let error = try #require(pipeline.nextMessage(within: 10))
        #expect(error.is(.error, gst_resource_error_quark(), GST_RESOURCE_ERROR_OPEN_READ.rawValue))
        // Not every machine has an element that reads SDP.
        #expect(kind == "SDP" || error.text.contains(kind.prefix(3)), "\(error.text)")
        #expect(server.clientCount == 0)
    }

    @Test(arguments: ["HLS", "DASH"], endings)
    func playlistsAreRefusedAsInputs(_ kind: String, _ ending: String) throws {
        let path = try playlist(kind, ending)
        let photo = try tool("photo", [path, scratch.path("out.png")])
        #expect(photo.status == 3, "\(photo.output)")
        let faces = try tool("faces", [path])
        #expect(faces.status == 3 && faces.output.contains(kind), "\(faces.output)")
        #expect(server.clientCount == 0)
    }
}
