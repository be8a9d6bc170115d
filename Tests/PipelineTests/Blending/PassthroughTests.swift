import CGStreamer
import TestSupport
import Testing

/// Frames that stay unchanged cost nothing.
struct PassthroughTests {
    let frame: Frame

    init() throws {
        frame = try Frame(caps("I420", 64, 32))
        frame.fillBytes(with: 99)
    }

    private func harness(_ properties: String) throws -> Harness {
        try Harness("blendmask \(properties)", caps: frame.caps)
    }

    /// Whether the output is the same buffer as the input, although the buffer has another owner.
    private func passes(_ harness: Harness) throws -> Bool {
        #expect(harness.push(shared: frame) == GST_FLOW_OK)
        return try #require(harness.pull()).buffer == frame.buffer
    }

    @Test(arguments: [
        "background-source=original", "background-source=original no-mask=error",
        "background-source=original light-wrap=1 decontaminate=true invert=true",
        "background-source=original halo-color=0xffff0000 shadow-x=9 background-color=0xffff0000",
    ])
    func passesFramesThatNothingChanges(_ properties: String) throws {
        #expect(try passes(harness(properties)))
    }

    @Test(arguments: [
        "", "background-source=color", "background-source=transparent", "background-source=pose",
        "background-source=picture", "show=mask background-source=original",
        "background-source=original blur=1", "background-source=original exposure=-0.5",
        "background-source=original desaturate=0.1", "background-source=original halo-width=0.5",
        "background-source=original shadow-opacity=0.1",
    ])
    func hidesWithoutAMask(_ properties: String) throws {
        let harness = try harness(properties)
        let before = frame.duplicate()
        #expect(harness.push(shared: frame) == GST_FLOW_OK)
        let shown = try #require(harness.pull())
        #expect(shown.buffer != frame.buffer)
        #expect(!shown.samples(0).joined().contains(99))
        #expect(frame.hasSameSamples(as: before), "the other holder's frame has changed")
    }

    @Test func followsEveryChange() throws {
        let harness = try harness("background-source=original")
        for (property, off, on) in [
            ("blur", "0", "10"), ("exposure", "0", "-1"), ("desaturate", "0", "1"), ("halo-width", "0", "1"),
            ("shadow-opacity", "0", "1"), ("background-source", "original", "color"),
            ("show", "result", "mask"),
        ] {
            #expect(try passes(harness))
            harness.set(property, on)
            #expect(try !passes(harness), "\(property)")
            harness.set(property, off)
        }
        #expect(try passes(harness))
        #expect(harness.messages() == [])
    }

    // MARK: - Other memory

    private static let other = "video/x-raw(memory:DMABuf),format=I420,width=64,height=32,framerate=25/1"

    @Test func passesFramesInAnyMemory() throws {
        let harness = try Harness("blendmask background-source=original", caps: Self.other)
        #expect(try passes(harness))
        #expect(CapsFields(harness.outputCaps).features == "memory:DMABuf")
        #expect(harness.messages() == [])
    }

    @Test(arguments: [("", false), ("background-source=original", true)])
    func acceptsOtherFormatsOnlyWhenIdle(_ properties: String, _ isIdle: Bool) throws {
        let harness = try Harness("blendmask \(properties)", caps: frame.caps)
        #expect(harness.accepts(frame.caps))
        #expect(harness.accepts(Self.other) == isIdle)
        #expect(harness.accepts("video/x-raw,format=I420,width=32769,height=2,framerate=25/1") == isIdle)
        #expect(!harness.accepts("audio/x-raw"))
    }

    @Test func takesNoOtherMemoryToWorkOn() throws {
        let harness = try Harness("blendmask", caps: Self.other)
        #expect(harness.push(frame) == GST_FLOW_NOT_NEGOTIATED)
        #expect(harness.pull() == nil)
    }

    /// A frame that must be hidden from now on does not pass in the memory in which it came.
    @Test func failsNegotiationWhenItMustProcessOtherMemory() throws {
        let harness = try Harness("blendmask background-source=original", caps: Self.other)
        #expect(try passes(harness))
        harness.set("background-source", "color")
        #expect(harness.push(frame) == GST_FLOW_NOT_NEGOTIATED)
        #expect(harness.pull() == nil)
        // The base class has posted a warning before.
        let error = harness.messages().first { $0.kind == .error }
        #expect(error?.is(.error, gst_core_error_quark(), GST_CORE_ERROR_NEGOTIATION.rawValue) == true)
    }

    @Test func doesNotTouchMetadata() throws {
        let frame = frame.duplicate()
        try HandMadeMask(width: 4, height: 4) { _, _ in 0 }.attach(to: frame)
        #expect(MaskMeta(try harness("background-source=original").transform(frame)) != nil)
    }

    @Test func convertsForADownstreamOfAnotherFormat() throws {
        let harness = try Harness(
            "blendmask background-source=original", caps: frame.caps, downstream: "video/x-raw,format=NV12")
        #expect(try harness.transform(frame).samples(0) == frame.samples(0))
    }

    @Test func leavesAllocationToDownstream() throws {
        // The harness's sink proposes nothing, so the element must not promise anything in its name.
        let passing = try harness("background-source=original")
        _ = try passes(passing)
        #expect(!passing.proposesVideoMeta(for: frame.caps))
        let blending = try harness("")
        _ = try passes(blending)
        #expect(blending.proposesVideoMeta(for: frame.caps))
    }
}
