/// Looks for faces with the detectors, at several turns of the frame.
struct FaceSearch {
    /// What the last search found, best first.
    private(set) var found: [FaceDetection] = []
    private var step = 0

    private static let quarterTurns = [0, 0.5, 1, 1.5].map { $0 * Double.pi }
    private static let eighthTurns = [0.25, 0.75, 1.25, 1.75].map { $0 * Double.pi }

    /// Faces near and far, at all quarter turns.
    ///
    /// All turns are needed even when the first one finds something: the models take many an
    /// upside-down face for an upright one, only with less conviction than at its own turn.
    mutating func searchQuarterTurns(_ frame: UprightFrame, _ models: FaceModels) throws(VisionError) {
        try search(frame, models, Self.quarterTurns)
    }

    /// Faces that lie between two quarter turns, and were found in neither.
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

    /// Shares of the frame's longer side that tiles show: a stream's, and a still picture's as well.
    private static let coarse = 0.4
    private static let fine = 0.2
    /// Small faces are easily imagined.
    private static let leastTileScore = 0.65

    /// Upright faces that are small in the frame.
    ///
    /// - Parameter isFine: whether to look at very small ones too.
    mutating func searchTiles(
        _ frame: UprightFrame, _ models: FaceModels, isFine: Bool
    ) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        try searchTiles(frame, models.far, share: Self.coarse)
        if isFine { try searchTiles(frame, models.far, share: Self.fine) }
        found.removeAll { $0.score < Self.leastTileScore }
        found.sort { $0.score > $1.score }
    }

    private mutating func searchTiles(
        _ frame: UprightFrame, _ detector: FaceDetector, share: Double
    ) throws(VisionError) {
        let tiles = FrameTiles(frame.size, share: share, smallest: detector.inputSide)
        for index in 0..<tiles.count { try detector.find(in: frame, tiles.view(index), into: &found) }
    }

    /// Upright near faces, and one of the other looks in turn: a stream spreads the work over pictures.
    mutating func searchStep(_ frame: UprightFrame, _ models: FaceModels) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        try models.near.find(in: frame, angle: 0, into: &found)
        step = (step + 1) % (2 * Self.quarterTurns.count)
        let detector = step.isMultiple(of: 2) ? models.near : models.far
        // Every other step is for upright far faces.
        let angle = step.isMultiple(of: 2) ? Self.quarterTurns[step / 2] : 0
        if step > 0 { try detector.find(in: frame, angle: angle, into: &found) }
        found.sort { $0.score > $1.score }
    }
}
