import Foundation
import TestSupport
import Testing

/// `GstPeopleFaces` behind facepose, in GStreamer and in other languages.
struct FacesDownstreamTests {
    private static let source =
        "filesrc location=\(Checkout.astronaut.path) ! decodebin ! videoconvert ! videoscale ! "
        + "video/x-raw,format=I420,width=512,height=512,pixel-aspect-ratio=1/1 ! facepose ! "

    @Test(arguments: [
        ("queue", true), ("tee", true), ("jpegenc", true), ("videoconvert ! video/x-raw,format=RGBA", true),
        ("videoscale ! video/x-raw,width=256,height=256", true),
        ("videoscale ! video/x-raw,width=512,height=256,pixel-aspect-ratio=1/1", false),
        ("videocrop left=20", false), ("videoflip video-direction=horiz", false),
    ])
    func facesFollowTheImageDownstream(_ then: String, isKept: Bool) throws {
        let result = try script("read_faces.py", [Self.source + then + " ! appsink name=sink sync=false"])
        #expect(result.status == 0, "\(result.output)")
        let frame = try #require(objects(result).first)
        #expect((frame["faces"] is [Any]) == isKept, "\(frame)")
    }

    @Test func pythonReadsFaces() throws {
        let result = try script("read_faces.py", [Self.source + "appsink name=sink sync=false"])
        let faces = try #require(objects(result).first?["faces"] as? [[String: Any]])
        let face = try #require(faces.first)
        for name in ["id", "x", "y", "width", "height", "confidence", "roll", "yaw", "pitch"] {
            #expect(face[name] is NSNumber, "\(name) of \(face)")
        }
        #expect(face["angles-reliable"] as? Bool == true)
    }

    @Test func messagesEqualTheMetadata() throws {
        let line = Self.source.replacingOccurrences(of: "facepose", with: "facepose post-messages=true")
        let result = try script("read_faces.py", [line + "appsink name=sink sync=false"])
        let lines = objects(result)
        let message = try #require(lines.first { $0["message"] as? String == "facepose" })
        let frame = try #require(lines.first { $0["faces"] != nil && $0["message"] == nil })
        #expect(message["faces"] as? NSArray == frame["faces"] as? NSArray)
        #expect(message["running-time"] is NSNumber)
    }
}
