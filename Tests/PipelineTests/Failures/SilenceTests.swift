import CGStreamer
import TestSupport
import Testing

/// Conditions in which only the background would be shown are reported, once.
struct SilenceTests {
    /// Returns all messages except the end of the stream.
    private func messages(_ elements: String, frames: Int = 60) throws -> [BusMessage] {
        let pipeline = try Pipeline(
            "videotestsrc num-buffers=\(frames) ! video/x-raw,format=I420,width=64,height=48,framerate=30/1 "
                + "! \(elements) ! fakesink")
        return pipeline.play().filter { $0.kind != .endOfStream }
    }

    /// Nothing makes masks, an element drops them, or an element changes the times of frames.
    @Test(arguments: [
        ("blendmask", 200),
        ("personsegment quality=fast ! queue ! videoflip video-direction=horiz ! blendmask", 60),
        ("personsegment quality=fast ! videorate ! video/x-raw,framerate=7/1 ! blendmask", 75),
    ])
    func warnsOnceOfFramesWithoutMasks(_ elements: String, _ frames: Int) throws {
        let messages = try messages(elements, frames: frames)
        #expect(messages.count == 1 && messages.allSatisfy(\.isOfMissingMasks), "\(messages)")
    }

    @Test func warnsNeitherBeforeASecondNorWithMasks() throws {
        #expect(try messages("blendmask", frames: 29) == [])
        #expect(try messages("personsegment quality=fast ! blendmask") == [])
        #expect(try messages("blendmask background-source=original") == [])
    }

    @Test(arguments: ["picture", "clip"])
    func warnsOnceThatABackgroundIsMissing(_ source: String) throws {
        let messages = try messages("blendmask background-source=\(source)", frames: 20)
        let (domain, code) = (gst_resource_error_quark(), GST_RESOURCE_ERROR_SETTINGS.rawValue)
        #expect(messages.count == 1 && messages[0].is(.warning, domain, code), "\(messages)")
    }
}
