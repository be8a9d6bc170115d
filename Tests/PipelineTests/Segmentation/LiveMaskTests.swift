import TestSupport
import Testing

/// `quality=balanced` behind a live source.
struct LiveMaskTests {
    /// Nanoseconds from one image to the next; too short for an image to wait for its own mask.
    private let step: UInt64 = 10_000

    /// Returns the masks of one image, shown repeatedly until a mask has been propagated, or `count` times.
    private func masks(_ harness: Harness, _ count: Int = .max) throws -> [MaskMeta] {
        let picture = try astronaut(192, 128)
        var masks: [MaskMeta] = []
        try Patience.wait {
            picture.time = UInt64(masks.count) * step
            let mask = try #require(MaskMeta(try harness.transform(picture)))
            masks.append(mask)
            return mask.time("motion-age") != 0 || masks.count == count
        }
        return masks
    }

    @Test func masksAreComputedBesideTheStreamAndFollowMotion() throws {
        let harness = try Harness("personsegment", caps: caps("RGB", 192, 128), isLive: true)
        let masks = try masks(harness)
        let (first, last) = try (#require(masks.first), #require(masks.last))
        #expect(first.time("motion-age") == 0 && first.string("quality") == "fast")
        #expect(last.string("quality") == "balanced")
        #expect(last.time("motion-age").map { $0 >= step && $0 % step == 0 } == true)
        #expect(last.time("age") == 0)
        #expect(first.values.count == last.values.count)
    }

    @Test(arguments: [(" realtime=false", true), ("", false), (" instance-masks=true", true)])
    func framesWaitForTheirMaskUnlessRealtime(properties: String, isLive: Bool) throws {
        let harness = try Harness(
            "personsegment" + properties, caps: caps("RGB", 192, 128), isLive: isLive)
        #expect(try masks(harness, 4).map { $0.time("motion-age") } == [0, 0, 0, 0])
    }
}
