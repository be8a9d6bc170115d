import Foundation
import TestSupport
import Testing

/// `GstPeopleBodies` behind bodypose, in GStreamer and in other languages.
struct BodiesDownstreamTests {
    private static let source =
        "filesrc location=\(Checkout.astronaut.path) ! decodebin ! videoconvert ! videoscale ! "
        + "video/x-raw,format=I420,width=512,height=512,pixel-aspect-ratio=1/1 ! "

    private func read(_ line: String) throws -> [[String: Any]] {
        let result = try script(
            "read_faces.py", [Self.source + line + " ! appsink name=sink sync=false", "bodies"])
        #expect(result.status == 0, "\(result.output)")
        return objects(result)
    }

    @Test(arguments: [
        ("tee ! queue", true), ("videoconvert ! video/x-raw,format=RGBA", true),
        ("videoscale ! video/x-raw,width=256,height=256", true), ("videocrop left=20", false),
        ("videoflip video-direction=horiz", false),
    ])
    func bodiesFollowTheImageDownstream(_ then: String, isKept: Bool) throws {
        let frame = try #require(try read("bodypose ! \(then)").first)
        #expect((frame["bodies"] is [Any]) == isKept, "\(frame)")
    }

    @Test func pythonReadsBodiesAndMessagesAreEqual() throws {
        let lines = try read("bodypose pose-3d=true post-messages=true")
        let frame = try #require(lines.first { $0["message"] == nil })
        let message = try #require(lines.first { $0["message"] as? String == "bodypose" })
        #expect(message["bodies"] as? NSArray == frame["bodies"] as? NSArray)
        #expect(message["running-time"] is NSNumber)
        let body = try #require((frame["bodies"] as? [[String: Any]])?.first)
        for name in ["id", "x", "y", "width", "height", "confidence", "body-height"] {
            #expect(body[name] is NSNumber, "\(name) of \(body)")
        }
        #expect(
            body["upper-body-only"] as? Bool == true && body["height-estimation"] as? String == "reference")
        let (joints, space) = (
            body["joints"] as? [String: [Double]], body["joints-3d"] as? [String: [Double]]
        )
        #expect(joints?.count == 19 && joints?["left-shoulder"]?.count == 3)
        #expect(space?.count == 17 && space?["root"] == [0, 0, 0])
        #expect((body["camera-position"] as? [Double])?.count == 3)
    }

    @Test func theBodyInSpaceComesWhenAskedFor() throws {
        let plain = try #require((try read("bodypose").first?["bodies"] as? [[String: Any]])?.first)
        for name in ["joints-3d", "camera-position", "body-height"] { #expect(plain[name] == nil) }
        // In a wide view, the same person fills as much from a smaller distance.
        let distances = try [30, 60].map { angle in
            let body = try #require(
                (try read("bodypose pose-3d=true field-of-view=\(angle)").first?["bodies"] as? [[String: Any]])?
                    .first)
            return try #require(body["camera-position"] as? [Double])[2]
        }
        #expect(distances[0] > 1.7 * distances[1] && distances[1] > 0.5, "\(distances)")
    }

    @Test func peopleHaveTheHeightThatIsSet() throws {
        let places = try [1.8, 0.9].map { height in
            let body = try #require(
                (try read("bodypose pose-3d=true body-height=\(height)").first?["bodies"] as? [[String: Any]])?
                    .first)
            #expect(body["body-height"] as? Double == height)
            return try #require(body["camera-position"] as? [Double])[2]
        }
        #expect(abs(places[0] - 2 * places[1]) < 1e-6, "\(places)")
    }
}
