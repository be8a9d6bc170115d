import CGStreamer
import GStreamerKit
import TestSupport
import Testing

/// The way from a failure of an element to the application.
struct ElementErrorTests {
    private static let caps = "video/x-raw,format=GRAY8,width=4,height=2,framerate=25/1"

    private func isTheFailure(_ message: BusMessage?, _ kind: BusMessage.Kind) -> Bool {
        guard let message else { return false }
        return message.is(kind, gst_resource_error_quark(), GST_RESOURCE_ERROR_SETTINGS.rawValue)
            && message.text == "The probe failed as asked." && message.source.hasPrefix("peopletestprobe")
    }

    @Test func failsTheStateChange() throws {
        #expect(hasProbe)
        let pipeline = try Pipeline("videotestsrc ! peopletestprobe failing=start ! fakesink")
        #expect(pipeline.set(state: GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE)
        #expect(isTheFailure(pipeline.nextMessage(), .error))
    }

    @Test func failsNegotiation() throws {
        let harness = try probe("failing=caps", caps: Self.caps)
        #expect(harness.push(try Frame(Self.caps)) == GST_FLOW_NOT_NEGOTIATED)
        #expect(isTheFailure(harness.nextMessage(), .error))
    }

    @Test func endsTheStream() throws {
        let harness = try probe("failing=frame", caps: Self.caps)
        #expect(harness.push(try Frame(Self.caps)) == GST_FLOW_ERROR)
        #expect(isTheFailure(harness.nextMessage(), .error))
        #expect(harness.pull() == nil)
    }

    @Test(arguments: ["warning", "worker"])
    func goesOnAfterAWarning(_ place: String) throws {
        let harness = try probe("failing=\(place)", caps: Self.caps)
        #expect(Note(try harness.transform(Frame(Self.caps))) != nil)
        #expect(isTheFailure(harness.nextMessage(), .warning))
    }

    @Test func startsAgainAfterAFailure() throws {
        let harness = try probe("failing=frame", caps: Self.caps)
        #expect(harness.push(try Frame(Self.caps)) == GST_FLOW_ERROR)
        harness.set("failing", "never")
        harness.restart()
        harness.setCaps(Self.caps)
        #expect(Note(try harness.transform(Frame(Self.caps))) != nil)
    }
}
