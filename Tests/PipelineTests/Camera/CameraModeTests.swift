import Foundation
import TestSupport
import Testing

/// The choice among a camera's modes.
struct CameraModeTests {
    struct Camera: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let caps: [String]
        var size: String?
        /// Kind, width, height and frame rate; empty if there is no mode to choose.
        let chosen: String
    }

    /// The modes of most USB cameras: large raw images do not fit through the cable fast enough.
    private static let usual = [
        raw("YUY2", "640", "480", "{30/1,24/1,15/1}"), raw("YUY2", "1280", "720", "10/1"),
        raw("YUY2", "1920", "1080", "5/1"),
        jpeg(640, 480, "30/1"), jpeg(1280, 720, "{30/1,60/1}"), jpeg(1920, 1080, "30/1"),
    ]

    static let cameras = [
        Camera(testDescription: "raw when fast enough", caps: usual, chosen: "YUY2 640x480 at 30"),
        Camera(
            testDescription: "JPEG when raw is slow at this size", caps: usual, size: "1280x720",
            chosen: "JPEG 1280x720 at 30"),
        Camera(testDescription: "a size it does not have", caps: usual, size: "1000x1000", chosen: ""),
        Camera(
            testDescription: "24 is enough",
            caps: [raw("NV12", "1280", "720", "24/1"), jpeg(1280, 720, "30/1")], chosen: "NV12 1280x720 at 24"
        ),
        Camera(
            testDescription: "just below is not",
            caps: [raw("NV12", "1280", "720", "24000/1001"), jpeg(640, 480, "30/1")],
            chosen: "JPEG 640x480 at 30"
        ),
        Camera(
            testDescription: "slow JPEG before slow raw",
            caps: [raw("YUY2", "1280", "720", "10/1"), jpeg(1280, 720, "15/1")], chosen: "JPEG 1280x720 at 15"
        ),
        Camera(
            testDescription: "slow raw when there is nothing else",
            caps: [raw("YUY2", "320", "240", "10/1"), raw("YUY2", "640", "480", "{5/1,15/2}")],
            chosen: "YUY2 640x480 at 7.5"),
        Camera(
            testDescription: "ranges", caps: [raw("{I420,YUY2}", "[160,1920]", "[120,1080]", "[1/1,60/1]")],
            chosen: "I420 1280x720 at 30"),
        Camera(
            testDescription: "ranges with a size",
            caps: [raw("I420", "[160,1920]", "[120,1080]", "[1/1,60/1]")],
            size: "640x360", chosen: "I420 640x360 at 30"),
        Camera(
            testDescription: "nearest to 1280x720",
            caps: [
                raw("YUY2", "2592", "1944", "30/1"), raw("YUY2", "1024", "768", "30/1"),
                raw("YUY2", "320", "240", "30/1"),
            ],
            chosen: "YUY2 1024x768 at 30"),
        Camera(
            testDescription: "memory that only a GPU reads is left alone",
            caps: [
                "video/x-raw(memory:DMABuf),format=NV12,width=1280,height=720,framerate=30/1",
                jpeg(640, 480, "30/1"),
            ],
            chosen: "JPEG 640x480 at 30"),
        Camera(
            testDescription: "formats nothing decodes",
            caps: ["video/x-bayer,format=bggr,width=640,height=480,framerate=30/1"], chosen: ""),
    ]

    @Test(arguments: cameras)
    func choosesAModeOfTheCamera(_ camera: Camera) throws {
        // The sink is missing, so the tool ends after it has chosen the mode.
        let size = camera.size.map { ["--size", $0] } ?? []
        let source = "capsfilter caps=\"\(camera.caps.joined(separator: ";"))\""
        let result = try tool("webcam", ["--source", source, "--sink", "nosuchsink", "--blur=1"] + size)
        #expect(LiveReport(result).camera ?? "" == camera.chosen, "\(result.output)")
        #expect(result.status == (camera.chosen.isEmpty ? 3 : 5), "\(result.output)")
    }

    // Sides are texts: as values of any type they stop the compiler of sid (Swift 6.2.3).
    private static func raw(_ format: String, _ width: String, _ height: String, _ rate: String) -> String {
        "video/x-raw,format=\(format),width=\(width),height=\(height),framerate=\(rate)"
    }

    private static func jpeg(_ width: Int, _ height: Int, _ rate: String) -> String {
        "image/jpeg,width=\(width),height=\(height),framerate=\(rate)"
    }
}
