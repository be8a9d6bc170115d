import CGStreamer
import Foundation
import TestSupport
import Testing

/// Backgrounds on another machine, which may answer late, never, or for ever.
struct NetworkBackgroundTests {
    private static func isUnread(_ message: BusMessage?) -> Bool {
        message?.is(.error, gst_resource_error_quark(), GST_RESOURCE_ERROR_OPEN_READ.rawValue) == true
    }

    /// A stream whose background is on the server.
    private func stream(_ server: LocalServer, _ properties: String = "") throws -> Pipeline {
        try Pipeline(
            "videotestsrc \(properties) ! \(caps("RGB", 16, 16)) ! blendmask background-color=0xff00ff00 "
                + "background=http://127.0.0.1:\(server.port)/a.png ! appsink name=sink sync=false")
    }

    @Test(arguments: ["", "is-live=true"])
    func neitherStartNorStopWaitForASilentServer(_ properties: String) throws {
        let server = try LocalServer(.silence)
        let pipeline = try stream(server, properties)
        let start = Date()
        #expect(pipeline.start())
        #expect(server.waitForClient())
        #expect(pipeline.set(state: GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
        // Waiting would take the ten seconds after which a server is given up.
        #expect(Date().timeIntervalSince(start) < 8)
        #expect(pipeline.messages() == [])
    }

    /// Live frames do not wait: they show the colour, until it is told that nothing comes.
    @Test func liveFramesDoNotWaitForASilentServer() throws {
        let server = try LocalServer(.silence)
        let pipeline = try stream(server, "is-live=true")
        #expect(pipeline.start())
        let shown = try #require(pipeline.pullSample(from: "sink", within: 8))
        #expect((0..<3).map { shown.samples($0)[8][8] } == [0, 255, 0])
        server.close()
        #expect(Self.isUnread(pipeline.nextMessage(within: 60)))
    }

    /// GStreamer sends refused caps once more, also while the pipeline is being stopped.
    @Test(arguments: ["", "is-live=true"])
    func asksOnceForWhatCannotBeRead(_ properties: String) throws {
        let server = try LocalServer(.bytes(LocalServer.Answer.head + Array("no picture".utf8)))
        let pipeline = try stream(server, properties)
        #expect(pipeline.start())
        #expect(Self.isUnread(pipeline.nextMessage(within: 60)))
        usleep(300_000)
        pipeline.set(state: GST_STATE_NULL)
        #expect(server.clientCount == 1)
        // The next stream asks again.
        #expect(pipeline.start())
        #expect(Self.isUnread(pipeline.nextMessage(within: 60)))
        pipeline.set(state: GST_STATE_NULL)
        #expect(server.clientCount == 2)
    }

    @Test func givesASilentServerUpOnce() throws {
        let server = try LocalServer(.silence)
        let pipeline = try stream(server)
        #expect(pipeline.start())
        #expect(Self.isUnread(pipeline.nextMessage(within: 60)))
        pipeline.set(state: GST_STATE_NULL)
        #expect(server.clientCount == 1)
    }

    /// A picture that goes on for ever is kept by its parser.
    @Test func readsNoPictureWithoutEnd() throws {
        let start: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let header = [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 32, 0, 0, 0, 32, 8, 2, 0, 0, 0]
        let chunk = [0x7f, 0xff, 0xff, 0xff] + Array("IDAT".utf8)
        let server = try LocalServer(
            .endless(
                LocalServer.Answer.head + start + header + [0xfc, 0x18, 0xed, 0xa3] + chunk,
                then: [UInt8](repeating: 0, count: 1 << 20)))
        let pipeline = try stream(server)
        #expect(pipeline.start())
        #expect(Self.isUnread(pipeline.nextMessage(within: 60)))
        pipeline.set(state: GST_STATE_NULL)
        // 128 MiB, and what sockets hold.
        #expect(server.sentBytes < 160 << 20)
    }

    /// Packets without content, which a demuxer leaves out.
    @Test func readsNoClipWithoutFrames() throws {
        let scratch = try Scratch()
        let clip = try Data(
            contentsOf: URL(fileURLWithPath: NumberedClip.make("clip.ts", in: scratch)))
        let packet: [UInt8] = [0x47, 0x1f, 0xff, 0x10] + [UInt8](repeating: 0xff, count: 184)
        let server = try LocalServer(
            .endless(
                LocalServer.Answer.head + Array(clip), then: (0..<5000).flatMap { _ in packet }))
        let stream = try ClipStream("background=http://127.0.0.1:\(server.port)/clip.ts")
        let messages = (0..<3000).lazy.map { index in
            _ = try? stream.number(at: index * 40)
            usleep(10_000)
            return stream.messages
        }.first { !$0.isEmpty }
        #expect(messages?.count == 1)
        #expect(
            messages?.first?.is(.warning, gst_resource_error_quark(), GST_RESOURCE_ERROR_READ.rawValue)
                == true)
    }

    @Test(arguments: [
        "appsrc://", "fd://0", "rtp://127.0.0.1:5004", "rtsp://127.0.0.1/a", "testbin://video",
        "UDP://0.0.0.0:5000",
        "v4l2:///dev/video0",
    ])
    func refusesWhatIsNoFile(_ location: String) throws {
        let pipeline = try Pipeline("videotestsrc ! blendmask background=\(location) ! fakesink")
        #expect(pipeline.set(state: GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE)
        let error = pipeline.nextMessage(within: 1)
        #expect(Self.isUnread(error))
    }
}
