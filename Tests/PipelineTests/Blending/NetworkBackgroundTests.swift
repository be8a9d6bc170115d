import CGStreamer
import Foundation
import TestSupport
import Testing

/// Backgrounds on another machine, which may answer late, never, or endlessly.
struct NetworkBackgroundTests {
    private static func isUnread(_ message: BusMessage?) -> Bool {
        message?.is(.error, gst_resource_error_quark(), GST_RESOURCE_ERROR_OPEN_READ.rawValue) == true
    }

    /// Returns a stream whose background is on the server.
    private func stream(_ server: LocalServer, _ properties: String = "") throws -> Pipeline {
        try Pipeline(
            "videotestsrc \(properties) ! \(caps("RGB", 16, 16)) ! blendmask background-color=0xff00ff00 "
                + "background=http://127.0.0.1:\(server.port)/a.png ! appsink name=sink sync=false")
    }

    @Test(arguments: ["", "is-live=true"])
    func neitherStartNorStopWaitForASilentServer(_ properties: String) throws {
        let server = try LocalServer(.silence)
        let pipeline = try stream(server, properties)
        #expect(pipeline.start())
        #expect(server.waitForClient())
        // A change to NULL would discard the messages on the bus.
        #expect(pipeline.set(state: GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS)
        // A wait that was given up would have posted a message.
        #expect(pipeline.messages() == [])
    }

    /// Live frames do not wait: they show the colour, and a message reports later that no data came.
    @Test func liveFramesDoNotWaitForASilentServer() throws {
        let server = try LocalServer(.silence)
        let pipeline = try stream(server, "is-live=true")
        #expect(pipeline.start())
        let shown = try #require(pipeline.pullSample(from: "sink"))
        #expect((0..<3).map { shown.samples($0)[8][8] } == [0, 255, 0])
        #expect(pipeline.messages() == [])
        server.close()
        #expect(Self.isUnread(pipeline.nextMessage()))
    }

    /// GStreamer sends refused caps again, even while the pipeline is being stopped.
    @Test(arguments: ["", "is-live=true"])
    func asksOnceForAnUnreadablePicture(_ properties: String) throws {
        let server = try LocalServer(.bytes(LocalServer.Answer.head + Array("no picture".utf8)))
        let pipeline = try stream(server, properties)
        #expect(pipeline.start())
        #expect(Self.isUnread(pipeline.nextMessage()))
        pipeline.set(state: GST_STATE_NULL)
        #expect(try server.countClients() == 1)
        // The next stream tries again.
        #expect(pipeline.start())
        #expect(Self.isUnread(pipeline.nextMessage()))
        pipeline.set(state: GST_STATE_NULL)
        #expect(try server.countClients() == 2)
    }

    @Test func asksASilentServerOnlyOnce() throws {
        let server = try LocalServer(.silence)
        let pipeline = try stream(server)
        #expect(pipeline.start())
        #expect(Self.isUnread(pipeline.nextMessage()))
        pipeline.set(state: GST_STATE_NULL)
        #expect(try server.countClients() == 1)
    }

    /// The packets have no contents, and the demuxer skips them.
    @Test func readsNoClipWithoutFrames() throws {
        let scratch = try Scratch()
        let clip = try Data(
            contentsOf: URL(fileURLWithPath: NumberedClip.make("clip.ts", in: scratch)))
        let packet: [UInt8] = [0x47, 0x1f, 0xff, 0x10] + [UInt8](repeating: 0xff, count: 184)
        let server = try LocalServer(
            .endless(
                LocalServer.Answer.head + Array(clip), then: (0..<5000).flatMap { _ in packet }))
        let stream = try ClipStream("background=http://127.0.0.1:\(server.port)/clip.ts")
        let message = try stream.play(from: 0).message
        #expect(
            message?.is(.warning, gst_resource_error_quark(), GST_RESOURCE_ERROR_READ.rawValue) == true)
        #expect(stream.messages == [])
    }

    @Test(arguments: [
        "appsrc://", "fd://0", "rtp://127.0.0.1:5004", "rtsp://127.0.0.1/a", "testbin://video",
        "UDP://0.0.0.0:5000",
        "v4l2:///dev/video0",
    ])
    func refusesURIsThatAreNoFiles(_ location: String) throws {
        let pipeline = try Pipeline("videotestsrc ! blendmask background=\(location) ! fakesink")
        #expect(pipeline.set(state: GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE)
        let error = pipeline.nextMessage()
        #expect(Self.isUnread(error))
    }
}
