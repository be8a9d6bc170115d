/// Looks for faces with the detectors, at several turns of the frame.
struct FaceSearch {
    /// What a search found, best first.
    private(set) var found: [FaceDetection] = []
    private var turn = 0

    /// In stream order: what is looked at besides the upright frame, one per search.
    private static let quarterTurns = [0.5, 1.0, 1.5].map { $0 * Double.pi }
    private static let eighthTurns = [0.25, 0.75, 1.25, 1.75].map { $0 * Double.pi }

    /// Upright faces, near and far.
    mutating func searchUpright(_ frame: UprightFrame, _ models: FaceModels) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        try models.near.find(in: frame, angle: 0, into: &found)
        try models.far.find(in: frame, angle: 0, into: &found)
        sortByScore()
    }

    /// Faces that are turned by any angle.
    mutating func searchTurned(_ frame: UprightFrame, _ models: FaceModels) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        for angle in Self.quarterTurns + Self.eighthTurns {
            try models.near.find(in: frame, angle: angle, into: &found)
            try models.far.find(in: frame, angle: angle, into: &found)
        }
        sortByScore()
    }

    /// Upright near faces, and one of the other looks in turn: a stream spreads the work.
    mutating func searchStep(_ frame: UprightFrame, _ models: FaceModels) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        try models.near.find(in: frame, angle: 0, into: &found)
        turn = (turn + 1) % (2 * Self.quarterTurns.count)
        if turn.isMultiple(of: 2) {
            try models.near.find(in: frame, angle: Self.quarterTurns[turn / 2], into: &found)
        } else {
            try models.far.find(in: frame, angle: 0, into: &found)
        }
        sortByScore()
    }

    private mutating func sortByScore() { found.sort { $0.score > $1.score } }
}
