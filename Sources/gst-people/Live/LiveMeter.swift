import CGStreamer
import CommandKit
import Synchronization

/// Counts frames that pass a pad, and how long ago they were taken.
final class LiveMeter: @unchecked Sendable {
    struct Reading {
        /// Seconds.
        var time = 0.0
        var frames = 0
        /// Of all frames, in nanoseconds.
        var delays = 0.0
    }

    private struct State {
        var reading = Reading()
        var first = Reading()
        var mode: CameraMode?
    }

    // Immutable after init; GStreamer's objects do their own locking.
    private let pipeline: Element
    private let pad: Pad
    private let state = Mutex(State())
    private let started = ContinuousClock.now

    /// - Parameter pad: of an element in `pipeline`, which outlives this object's use.
    init(_ pipeline: Element, _ pad: Pad) {
        (self.pipeline, self.pad) = (pipeline, pad)
        onBuffer(pad) { [weak self] info in self?.count(info) }
    }

    // MARK: - Results

    /// Where the run is.
    var now: Reading {
        var reading = state.withLock { $0.reading }
        reading.time = seconds
        return reading
    }

    /// Where it was at the first frame, or at the start.
    var first: Reading { state.withLock { $0.first } }

    /// What the first frame was; nil before.
    var mode: CameraMode? { state.withLock { $0.mode } }

    // MARK: - Times

    /// The running time at which a frame was taken, and how long that is ago, in nanoseconds; nil without a clock.
    func times(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> (taken: UInt64, delay: Int64)? {
        guard let data = info.pointee.data, let clock = gst_element_get_clock(pipeline) else { return nil }
        defer { gst_object_unref(clock) }
        guard let event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return nil }
        defer { gst_event_unref(event) }
        var segment: UnsafePointer<GstSegment>?
        gst_event_parse_segment(event, &segment)
        let time = data.assumingMemoryBound(to: GstBuffer.self).pointee.pts
        let taken = UInt64(gst_segment_to_running_time(segment, GST_FORMAT_TIME, guint64(time)))
        guard taken != .max else { return nil }
        let now = UInt64(gst_clock_get_time(clock) &- gst_element_get_base_time(pipeline))
        return (taken, Int64(bitPattern: now &- taken))
    }

    private func count(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let times = times(info) else { return }
        let isFirst = state.withLock { state in
            state.reading.frames += 1
            state.reading.delays += Double(max(0, times.delay))
            return state.reading.frames == 1
        }
        if isFirst { start() }
    }

    private func start() {
        let caps = gst_pad_get_current_caps(pad)
        defer { if let caps { gst_caps_unref(caps) } }
        let mode = caps.flatMap { gst_caps_get_structure($0, 0) }.flatMap { CameraMode($0) }
        let seconds = seconds
        state.withLock { state in
            state.mode = mode
            state.first.time = seconds
        }
    }

    private var seconds: Double { (ContinuousClock.now - started).inSeconds }
}

extension LiveMeter.Reading {
    /// Frames per second and mean latency since `earlier`, for users.
    func speed(since earlier: LiveMeter.Reading) -> String {
        let (frames, seconds) = (frames - earlier.frames, max(time - earlier.time, 1e-3))
        let latency =
            frames > 0
            ? "\(((delays - earlier.delays) / Double(frames) / 1e6).text(decimals: 0)) ms" : "unknown"
        return "\((Double(frames) / seconds).text(decimals: 1)) frames/s, latency \(latency)"
    }
}
