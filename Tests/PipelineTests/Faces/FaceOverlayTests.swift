import CGStreamer
import Imaging
import TestSupport
import Testing

/// The drawings of facepose, and its copies of frames.
struct FaceOverlayTests {
    @Test(arguments: ["I420", "NV12", "YUY2", "RGB", "BGRx", "RGBA", "GRAY8"])
    func drawsIntoTheFramesOwnFormat(_ format: String) throws {
        let picture = try astronaut(512, 512, format)
        let result = try Harness("facepose draw=boxes", caps: picture.caps).transform(picture)
        let face = try #require(FacesMeta(result)?.faces.first)
        #expect(!result.hasSameSamples(as: picture))
        let (left, top) = (Int(face.box[0] * 512), Int(face.box[1] * 512))
        let (right, bottom) = (left + Int(face.box[2] * 512), top + Int(face.box[3] * 512))
        let (before, after) = (picture.samples(0), result.samples(0))
        for y in 0..<512 {
            for x in 0..<512 where before[y][x] != after[y][x] {
                let nearest = [x - left, x - right, y - top, y - bottom].map(abs).min() ?? 0
                #expect(nearest <= 3, "\(x), \(y)")
            }
        }
    }

    @Test(arguments: ["axes", "landmarks"])
    func drawsOnTheFace(_ what: String) throws {
        let picture = try astronaut(512, 512)
        let result = try Harness("facepose draw=\(what)", caps: picture.caps).transform(picture)
        let (before, after) = (picture.samples(2), result.samples(2))
        let changed = (0..<512).flatMap { y in
            (0..<512).filter { before[y][$0] != after[y][$0] }.map { ($0, y) }
        }
        #expect(changed.count > 200)
        #expect(changed.allSatisfy { (130...330).contains($0.0) && (40...240).contains($0.1) })
        // The landmarks are only drawn: they were not requested as data.
        #expect(try #require(FacesMeta(result)).faces.count == 1)
    }

    @Test func aSharedFrameIsCopiedToDrawAndOnlyThen() throws {
        let picture = try astronaut(512, 512)
        let untouched = picture.samples(0)
        let harness = try Harness("facepose draw=all", caps: picture.caps)
        #expect(harness.push(shared: picture) == GST_FLOW_OK)
        let drawn = try #require(harness.pull())
        #expect(drawn.memory != picture.memory)
        #expect(picture.samples(0) == untouched && drawn.samples(0) != untouched)
        harness.set("draw", "none")
        #expect(harness.push(shared: picture) == GST_FLOW_OK)
        let plain = try #require(harness.pull())
        #expect(plain.memory == picture.memory)
    }

    @Test func anUnsharedFrameIsNotCopied() throws {
        let picture = try astronaut(512, 512)
        let harness = try Harness("facepose draw=all", caps: picture.caps)
        let own = picture.copy()
        let memory = gst_buffer_peek_memory(own, 0)
        #expect(harness.push(buffer: own) == GST_FLOW_OK)
        #expect(try #require(harness.pull()).memory == memory)
    }

    /// On a frame stored sideways with that tag, the drawing is the upright one, stored sideways.
    @Test func axesFollowTheOrientation() throws {
        let source = "filesrc location=\(Checkout.astronaut.path) ! decodebin ! videoconvert"
        let turned =
            "videoflip video-direction=90l ! taginject tags=image-orientation=rotate-90 ! "
            + "facepose draw=axes ! videoflip video-direction=90r"
        let pictures = try ["facepose draw=axes", turned].map {
            try #require(try Frame.first(of: "\(source) ! \($0)", caps: "video/x-raw,format=RGB"))
        }
        let (one, other) = (pictures[0].samples(0), pictures[1].samples(0))
        let differing = (0..<512).reduce(0) { sum, y in
            sum + (0..<512).filter { abs(Int(one[y][$0]) - Int(other[y][$0])) > 60 }.count
        }
        #expect(differing < 120, "\(differing)")
    }
}
