import CGStreamer
import TestSupport
import Testing

/// Masks of the frames of a stream.
struct MaskStreamTests {
    let picture: Frame
    let stream: String

    init() throws {
        picture = try astronaut(192, 128)
        stream = caps("RGB", 192, 128)
        picture.time = 0
    }

    private func harness(_ properties: String) throws -> Harness {
        try Harness("personsegment quality=fast \(properties)", caps: stream)
    }

    /// Nanoseconds from one frame to the next.
    private let step: UInt64 = 40_000_000

    /// Ages, in frames, of the masks of `count` more frames, each of which comes one frame after the previous
    /// one.
    private func ages(_ harness: Harness, _ count: Int) throws -> [UInt64?] {
        try (0..<count).map { _ in try age(harness) }
    }

    private func age(_ harness: Harness) throws -> UInt64? {
        defer { picture.time += step }
        return MaskMeta(try harness.transform(picture))?.time("age").map { $0 / step }
    }

    @Test func analysesEveryFrameByDefault() throws {
        #expect(try ages(harness(""), 4) == [0, 0, 0, 0])
    }

    @Test func carriesTheLastMaskBetweenInferences() throws {
        let harness = try harness("inference-interval=3")
        let masks = try (0..<5).compactMap { index in
            picture.time = 7 * step + UInt64(index) * step
            return MaskMeta(try harness.transform(picture))
        }
        #expect(masks.map { $0.time("age") } == [0, step, 2 * step, 0, step])
        #expect(masks.map { $0.time("interval") } == Array(repeating: 3 * step, count: 5))
        #expect(masks.map { $0.time("timestamp") } == (7..<12).map { $0 * step })
        let buffers = masks.map(\.buffer)
        #expect(buffers[0] == buffers[1] && buffers[1] == buffers[2] && buffers[3] == buffers[4])
        #expect(buffers[2] != buffers[3])
    }

    @Test func aMaskThatIsKeptDoesNotChange() throws {
        let harness = try harness("")
        let first = MaskMeta(try harness.transform(picture))
        let values = first?.values
        picture.fillBytes(with: 0)
        let second = MaskMeta(try harness.transform(picture))
        #expect(first?.values == values)
        #expect(second?.values != values)
    }

    @Test func startsAnewAfterAFlush() throws {
        let harness = try harness("inference-interval=4")
        #expect(try ages(harness, 2) == [0, 1])
        harness.push(event: gst_event_new_flush_start())
        harness.push(event: gst_event_new_flush_stop(1))
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        harness.push(event: gst_event_new_segment(&segment))
        #expect(try ages(harness, 2) == [0, 1])
    }

    @Test func startsAnewAfterALoss() throws {
        let harness = try harness("inference-interval=4")
        #expect(try ages(harness, 2) == [0, 1])
        picture.time += 2_000_000_000
        picture.buffer.pointee.mini_object.flags |= GST_BUFFER_FLAG_DISCONT.rawValue
        #expect(try age(harness) == 0)
        picture.buffer.pointee.mini_object.flags &= ~GST_BUFFER_FLAG_DISCONT.rawValue
        #expect(try ages(harness, 1) == [1])
    }

    /// Frames that are dropped on the way do not make a mask younger.
    @Test func aMaskDoesNotOutliveItsInterval() throws {
        let harness = try harness("inference-interval=3")
        #expect(try age(harness) == 0)
        picture.time += step
        #expect(try age(harness) == 2)
        #expect(try age(harness) == 0)
        picture.time += 2_030_000_000
        #expect(try age(harness) == 0)
        picture.time -= 5 * step
        #expect(try age(harness) == 0)
    }

    /// A clock that was set back stands still until it has caught up, and so do the times of a camera's
    /// frames.
    @Test func aMaskDoesNotOutliveItsIntervalWhileTimeStandsStill() throws {
        let harness = try harness("inference-interval=3")
        let masks = try (0..<7).compactMap { _ in MaskMeta(try harness.transform(picture)) }
        let firsts = masks.map { mask in masks.firstIndex { $0.buffer == mask.buffer } }
        #expect(firsts == [0, 0, 0, 3, 3, 3, 6])
    }

    /// The times of a camera's frames are uneven.
    @Test func theIntervalToleratesJitter() throws {
        let harness = try harness("inference-interval=3")
        let times: [UInt64] = [0, 43, 78, 119, 161, 202, 239]
        let ages = try times.map { time in
            picture.time = time * 1_000_000
            return MaskMeta(try harness.transform(picture))?.time("age").map { $0 / 1_000_000 }
        }
        #expect(ages == [0, 43, 78, 0, 42, 83, 0])
    }

    @Test func countsFramesWithoutTimes() throws {
        let harness = try harness("inference-interval=3")
        picture.buffer.pointee.pts = .max
        let masks = try (0..<4).compactMap { _ in MaskMeta(try harness.transform(picture)) }
        #expect(masks.map { $0.time("age") } == [0, step, 2 * step, 0])
        #expect(masks.allSatisfy { $0.time("timestamp") == nil })
    }

    @Test func replacesAnotherMask() throws {
        try HandMadeMask(width: 4, height: 4) { _, _ in 0 }.attach(to: picture)
        let result = try harness("").transform(picture)
        #expect(MaskMeta(result)?.int("width") == 256)
        #expect(MaskMeta.count(on: result) == 1)
    }

    @Test func followsAChangeOfCaps() throws {
        let harness = try harness("inference-interval=4")
        #expect(try ages(harness, 2) == [0, 1])
        let tall = try astronaut(128, 192, "I420")
        harness.setCaps(caps("I420", 128, 192))
        let mask = MaskMeta(try harness.transform(tall))
        #expect(mask?.time("age") == 0)
        #expect(mask?.int("height") == 256)
        #expect(mask?.int("frame-height") == 192)
        harness.setCaps(stream)
        #expect(MaskMeta(try harness.transform(picture))?.int("height") == 144)
    }

    @Test func worksAfterEachRestart() throws {
        let harness = try harness("inference-interval=4")
        for _ in 0..<3 {
            #expect(try ages(harness, 2) == [0, 1])
            harness.restart()
            picture.time = 0
            harness.setCaps(stream)
        }
    }

    @Test func followsPropertiesWhilePlaying() throws {
        let harness = try harness("")
        #expect(MaskMeta(try harness.transform(picture))?.int("width") == 256)
        let balanced = try mask(harness, after: "balanced")
        #expect(balanced.int("height") == picture.height)
        harness.set("mask-format", "f16")
        let fast: MaskMeta? = try mask(harness, after: "fast")
        #expect(fast?.string("format") == "f16")
        #expect(fast?.int("stride") == 512)
        harness.set("inference-interval", "2")
        picture.time += step
        #expect(try ages(harness, 2) == [1, 0])
    }

    /// Returns the first mask of a level that is set while frames come; until then they have those of the former level.
    private func mask(_ harness: Harness, after level: String) throws -> MaskMeta {
        let former = MaskMeta(try harness.transform(picture))?.string("quality")
        harness.set("quality", level)
        #expect(MaskMeta(try harness.transform(picture))?.string("quality") == former)
        let end = ContinuousClock.now + .seconds(Patience.program)
        while ContinuousClock.now < end {
            picture.time += step
            let mask = try #require(MaskMeta(try harness.transform(picture)))
            if mask.string("quality") == level { return mask }
            #expect(mask.string("quality") == former)
        }
        throw SetupFailure("no mask of the level \(level)")
    }

    /// The level may change again, and the stream may end, while models are loaded.
    @Test func forgetsALevelThatIsSetBack() throws {
        let harness = try harness("")
        for level in ["balanced", "accurate", "fast", "balanced", "fast"] {
            harness.set("quality", level)
            #expect(MaskMeta(try harness.transform(picture))?.string("quality") == "fast")
        }
        harness.set("quality", "balanced")
        _ = try harness.transform(picture)
        harness.restart()
    }
}
