import Threads

/// Frames of a clip on an endless time line, one round of the clip after the other.
///
/// A decoder adds frames ahead of their time and waits when there are enough. The stream reads the frame for
/// each of its own times. Times are in nanoseconds.
package final class ClipTimeline<Frame: Sendable>: Sendable {
    private let state = Monitor(State())
    private let capacity: Int
    private let patience: Int64

    /// - Parameters:
    ///   - capacity: number of frames that are decoded ahead.
    ///   - patience: longest wait for a late frame, in microseconds; once for each time that the clip becomes
    ///     late.
    package init(capacity: Int, patience: Int64) {
        self.capacity = max(1, capacity)
        self.patience = patience
    }

    // MARK: - The decoder's side

    /// Adds the next frame; waits until the queue has room.
    ///
    /// - Parameters:
    ///   - time: time of the frame in the clip; only differences within a round matter. A frame without a
    ///     time follows the frame before it.
    ///   - make: makes the frame; not called for a frame whose time is over.
    /// - Returns: false when no more frames are wanted.
    package func add(at time: Int64?, duration: Int64?, _ make: () -> Frame?) -> Bool {
        let place = state.wait { [capacity] state -> Place? in
            if state.isOver { return .some(.nowhere) }
            return state.queue.count < capacity ? state.place(time, duration) : nil
        }
        switch place {
        case .onTime(let start, let end):
            guard let frame = make() else { return true }
            return state.update { state in
                state.queue.append(Entry(frame: frame, start: start, end: end))
                return !state.isOver
            }
        case .late: return true
        case .nowhere: return false
        }
    }

    /// Ends a round: the next frame follows the last one.
    ///
    /// - Returns: false when the round had no frame.
    package func endRound() -> Bool { state.update { $0.endRound() } }

    /// Ends the clip: no more frames come, and the last one stays.
    package func end() { state.update { $0.isOver = true } }

    // MARK: - The stream's side

    /// Number of waits for late frames.
    package var waitCount: Int { state.update { $0.waitCount } }

    /// Returns the frame for a time of the stream; the first call starts the clip.
    ///
    /// If the stream's time jumps back, the clip goes on from its position. If the right frame is not there
    /// yet, the newest frame is returned.
    ///
    /// - Returns: nil until the first frame has been added.
    package func frame(at time: UInt64?) -> Frame? {
        let deadline = Deadline(in: Double(patience) / 1e6)
        var isOnTime = state.update { state in
            state.move(to: time)
            if state.advance() || state.isLate || state.isOver { return true }
            state.waitCount += 1
            return false
        }
        while !isOnTime, state.wait(until: deadline, for: { $0.hasNews ? true : nil }) != nil {
            isOnTime = state.update { $0.advance() || $0.isOver }
        }
        return state.update { $0.settle() }
    }
}

// MARK: - State

extension ClipTimeline {
    fileprivate struct Entry: Sendable {
        let frame: Frame
        let start: Int64
        let end: Int64?
    }

    fileprivate enum Place {
        case onTime(start: Int64, end: Int64?)
        case late, nowhere
    }

    fileprivate struct State: Sendable {
        var queue: [Entry] = []
        var isOver = false
        // The decoder's side: start of the round, and its newest frame.
        private var roundStart: Int64 = 0
        private var roundTime: Int64?
        private var newest: (start: Int64, end: Int64)?
        private var skipped = 0
        // The stream's side: position = time - origin.
        private var current: Entry?
        private var origin: Int64?
        private var time: Int64 = 0
        private var position: Int64 = 0
        private(set) var isLate = false
        var waitCount = 0
    }
}

/// Time from a frame without a duration to a following frame without a time.
private let usualStep: Int64 = 40_000_000
/// Lag up to which a clip catches up with the stream; a clip with a larger lag goes on from its position.
private let greatestLag: Int64 = 1_000_000_000
/// Maximum number of late frames left out in a row, so that a decoder that is too slow still shows some.
private let maximumSkipped = 8

extension ClipTimeline.State {
    // MARK: - The decoder's side

    mutating func place(_ time: Int64?, _ duration: Int64?) -> ClipTimeline.Place {
        let start = start(of: time)
        let step = newest.map { start &- $0.start } ?? usualStep
        newest = (start, start &+ (duration ?? step))
        guard let duration, origin != nil, start &+ duration <= position, skipped < maximumSkipped else {
            skipped = 0
            return .onTime(start: start, end: duration.map { start &+ $0 })
        }
        skipped += 1
        return .late
    }

    /// Returns the start of a frame of this round; a frame that is not later than the one before it
    /// follows that one.
    private mutating func start(of time: Int64?) -> Int64 {
        guard let time else { return newest?.end ?? roundStart }
        let base = roundTime ?? time
        roundTime = base
        let start = roundStart &+ (time &- base)
        guard let newest, start <= newest.start else { return max(start, roundStart) }
        roundTime = time &- (newest.end &- roundStart)
        return newest.end
    }

    mutating func endRound() -> Bool {
        guard let newest else { return false }
        roundStart = max(newest.end, newest.start &+ 1)
        (self.newest, roundTime) = (nil, nil)
        return true
    }

    // MARK: - The stream's side

    var hasNews: Bool { !queue.isEmpty || isOver }

    mutating func move(to next: UInt64?) {
        let next = next.map { Int64(clamping: $0) } ?? time
        let start = next < time ? nil : origin
        origin = start ?? next &- position
        (time, position) = (next, start.map { next &- $0 } ?? position)
    }

    /// Makes the frame at the position the current one; false when a later frame for the position may still
    /// come.
    mutating func advance() -> Bool {
        while let next = queue.first, next.start <= position {
            current = next
            queue.removeFirst()
        }
        return !queue.isEmpty || current?.end.map { $0 > position } ?? false
    }

    /// Returns the current frame, and decides whether the next call waits for a late frame.
    mutating func settle() -> Frame? {
        isLate = !advance()
        if isLate { slip() }
        return current?.frame
    }

    private mutating func slip() {
        guard let current else {
            // The clip starts with its first frame, however long that takes.
            (origin, position) = (nil, 0)
            return
        }
        let reached = current.end ?? current.start
        let lag = position &- reached
        guard lag > greatestLag else { return }
        origin = origin.map { $0 &+ lag }
        position = reached
    }
}
