import CommandKit
import GStreamerKit
import Synchronization

/// Counts the frames that pass a pad, and measures their latency.
final class LiveMeter: Sendable {
    struct Reading {
        /// Time since the start, in seconds.
        var time = 0.0
        var frames = 0
        /// Sum of the latencies of all frames, in nanoseconds.
        var delays = 0.0
    }

    private struct State {
        var reading = Reading()
        var first = Reading()
        var mode: CameraMode?
    }

    private let pipeline: GStreamer.Element
    private let state = Mutex(State())
    private let started = ContinuousClock.now

    /// Starts to count.
    ///
    /// - Parameter pad: a pad of an element in `pipeline`.
    init(_ pipeline: GStreamer.Element, _ pad: GStreamer.Pad) {
        self.pipeline = pipeline
        pad.onBuffer { [weak self] info in self?.count(info) }
    }

    // MARK: - Results

    /// The current reading.
    var now: Reading {
        var reading = state.withLock { $0.reading }
        reading.time = seconds
        return reading
    }

    /// The reading at the first frame, or at the start.
    var first: Reading { state.withLock { $0.first } }

    /// The mode of the first frame; nil before it.
    var mode: CameraMode? { state.withLock { $0.mode } }

    // MARK: - Times

    /// Returns the running time at which a frame was taken, and its age, in nanoseconds; nil without a clock.
    func times(_ info: GStreamer.ProbeInfo) -> (taken: UInt64, delay: Int64)? {
        guard let time = info.buffer?.presentationTime, let clock = pipeline.clockTime,
            let taken = info.pad.segment?.runningTime(of: time)
        else { return nil }
        return (taken, Int64(bitPattern: clock &- pipeline.baseTime &- taken))
    }

    private func count(_ info: GStreamer.ProbeInfo) {
        guard let times = times(info) else { return }
        let isFirst = state.withLock { state in
            state.reading.frames += 1
            state.reading.delays += Double(max(0, times.delay))
            return state.reading.frames == 1
        }
        if isFirst { start(info.pad.currentCaps) }
    }

    private func start(_ caps: GStreamer.Caps?) {
        let mode = caps.flatMap { CameraMode($0) }
        let seconds = seconds
        state.withLock { state in
            state.mode = mode
            state.first.time = seconds
        }
    }

    private var seconds: Double { (ContinuousClock.now - started).inSeconds }
}

extension LiveMeter.Reading {
    /// Returns the frames per second and the mean latency since `earlier`, for users.
    func speed(since earlier: LiveMeter.Reading) -> String {
        let (frames, seconds) = (frames - earlier.frames, max(time - earlier.time, 1e-3))
        let latency =
            frames > 0
            ? "\(((delays - earlier.delays) / Double(frames) / 1e6).text(decimals: 0)) ms" : "unknown"
        return "\((Double(frames) / seconds).text(decimals: 1)) frames/s, latency \(latency)"
    }
}
