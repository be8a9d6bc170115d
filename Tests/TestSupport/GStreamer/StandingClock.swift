import CGStreamer
import CGStreamerCheck
import GStreamerKit

/// A pipeline's clock that stands still unless a test moves it.
public final class StandingClock {
    private let reference: ObjectReference
    private var raw: UnsafeMutablePointer<GstTestClock> {
        reference.pointer.assumingMemoryBound(to: GstTestClock.self)
    }
    fileprivate var clock: UnsafeMutablePointer<GstClock> {
        UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstClock.self)
    }

    /// A clock that shows `time`, in nanoseconds.
    public init(at time: UInt64) throws {
        TestedPlugin.load()
        guard let clock = gst_test_clock_new_with_start_time(GstClockTime(time)) else {
            throw SetupFailure("no clock")
        }
        reference = ObjectReference(taking: clock)
    }

    /// Goes on, in nanoseconds.
    public func advance(by time: UInt64) { gst_test_clock_advance_time(raw, GstClockTimeDiff(time)) }

    /// Waits until somebody waits for it; false when nobody does.
    public func isAwaited() -> Bool {
        gst_test_clock_timed_wait_for_multiple_pending_ids(raw, 1, guint(Patience.event * 1000), nil) != 0
    }

    /// Lets the one go on who waits for the nearest time; does nothing while nobody waits.
    ///
    /// Without this even who waits for a time that has passed waits on.
    public func letGo() {
        if gst_test_clock_peek_next_pending_id(raw, nil) != 0 { gst_test_clock_crank(raw) }
    }
}

extension Pipeline {
    /// Plays by `clock` from the next change of state to `PLAYING` on.
    public func use(_ clock: StandingClock) {
        gst_pipeline_use_clock(
            UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstPipeline.self), clock.clock)
    }
}
