/// Which views of a stream's frames are searched for new faces, and when.
///
/// Large upright faces are searched for once in an interval. Small ones are searched for in a round of views, one view at
/// a time, which takes nine intervals. Each round has one rotated view, so that rotated faces are searched for once in six
/// rounds. The schedule follows the stream's own time, so that a recording gives the same faces on every machine. No
/// frame is searched in more than two views, however slow the stream is.
package struct SearchSchedule {
    /// A part of the frame, and a turn of it.
    package enum View: Equatable, Sendable {
        /// The whole frame, not rotated, for large faces.
        case upright
        /// The whole frame, not rotated, for faces further away; where no tiles cover it.
        case far
        /// One of the tiles, for small faces.
        case tile(Int)
        /// The whole frame rotated, for large faces; a number of quarter turns.
        case rotated(Int)
        /// The whole frame rotated, for faces further away.
        case farRotated(Int)
    }

    /// Seconds for which a large face waits at most; nil for no search.
    package var interval: Double?
    /// Seconds since the last search for large faces.
    private var sinceUpright = 0.0
    /// Views of the round that should have been searched by now, and were not.
    private var overdue = 0.0
    /// The next view of the round, counted from its start.
    private var step = 0
    private var turn = 0
    private var tileCount = 0
    /// Whether this frame was searched for large faces.
    private var hasSearchedUpright = false
    /// Whether a view of the round was searched in this frame.
    private var hasSearchedRound = false

    /// Intervals that a round takes: together with verifying a face about a second, at the default interval.
    private static let intervalsPerRound = 9.0
    /// Turned views; each round has one of them, in this order, because heads and cameras are seldom turned.
    private static let turnedViews: [View] = [
        .rotated(1), .farRotated(1), .rotated(3), .farRotated(3), .rotated(2), .farRotated(2),
    ]
    /// Views that are made up for after a gap in the stream at most: each of them delays a view that is due later.
    private static let maximumOverdue = 2.0

    package init(interval: Double? = 0.1) { self.interval = interval }

    /// Starts from the beginning, as if everything had been searched just now.
    package mutating func reset() { self = SearchSchedule(interval: interval) }

    /// Makes as many views due as a frame may have: nothing has been searched yet.
    package mutating func makeAllDue() { (sinceUpright, overdue) = (.infinity, Self.maximumOverdue) }

    /// Goes on to the next frame.
    ///
    /// - Parameters:
    ///   - seconds: since the last one.
    ///   - tileCount: tiles that cover the frame.
    package mutating func advance(by seconds: Double, tileCount: Int) {
        self.tileCount = max(0, tileCount)
        (hasSearchedUpright, hasSearchedRound) = (false, false)
        guard let interval, interval > 0, seconds > 0 else { return }
        sinceUpright += seconds
        let share = seconds / (Self.intervalsPerRound * interval)
        overdue = min(overdue + share * Double(viewsPerRound), Self.maximumOverdue)
    }

    /// The views of the upright frame, which are its tiles or the whole, and a rotated view.
    private var viewsPerRound: Int { max(tileCount, 1) + 1 }

    /// The view to search now; nil when none is due.
    package var due: View? {
        guard let interval, !hasSearchedRound else { return nil }
        // A face that appeared after the last search has waited for a frame less than that. The margin is for rounding.
        if !hasSearchedUpright, sinceUpright > interval * (1 + 1e-6) { return .upright }
        // A second view in one frame only where the round falls behind.
        guard overdue >= (hasSearchedUpright ? Self.maximumOverdue : 1) else { return nil }
        return roundView
    }

    /// Notes that the view `due` was searched.
    package mutating func finish() {
        guard let view = due else { return }
        if view == .upright {
            (hasSearchedUpright, sinceUpright) = (true, 0)
            return
        }
        hasSearchedRound = true
        overdue -= 1
        step += 1
        if step >= viewsPerRound { (step, turn) = (0, (turn + 1) % Self.turnedViews.count) }
    }

    private var roundView: View {
        guard step + 1 < viewsPerRound else { return Self.turnedViews[turn] }
        return tileCount > 0 ? .tile(step) : .far
    }
}
