import CGStreamer
import Foundation
import TestSupport
import Testing

/// The built plugin's bodypose: its metadata and its drawings.
struct BodyPoseTests {
    private func bodies(of picture: Frame, _ properties: String = "") throws -> (Frame, [JointsMeta.Item]) {
        let frame = try Harness("bodypose \(properties)", caps: picture.caps).transform(picture)
        return (frame, try #require(JointsMeta(frame, .bodies)).items)
    }

    @Test func attachesThePersonAndTheirRegion() throws {
        let (frame, bodies) = try bodies(of: astronaut(512, 512))
        let body = try #require(bodies.first)
        #expect(bodies.count == 1 && body.confidence > 0.9 && body.joints.count == 19)
        let nose = try #require(body.joints["nose"])
        #expect(abs(nose[0] - 0.43) < 0.04 && abs(nose[1] - 0.24) < 0.04 && nose[2] > 0.5)
        let region = try #require(Region.all(of: frame).first)
        #expect(region.kind == "person" && region.id == body.id)
        for (pixel, share) in zip(region.box, body.box) { #expect(abs(Double(pixel) - share * 512) <= 2) }
    }

    /// A live stream's first frame is not searched at all rotations; the person is found three frames later.
    @Test func aLiveStreamIsSearchedStepByStep() throws {
        let picture = try astronaut(512, 512)
        let harness = try Harness("bodypose", caps: picture.caps, isLive: true)
        let counts = try (0..<3).map { _ in
            try #require(JointsMeta(try harness.transform(picture), .bodies)).items.count
        }
        #expect(counts == [0, 0, 1])
    }

    @Test func findsNobodyInAPlainImage() throws {
        let frame = try Frame(caps("RGB", 320, 240))
        for component in 0..<3 { frame.fill(component) { _, _ in 120 } }
        #expect(try bodies(of: frame).1.isEmpty)
    }

    @Test func findsSeveralPeopleUpToTheMost() throws {
        let clip = try Frame.picture(Checkout.clip.path, "video/x-raw,format=RGB")
        #expect(try bodies(of: clip).1.count == 3)
        #expect(try bodies(of: clip, "max-people=2").1.count == 2)
        #expect(try bodies(of: clip, "min-confidence=1").1.isEmpty)
    }

    @Test func boxesAreOfTheUpperBodyOrAll() throws {
        let clip = try Frame.picture(Checkout.clip.path, "video/x-raw,format=RGB")
        let heights = try ["", "upper-body-only=false"].map { properties in
            try bodies(of: clip, properties).1.reduce(0) { $0 + $1.box[3] }
        }
        #expect(heights[1] > heights[0])
    }

    @Test(arguments: ["I420", "YUY2", "BGRx", "GRAY8"])
    func drawsIntoTheFramesOwnFormat(_ format: String) throws {
        let picture = try astronaut(512, 512, format)
        let (drawn, bodies) = try bodies(of: picture, "draw=skeleton")
        #expect(bodies.count == 1)
        let (before, after) = (picture.samples(0), drawn.samples(0))
        let changed = (0..<512).reduce(0) { sum, y in
            sum + (0..<512).filter { before[y][$0] != after[y][$0] }.count
        }
        #expect((500...20000).contains(changed), "\(changed)")
    }

    @Test func aSharedFrameIsCopiedToDrawAndOnlyThen() throws {
        let picture = try astronaut(512, 512)
        let untouched = picture.samples(0)
        let harness = try Harness("bodypose draw=all", caps: picture.caps)
        #expect(harness.push(shared: picture) == GST_FLOW_OK)
        let drawn = try #require(harness.pull())
        #expect(drawn.memory != picture.memory)
        #expect(picture.samples(0) == untouched && drawn.samples(0) != untouched)
        harness.set("draw", "none")
        #expect(harness.push(shared: picture) == GST_FLOW_OK)
        #expect(try #require(harness.pull()).memory == picture.memory)
        #expect(JointsMeta(picture, .bodies) == nil)
    }

    @Test func worksBesideTheOtherElements() throws {
        let picture = try astronaut(512, 512)
        let frame = try Harness("facepose ! bodypose ! personsegment quality=fast", caps: picture.caps)
            .transform(picture)
        #expect(FacesMeta(frame)?.faces.count == 1 && JointsMeta(frame, .bodies)?.items.count == 1)
        #expect(MaskMeta(frame) != nil)
        #expect(Set(Region.all(of: frame).map(\.kind)) == ["face", "person"])
    }

    /// Three people stand apart in the first second of the clip.
    @Test func followsPeopleThroughAClip() throws {
        let pipeline = try Pipeline(
            "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvert ! video/x-raw,format=I420 "
                + "! bodypose ! appsink name=sink sync=false")
        pipeline.set(state: GST_STATE_PLAYING)
        var ids: [Set<Int>] = []
        for _ in 0..<20 {
            let frame = try #require(pipeline.pullSample(from: "sink"))
            ids.append(Set(try #require(JointsMeta(frame, .bodies)).items.map(\.id)))
        }
        #expect(ids.allSatisfy { $0.count == 3 } && Set(ids).count == 1, "\(ids)")
    }
}
