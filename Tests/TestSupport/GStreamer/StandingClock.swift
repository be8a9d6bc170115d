import CGStreamer
import CGStreamerCheck
import GStreamerKit

/// A clock for a pipeline that is stopped unless a test advances it.
public final class StandingClock {
    private let reference: ObjectReference
    private var raw: UnsafeMutablePointer<GstTestClock> {
        reference.pointer.assumingMemoryBound(to: GstTestClock.self)
    }
    fileprivate var clock: UnsafeMutablePointer<GstClock> {
        UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstClock.self)
    }

    /// Makes a clock with a time in nanoseconds.
    public init(at time: UInt64) throws {
        TestedPlugin.load()
        guard let clock = gst_test_clock_new_with_start_time(GstClockTime(time)) else {
            throw SetupFailure("no clock")
        }
        reference = ObjectReference(taking: clock)
    }

    /// Advances the clock, in nanoseconds.
    public func advance(by time: UInt64) { gst_test_clock_advance_time(raw, GstClockTimeDiff(time)) }

    /// Waits until a thread waits for the clock; false if none does.
    public func isAwaited() -> Bool {
        gst_test_clock_timed_wait_for_multiple_pending_ids(raw, 1, guint(Patience.event * 1000), nil) != 0
    }

    /// Releases the thread that waits for the nearest time; does nothing if no thread waits.
    ///
    /// Without this call, even a wait for a time that has passed does not end.
    public func letGo() {
        if gst_test_clock_peek_next_pending_id(raw, nil) != 0 { gst_test_clock_crank(raw) }
    }
}

extension Pipeline {
    /// Uses `clock` from the next change of state to `PLAYING` on.
    public func use(_ clock: StandingClock) {
        gst_pipeline_use_clock(
            UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstPipeline.self), clock.clock)
    }
}
