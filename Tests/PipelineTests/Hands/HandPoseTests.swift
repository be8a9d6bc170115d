import CGStreamer
import Foundation
import TestSupport
import Testing

/// The built plugin's handpose: its metadata and its drawings.
struct HandPoseTests {
    /// Returns the first frame of the clip, with two right hands and a left one.
    private func clip() throws -> Frame { try Frame.picture(Checkout.clip.path, "video/x-raw,format=RGB") }

    private func hands(of picture: Frame, _ properties: String = "max-hands=4") throws
        -> (Frame, [JointsMeta.Item])
    {
        let frame = try Harness("handpose \(properties)", caps: picture.caps).transform(picture)
        return (frame, try #require(JointsMeta(frame, .hands)).items)
    }

    @Test func attachesHandsAndTheirRegions() throws {
        let (frame, hands) = try hands(of: clip())
        #expect(hands.map(\.chirality).sorted { $0 ?? "" < $1 ?? "" } == ["left", "right", "right"])
        #expect(Set(hands.map(\.id)).count == 3)
        for hand in hands {
            #expect(hand.confidence > 0.9 && hand.joints.count == 21)
            for (_, joint) in hand.joints {
                #expect(joint[0] >= hand.box[0] - 1e-9 && joint[0] <= hand.box[0] + hand.box[2] + 1e-9)
                #expect(joint[1] >= hand.box[1] - 1e-9 && joint[1] <= hand.box[1] + hand.box[3] + 1e-9)
            }
        }
        let regions = Region.all(of: frame)
        #expect(regions.map(\.kind) == ["hand", "hand", "hand"] && regions.map(\.id) == hands.map(\.id))
    }

    @Test func limitsTheNumberOfHands() throws {
        let all = try hands(of: clip()).1.map { $0.box[2] * $0.box[3] }
        #expect(try hands(of: clip(), "max-hands=1").1.count == 1)
        #expect(try hands(of: clip(), "").1.count == 2)
        #expect(try hands(of: clip(), "max-hands=4 min-confidence=1").1.isEmpty)
        #expect(all.count == 3)
    }

    @Test func aLoweredCountEndsTheTracksOfTheSmallest() throws {
        let picture = try clip()
        let harness = try Harness("handpose max-hands=4", caps: picture.caps)
        let hands = try #require(JointsMeta(try harness.transform(picture), .hands)).items
        let largest = hands.max { $0.box[2] * $0.box[3] < $1.box[2] * $1.box[3] }
        harness.set("max-hands", "1")
        let left = try #require(JointsMeta(try harness.transform(picture), .hands)).items
        #expect(hands.count == 3 && left.map(\.id) == [largest?.id])
    }

    @Test func aMirroredImageExchangesLeftAndRight() throws {
        let picture = try clip()
        let mirrored = try #require(
            try Frame.first(
                of:
                    "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvert ! videoflip video-direction=horiz",
                caps: "video/x-raw,format=RGB"))
        let (hands, others) = (try hands(of: picture).1, try hands(of: mirrored).1)
        // The third hand, whose fingers are hidden, is a left one for the model both times.
        let pairs = hands.compactMap { hand in
            others.first { isMirrored(hand, $0) }.map { (hand.chirality, $0.chirality) }
        }
        #expect(pairs.filter { $0.0 != $0.1 }.count >= 2, "\(pairs)")
    }

    private func isMirrored(_ hand: JointsMeta.Item, _ other: JointsMeta.Item) -> Bool {
        guard let wrist = hand.joints["wrist"], let mirrored = other.joints["wrist"] else { return false }
        return abs(1 - wrist[0] - mirrored[0]) < 0.02 && abs(wrist[1] - mirrored[1]) < 0.02
    }

    @Test(arguments: ["180", "90r"])
    func findsHandsAtQuarterTurns(_ direction: String) throws {
        let turned = try #require(
            try Frame.first(
                of:
                    "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvert ! videoflip video-direction=\(direction)",
                caps: "video/x-raw,format=RGB"))
        let found = try hands(of: turned).1
        #expect(found.count >= 3 && found.filter { $0.chirality == "right" }.count >= 2, "\(found)")
    }

    @Test func findsNothingInAPlainImage() throws {
        let frame = try Frame(caps("RGB", 320, 240))
        for component in 0..<3 { frame.fill(component) { _, _ in 120 } }
        #expect(try hands(of: frame).1.isEmpty)
    }

    @Test(arguments: ["I420", "YUY2", "BGRx", "GRAY8"])
    func drawsIntoTheFramesOwnFormat(_ format: String) throws {
        let picture = try Frame.picture(Checkout.clip.path, "video/x-raw,format=\(format)")
        let before = picture.samples(0)
        let (drawn, _) = try hands(of: picture, "draw=skeleton max-hands=4")
        let after = drawn.samples(0)
        let changed = before.indices.reduce(0) { sum, y in
            sum + before[y].indices.filter { before[y][$0] != after[y][$0] }.count
        }
        #expect((500...30000).contains(changed), "\(changed)")
    }

    @Test func followsHandsThroughAClip() throws {
        let pipeline = try Pipeline(
            "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvert ! video/x-raw,format=I420 "
                + "! handpose max-hands=4 ! appsink name=sink sync=false")
        pipeline.set(state: GST_STATE_PLAYING)
        var seen: [Int: Int] = [:]
        for _ in 0..<20 {
            let frame = try #require(pipeline.pullSample(from: "sink"))
            for hand in try #require(JointsMeta(frame, .hands)).items { seen[hand.id, default: 0] += 1 }
        }
        pipeline.set(state: GST_STATE_NULL)
        #expect(seen.values.filter { $0 == 20 }.count >= 2, "\(seen)")
        #expect(seen.count <= 5, "\(seen)")
    }

    @Test func pythonReadsHandsAndMessagesAreEqual() throws {
        let line =
            "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvert ! identity eos-after=2 "
            + "! handpose pose-3d=true post-messages=true ! appsink name=sink sync=false"
        let result = try script("read_faces.py", [line, "hands"])
        #expect(result.status == 0, "\(result.output)")
        let lines = objects(result)
        let frame = try #require(lines.first { $0["message"] == nil })
        let message = try #require(lines.first { $0["message"] as? String == "handpose" })
        #expect(message["hands"] as? NSArray == frame["hands"] as? NSArray)
        let hand = try #require((frame["hands"] as? [[String: Any]])?.first)
        for name in ["id", "x", "y", "width", "height", "confidence", "chirality-confidence"] {
            #expect(hand[name] is NSNumber, "\(name) of \(hand)")
        }
        #expect(["left", "right"].contains(hand["chirality"] as? String))
        let (joints, space) = (
            hand["joints"] as? [String: [Double]], hand["joints-3d"] as? [String: [Double]]
        )
        #expect(joints?.count == 21 && joints?["thumb-tip"]?.count == 3 && space?.count == 21)
        // The model's hand has an average size.
        let (wrist, tip) = (space?["wrist"] ?? [], space?["middle-mcp"] ?? [])
        let palm = zip(wrist, tip).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        #expect((0.05...0.13).contains(palm), "\(palm)")
    }
}
