/// The schedule of the views of a stream's frames that are searched for new faces.
///
/// Large upright faces are searched for once in an interval. Small ones are searched for in a round of views,
/// one view at a time, which takes nine intervals. Each round has one rotated view, so that rotated faces are
/// searched for once in six rounds. The schedule follows the stream's own time, so that a recording has the
/// same faces on every machine. No frame is searched in more than two views, however slow the stream is.
package struct SearchSchedule {
    /// A part of the frame at a rotation.
    package enum View: Equatable, Sendable {
        /// The whole frame, not rotated, for large faces.
        case upright
        /// The whole frame, not rotated, for faces further away; used if no tiles cover it.
        case far
        /// One of the tiles, for small faces.
        case tile(Int)
        /// The whole frame rotated, for large faces; a number of quarter turns.
        case rotated(Int)
        /// The whole frame rotated, for faces further away.
        case farRotated(Int)
    }

    /// Maximum seconds for which a large face waits; nil for no search.
    package var interval: Double?
    /// Seconds since the last search for large faces.
    private var sinceUpright = 0.0
    /// Number of views of the round that are overdue.
    private var overdue = 0.0
    /// The number of the next view of the round.
    private var step = 0
    private var turn = 0
    private var tileCount = 0
    /// Whether this frame was searched for large faces.
    private var hasSearchedUpright = false
    /// Whether a view of the round was searched in this frame.
    private var hasSearchedRound = false

    /// Duration of a round in intervals: with the verification of a face about a second, at the default
    /// interval.
    private static let intervalsPerRound = 9.0
    /// Rotated views; each round has one of them, in this order, because heads and cameras are seldom
    /// rotated.
    private static let turnedViews: [View] = [
        .rotated(1), .farRotated(1), .rotated(3), .farRotated(3), .rotated(2), .farRotated(2),
    ]
    /// Maximum number of overdue views after a gap in the stream: each of them delays a view that is due
    /// later.
    private static let maximumOverdue = 2.0

    package init(interval: Double? = 0.1) { self.interval = interval }

    /// Restarts the schedule, as if everything had just been searched.
    package mutating func reset() { self = SearchSchedule(interval: interval) }

    /// Makes as many views due as a frame may have, because nothing has been searched yet.
    package mutating func makeAllDue() { (sinceUpright, overdue) = (.infinity, Self.maximumOverdue) }

    /// Advances to the next frame.
    ///
    /// - Parameters:
    ///   - seconds: time since the last one.
    ///   - tileCount: number of tiles that cover the frame.
    package mutating func advance(by seconds: Double, tileCount: Int) {
        self.tileCount = max(0, tileCount)
        (hasSearchedUpright, hasSearchedRound) = (false, false)
        guard let interval, interval > 0, seconds > 0 else { return }
        sinceUpright += seconds
        let share = seconds / (Self.intervalsPerRound * interval)
        overdue = min(overdue + share * Double(viewsPerRound), Self.maximumOverdue)
    }

    /// Number of views of a round: the upright frame's tiles or the whole frame, and a rotated view.
    private var viewsPerRound: Int { max(tileCount, 1) + 1 }

    /// The view to search now; nil when none is due.
    package var due: View? {
        guard let interval, !hasSearchedRound else { return nil }
        // A face that appeared after the last search has waited for a frame less than that; the margin is for
        // rounding.
        if !hasSearchedUpright, sinceUpright > interval * (1 + 1e-6) { return .upright }
        // A second view is searched in one frame only if the round falls behind.
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
