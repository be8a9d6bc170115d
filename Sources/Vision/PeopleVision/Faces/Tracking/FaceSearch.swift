import Imaging

/// Searches for faces with the detectors, in views that are rotated by several angles.
struct FaceSearch {
    /// The detections of the last search, most certain first.
    private(set) var found: [FaceDetection] = []

    private static let sixteenth = Double.pi / 8
    private static let quarterTurns = [0, 0.5, 1, 1.5].map { $0 * Double.pi }
    private static let eighthTurns = [0.25, 0.75, 1.25, 1.75].map { $0 * Double.pi }

    /// Searches for near and far faces at all quarter turns.
    ///
    /// All turns are needed even if the first one has detections: the models detect many upside-down faces as
    /// upright ones, with a lower score than in the view that shows them upright.
    mutating func searchQuarterTurns(_ frame: UprightFrame, _ models: FaceModels) throws(VisionError) {
        try search(frame, models, Self.quarterTurns)
    }

    /// Searches for faces at angles between two quarter turns, after none was found at quarter turns.
    mutating func searchEighthTurns(_ frame: UprightFrame, _ models: FaceModels) throws(VisionError) {
        try search(frame, models, Self.eighthTurns)
    }

    private mutating func search(
        _ frame: UprightFrame, _ models: FaceModels, _ angles: [Double]
    ) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        for angle in angles {
            try models.near.find(in: frame, angle: angle, into: &found)
            try models.far.find(in: frame, angle: angle, into: &found)
        }
        found.sort { $0.score > $1.score }
    }

    /// Side of a tile, as a share of the frame's longer side; smaller tiles would take too long for a stream.
    private static let coarse = 0.4
    /// Side of the additional tiles of single images: they show faces of 2 % of the longer side.
    private static let fine = 0.2
    /// The minimum score of a detection in a tile, 0...1: small patterns are easily mistaken for faces.
    private static let minimumTileScore = 0.65

    /// Searches for faces that are small in the frame, and rotated by about as much as the others.
    ///
    /// - Parameters:
    ///   - turn: the angle of the others, clockwise, in radians.
    ///   - places: boxes where faces can be; nil for anywhere.
    mutating func searchTiles(
        _ frame: UprightFrame, _ models: FaceModels, near turn: Double, at places: [Rectangle]?
    ) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        let steps = (turn / Self.sixteenth).rounded()
        guard steps.isFinite else { return }
        let angle = steps * Self.sixteenth
        // At quarter turns the whole frame has already been searched.
        if steps.truncatingRemainder(dividingBy: 4) != 0 {
            try models.far.find(in: frame, angle: angle, into: &found)
        }
        try searchTiles(frame, models.far, angle, places)
        keepBestTiles()
    }

    /// Searches for small faces that are not upright, at quarter turns only.
    ///
    /// Other angles take twice as many tiles, and longer for each.
    mutating func searchTilesAtOtherTurns(
        _ frame: UprightFrame, _ models: FaceModels, at places: [Rectangle]?
    ) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        for angle in Self.quarterTurns.dropFirst() {
            try searchTiles(frame, models.far, angle, places)
        }
        keepBestTiles()
    }

    private mutating func keepBestTiles() {
        found.removeAll { $0.score < Self.minimumTileScore }
        found.sort { $0.score > $1.score }
    }

    private mutating func searchTiles(
        _ frame: UprightFrame, _ detector: FaceDetector, _ angle: Double, _ places: [Rectangle]?
    ) throws(VisionError) {
        for share in [Self.coarse, Self.fine] {
            let tiles = FrameTiles(frame.size, share: share, smallest: detector.inputSide, angle: angle)
            for view in tiles.views(of: places) { try detector.find(in: frame, view, into: &found) }
        }
    }
}

// MARK: - Streams

extension FaceSearch {
    /// Returns tiles that cover a stream's frame, rotated by about `turn` (clockwise, in radians).
    func tiles(_ frame: UprightFrame, _ models: FaceModels, near turn: Double) -> FrameTiles {
        let steps = (turn / Self.sixteenth).rounded()
        return FrameTiles(
            frame.size, share: Self.coarse, smallest: models.far.inputSide,
            angle: steps.isFinite ? steps * Self.sixteenth : 0)
    }

    /// Searches one view.
    mutating func search(
        _ view: SearchSchedule.View, _ tiles: FrameTiles, _ frame: UprightFrame, _ models: FaceModels
    ) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        switch view {
        case .upright: try models.near.find(in: frame, angle: 0, into: &found)
        case .far: try models.far.find(in: frame, angle: 0, into: &found)
        case .rotated(let count):
            try models.near.find(in: frame, angle: Double(count) * .pi / 2, into: &found)
        case .farRotated(let count):
            try models.far.find(in: frame, angle: Double(count) * .pi / 2, into: &found)
        case .tile(let index):
            if tiles.showsFrame(index) { try models.far.find(in: frame, tiles.view(index), into: &found) }
            found.removeAll { $0.score < Self.minimumTileScore }
        }
        found.sort { $0.score > $1.score }
    }

    /// Side of the view in which a lost face is searched for, as a share of the face's size.
    private static let lostScale = 3.0

    /// Searches for a lost face around its last place.
    mutating func search(
        around box: Rectangle, angle: Double, _ frame: UprightFrame, _ models: FaceModels
    ) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        let view = RotatedSquare(
            center: box.center, side: max(box.width, box.height) * Self.lostScale, angle: angle)
        guard view.isUsable else { return }
        try models.near.find(in: frame, view, into: &found)
        found.sort { $0.score > $1.score }
    }

    /// Searches for a face that moved out of its crop since the last frame; nil where there is none but those of `tracks`.
    mutating func nearest(
        _ track: FaceTrack, _ frame: UprightFrame, _ models: FaceModels, besides tracks: [FaceTrack]
    ) throws(VisionError) -> FaceDetection? {
        try search(around: track.box, angle: track.angle, frame, models)
        return found.first { face in
            !tracks.contains { $0.id != track.id && $0.box.isSameFace(as: face.square) }
        }
    }
}

extension SearchSchedule.View {
    /// The cost of searching the view.
    var work: FrameBudget.Work {
        switch self {
        case .upright, .rotated: .near
        case .far, .farRotated, .tile: .far
        }
    }

    /// Whether faces in the view are small.
    var isTile: Bool {
        if case .tile = self { true } else { false }
    }
}

/// The budget of a frame of a stream, in milliseconds of one core of the processor that docs/benchmarks.md
/// names.
///
/// It adds up a table of costs instead of reading a clock, because results must not depend on the load of the
/// machine.
package struct FrameBudget: Sendable {
    /// A piece of work with its cost, sampling included (`people-bench`).
    package enum Work: Double {
        /// The lite landmark model.
        case liteLandmarks = 1.7
        /// The full landmark model.
        case landmarks = 5.4
        /// The detector of near faces.
        case near = 1.9
        /// The detector of far faces.
        case far = 4.2
    }

    /// Budget for all work on a frame: a third of its time at 30 frames a second.
    private static let whole = 11.6
    /// Minimum budget of the search, however many faces are followed: enough for any one piece of work.
    private static let minimum = 5.5

    /// Milliseconds left.
    package private(set) var left: Double

    /// A budget without a limit, for recordings.
    package static let unlimited = FrameBudget(left: .infinity)

    private init(left: Double) { self.left = left }

    /// Creates a budget reduced by the cost of following `count` faces.
    package init(following count: Int, _ work: Work) {
        left = max(Self.whole - Double(count) * work.rawValue, Self.minimum)
    }

    /// Spends the cost of `work`; returns false, and spends nothing, if less than the cost is left.
    package mutating func spend(_ work: Work) -> Bool {
        guard left >= work.rawValue else { return false }
        left -= work.rawValue
        return true
    }

    /// Spends the cost of `work` that cannot wait for the next frame, whatever is left.
    package mutating func overdraw(_ work: Work) { left = max(0, left - work.rawValue) }
}

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
