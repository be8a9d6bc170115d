import CommandKit
import GStreamerKit
import Synchronization

/// Counts what has been made of a file.
///
/// Counted on streaming threads, read by the main one.
final class Progress: Sendable {
    private struct State {
        var frames = 0
        var first: UInt64?
        var end: UInt64 = 0
    }

    private let state = Mutex(State())
    private let started = ContinuousClock.now

    /// Counts a frame; times are in nanoseconds of the stream.
    func count(presented time: UInt64?, duration: UInt64) {
        state.withLock { state in
            state.frames += 1
            guard let time else { return }
            state.first = min(state.first ?? time, time)
            state.end = max(state.end, time.addingReportingOverflow(duration).partialValue)
        }
    }

    /// Counts the buffers that pass `pad`.
    func count(_ pad: GStreamer.Pad) {
        pad.onBuffer { [self] info in
            guard let buffer = info.buffer else { return }
            count(presented: buffer.presentationTime, duration: buffer.duration ?? 0)
        }
    }

    /// The progress until now.
    ///
    /// - Parameter total: length of the input in nanoseconds, if known.
    func snapshot(total: UInt64?) -> ProgressSnapshot {
        let state = state.withLock { $0 }
        let done = Double(state.end &- (state.first ?? state.end))
        let share = total.flatMap { $0 > 0 ? min(1, done / Double($0)) : nil }
        return ProgressSnapshot(
            frames: state.frames, mediaSeconds: done / 1e9,
            elapsed: (ContinuousClock.now - started).inSeconds,
            share: share)
    }
}

/// The progress of a file at one moment.
struct ProgressSnapshot: Equatable {
    var frames: Int
    /// Length of what was composed.
    var mediaSeconds: Double
    /// Seconds since the start.
    var elapsed: Double
    /// The share of the input that is done, 0 to 1; nil when its length is unknown.
    var share: Double?
    /// Share and frames that were there before the start.
    var shareBefore = 0.0
    var framesBefore = 0

    var framesPerSecond: Double { elapsed > 0 ? Double(frames) / elapsed : 0 }
    /// Seconds until the end at the pace until now.
    var secondsLeft: Double? {
        share.flatMap { $0 > shareBefore ? elapsed / ($0 - shareBefore) * (1 - $0) : nil }
    }
}
