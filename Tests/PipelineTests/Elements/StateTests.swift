import CGStreamer
import TestSupport
import Testing

/// Changes of state, as in GStreamer's test `generic/states`.
struct StateTests {
    static let states = [GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING]

    @Test(arguments: ElementCase.all)
    func entersEveryStateFromEveryOther(_ element: ElementCase) throws {
        let bare = try BareElement(element.name, element.properties)
        for before in Self.states {
            for after in Self.states {
                #expect(bare.enter(before) && bare.enter(after), "\(before) to \(after)")
            }
        }
        #expect(bare.dispose())
    }

    @Test(arguments: ElementCase.all)
    func isReleasedWithItsLastReference(_ element: ElementCase) throws {
        for state in Self.states {
            let bare = try BareElement(element.name, element.properties)
            #expect(bare.enter(state) && bare.dispose())
        }
    }

    @Test(arguments: ElementCase.all)
    func worksAfterEachStart(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let harness = try element.harness(frame.caps)
        for _ in 0..<3 {
            #expect(try element.works(harness, on: frame))
            harness.restart()
            harness.setCaps(frame.caps)
        }
        harness.pause()
        #expect(try element.works(harness, on: frame))
        #expect(element.complaints(harness.messages()) == [])
    }

    /// Whether GStreamer's pads have refused a frame behind an event that was not delivered: as not
    /// negotiated behind caps, as an error otherwise.
    ///
    /// With videobalance in place of these elements, one of 60 000 frames is refused as not negotiated. The
    /// elements post their own failures as errors.
    private func isRefusedByPads(_ flow: GstFlowReturn, _ harness: Harness) -> Bool {
        [GST_FLOW_NOT_NEGOTIATED, GST_FLOW_ERROR].contains(flow)
            && !harness.messages().contains { $0.kind == .error }
    }

    /// Frames that arrive while the element stops and starts are processed, refused or dropped; none passes
    /// unchanged.
    @Test(arguments: ElementCase.all)
    func startsAndStopsWhileFramesCome(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let harness = try element.harness(frame.caps)
        harness.underStress {
            for _ in 0..<150 {
                let flow = harness.push(frame)
                let isHandled = [GST_FLOW_OK, GST_FLOW_FLUSHING, GST_FLOW_NOT_LINKED].contains(flow)
                #expect(isHandled || isRefusedByPads(flow, harness), "\(flow)")
                while let result = harness.pull() { #expect(element.hasWorked(on: result)) }
            }
        }
        harness.restart()
        harness.setCaps(frame.caps)
        while harness.pull() != nil {}
        #expect(try element.works(harness, on: frame))
    }
}
