import CGStreamer
import TestSupport
import Testing

/// The memory of a stream's masks, and the events that clear it.
struct MaskSmoothingTests {
    private let stream = caps("RGB", 192, 128)
    private let first: Frame
    /// The same scene, a little darker: too little to count as a change.
    private let second: Frame
    /// Another scene.
    private let other: Frame

    init() throws {
        first = try astronaut(192, 128)
        (second, other) = (first.duplicate(), first.duplicate())
        for channel in 0..<3 {
            let samples = first.samples(channel)
            second.fill(channel) { x, y in UInt8(max(0, Int(samples[y][x]) - 5)) }
            other.fill(channel) { x, y in 255 - samples[y][191 - x] }
        }
    }

    private func harness(_ properties: String = "") throws -> Harness {
        try Harness("personsegment quality=fast mask-format=f32 \(properties)", caps: stream)
    }

    private func values(_ harness: Harness, _ frame: Frame) throws -> [Float] {
        try #require(MaskMeta(try harness.transform(frame))).values
    }

    /// Returns the mask of `frame` in a new stream.
    private func fresh(_ frame: Frame) throws -> [Float] { try values(harness(), frame) }

    @Test func aStillSceneIsSmoothed() throws {
        let harness = try harness()
        let before = try values(harness, first)
        let after = try values(harness, second)
        let new = try fresh(second)
        #expect(before != new)
        #expect(meanDifference(before, after) < 0.7 * meanDifference(before, new))
    }

    @Test func smoothingCanBeTurnedOffWhilePlaying() throws {
        let harness = try harness()
        _ = try values(harness, first)
        harness.set("smoothing", "0")
        #expect(try values(harness, second) == fresh(second))
    }

    @Test func aCutResetsSmoothing() throws {
        let harness = try harness()
        _ = try values(harness, first)
        #expect(try values(harness, other) == fresh(other))
        #expect(try values(harness, second) == fresh(second))
    }

    @Test func aDiscontinuityResetsSmoothing() throws {
        let harness = try harness()
        first.time = 0
        _ = try values(harness, first)
        let late = second.duplicate()
        late.time = 2_000_000_000
        late.buffer.pointee.mini_object.flags |= GST_BUFFER_FLAG_DISCONT.rawValue
        #expect(try values(harness, late) == fresh(second))
    }

    @Test func aSeekResetsSmoothing() throws {
        let harness = try harness()
        _ = try values(harness, first)
        harness.push(event: gst_event_new_flush_start())
        harness.push(event: gst_event_new_flush_stop(1))
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        segment.start = 5_000_000_000
        segment.position = segment.start
        harness.push(event: gst_event_new_segment(&segment))
        let sought = second.duplicate()
        sought.buffer.pointee.pts = segment.start
        #expect(try values(harness, sought) == fresh(second))
    }

    @Test func newCapsResetSmoothing() throws {
        let harness = try harness()
        _ = try values(harness, first)
        harness.setCaps(caps("RGB", 128, 192))
        _ = try values(harness, astronaut(128, 192))
        harness.setCaps(stream)
        #expect(try values(harness, second) == fresh(second))
    }

    @Test func controlsFollowWhilePlaying() throws {
        let harness = try harness()
        func mean(_ property: String, _ value: String, back: String = "0") throws -> (Float, soft: Int) {
            harness.set(property, value)
            defer { harness.set(property, back) }
            let values = try values(harness, first)
            return (values.reduce(0, +) / Float(values.count), values.count { (0.02..<0.98).contains($0) })
        }
        let neutral = try mean("threshold", "0")
        #expect(try mean("threshold", "0.5").soft < neutral.soft / 2)
        #expect(try mean("expand", "5").0 > neutral.0 * 1.05)
        #expect(try mean("expand", "-5").0 < neutral.0 * 0.95)
        #expect(try mean("feather", "10").soft > neutral.soft * 2)
        #expect(try mean("min-area", "100").0 < 0.01)
        let again = try mean("smoothing", "1", back: "0.95")
        #expect(abs(again.0 - neutral.0) < 1e-4)
    }
}
