import CGStreamer
import TestSupport
import Testing

/// The clock of a live pipeline jumps while it plays: frames go on, each with a mask of its own scene.
struct ClockJumpTests {
    private static let step: UInt64 = 40_000_000
    private static let hour: UInt64 = 3_600_000_000_000
    private let clock: StandingClock
    private let pipeline: Pipeline
    private let person, nobody: Frame

    init() throws {
        ElementCase.keepModels
        (person, nobody) = try (astronaut(96, 64, "GRAY8"), Frame(caps("GRAY8", 96, 64)))
        nobody.fillBytes(with: 255)
        // The source sets the clock's time on frames without a time.
        for frame in [person, nobody] { frame.time = .max }
        clock = try StandingClock(at: 600 * Self.hour)
        // A sink that waits for the clock, reports lateness, and drops late frames.
        pipeline = try Pipeline(
            "appsrc name=source is-live=true do-timestamp=true format=time caps=\(nobody.caps) "
                + "! personsegment name=segment quality=fast inference-interval=3 ! blendmask keep-mask=true "
                + "! appsink name=sink sync=true qos=true max-lateness=20000000 processing-deadline=0")
        pipeline.use(clock)
        try #require(pipeline.start())
    }

    /// Plays a frame at the clock's time.
    private func show(_ frame: Frame, by clock: StandingClock) throws -> (frame: Frame, mask: MaskMeta) {
        pipeline.push(frame, to: "source")
        // A minute is far more than a frame takes.
        for _ in 0..<6000 {
            if let shown = pipeline.pullSample(from: "sink", within: 0.01) {
                return (shown, try #require(MaskMeta(shown)))
            }
            clock.letGo()
        }
        throw SetupFailure("no frame came: \(pipeline.messages())")
    }

    private func isCovered(_ frame: Frame) -> Bool {
        frame.samples(0).allSatisfy { $0.allSatisfy { $0 < 32 } }
    }

    /// Plays frames with a person, who must be visible in the last one.
    private func showPerson(_ count: Int) throws {
        var last: Frame?
        for _ in 0..<count {
            clock.advance(by: Self.step)
            last = try show(person, by: clock).frame
        }
        #expect(try !isCovered(#require(last)))
    }

    @Test func aJumpForwardEndsTheLastMask() throws {
        try showPerson(2)
        for jump in [1, 24] {
            clock.advance(by: UInt64(jump) * Self.hour)
            // Without the jump, the mask of the person who has gone would be used for one more frame.
            for _ in 0..<4 {
                clock.advance(by: Self.step)
                let (frame, mask) = try show(nobody, by: clock)
                #expect(isCovered(frame) && mask.time("age").map { $0 <= 2 * Self.step } == true)
            }
            try showPerson(4)
        }
        #expect(pipeline.messages().isEmpty)
    }

    /// GStreamer's clocks stand still after they were set back, until they have caught up: all frames have
    /// one time.
    @Test func noFrameIsLostWhileTheClockStandsStill() throws {
        // A sink that waits for the clock would not continue, and after its reports GStreamer drops frames
        // with equal times.
        pipeline.set("sink", "sync", "false")
        pipeline.set("sink", "qos", "false")
        try showPerson(2)
        let shown = try (0..<7).map { _ in try show(nobody, by: clock) }
        #expect(Set(shown.map(\.frame.time)).count == 1)
        // The last mask from before is used for the rest of its three frames.
        #expect(shown.dropFirst().allSatisfy { isCovered($0.frame) })
        #expect(Set(shown.dropFirst().map(\.mask.buffer)).count == 2)
        try showPerson(4)
        #expect(pipeline.messages().isEmpty)
    }

    @Test func aWaitForAClockThatStandsStillEndsWithThePipeline() throws {
        try showPerson(2)
        nobody.time = Self.hour
        pipeline.push(nobody, to: "source")
        try #require(clock.isAwaited())
        #expect(pipeline.set(state: GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS)
    }
}
