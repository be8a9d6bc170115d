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

    /// Searches for a lost face at its last place.
    mutating func search(
        for face: LostTracks.Track, _ frame: UprightFrame, _ models: FaceModels
    ) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        let view = RotatedSquare(
            center: face.box.center, side: max(face.box.width, face.box.height) * Self.lostScale,
            angle: face.angle)
        guard view.isUsable else { return }
        try models.near.find(in: frame, view, into: &found)
        found.sort { $0.score > $1.score }
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
package struct FrameBudget {
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
}
