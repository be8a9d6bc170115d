import CGStreamer
import ImageFiles
import PeopleVision
import PeopleVisionGStreamer
import TestSupport
import Testing

/// Buffers of GStreamer as images of the library.
struct GStreamerImageTests {
    private let photo: ImageFile
    private let frame: Frame

    init() throws {
        let photo = try ImageFile(reading: Checkout.astronaut.path)
        let frame = try Frame(caps("RGB", photo.view.width, photo.view.height), padding: 8)
        for channel in 0..<3 {
            frame.fill(channel) { x, y in photo.view.plane(0).row(y)[3 * x + channel] }
        }
        frame.buffer.pointee.pts = 40_000_000
        (self.photo, self.frame) = (photo, frame)
    }

    private func image(caps: String) throws -> GStreamerImage? {
        let caps = try #require(gst_caps_from_string(caps))
        defer { gst_caps_unref(caps) }
        return GStreamerImage(frame.buffer, caps: caps)
    }

    private func request() -> GeneratePersonSegmentationRequest {
        let request = GeneratePersonSegmentationRequest()
        request.qualityLevel = .fast
        return request
    }

    @Test func aBufferGivesTheResultOfItsImage() async throws {
        let image = try #require(try image(caps: frame.caps))
        #expect(image.view.width == 512 && image.time == .milliseconds(40))
        let expected = try await request().perform(on: photo).mask.values
        #expect(expected.contains { $0 > 0.9 })
        #expect(try await request().perform(on: image).mask.values == expected)
        #expect(try await ImageRequestHandler(image).perform(request()).mask.values == expected)
    }

    @Test func aBufferIsAFrameOfAStream() async throws {
        let queue = FrameQueue(mode: .recording)
        let image = try #require(try image(caps: frame.caps))
        await queue.push(StreamFrame(image))
        queue.finish()
        var times: [Duration?] = []
        for try await (frame, people) in request().results(of: queue) {
            times += [frame.time, people.time]
        }
        #expect(times == [.milliseconds(40), .milliseconds(40)])
    }

    @Test(arguments: [
        "audio/x-raw", "video/x-raw,format=RGB,width=4096,height=4096,framerate=25/1",
        "video/x-raw,format=v210,width=16,height=16,framerate=25/1",
    ])
    func otherCapsAreRefused(_ caps: String) throws { #expect(try image(caps: caps) == nil) }
}
