import Glibc
import Imaging

/// Keeps the faces of a stream: follows their points, and searches for new ones.
final class FaceTracker {
    /// The faces of the last picture.
    var tracks: [FaceTrack] = []
    /// The id of the face that is to be looked at more closely in this picture.
    private(set) var closerID: Int?
    /// Whether the last picture was the first one of a stream.
    private(set) var wasFirst = false
    /// What the picture may still cost.
    private var budget = FrameBudget(following: 0, .liteLandmarks)
    private var lost: [LostFace] = []
    private var search = FaceSearch()
    private var aligner = FaceAligner()
    private var newcomer = Newcomer()
    private var schedule = SearchSchedule()
    private var nextID = 0
    private var isFirst = true

    /// Which faces are wanted.
    struct Limits {
        /// How many.
        let most: Int
        /// The presence they need, 0...1.
        let least: Double

        /// Small patterns are easily taken for faces, also by the landmark model.
        var forSmallFaces: Limits { Limits(most: most, least: max(least, 0.95)) }
    }

    /// How a stream is followed.
    struct Pace {
        /// Seconds since the last picture.
        let seconds: Double
        /// Seconds between two searches for large faces; nil for no search.
        let searchInterval: Double?
        /// Whether the full landmark model follows the faces.
        let isFull: Bool
        /// Whether the first picture is searched within the budget, too.
        let spreadsFirstSearch: Bool
    }

    /// The longer side of a face in pixels; less cannot be told from a pattern.
    private static let smallest = 16.0
    /// Seconds after which a lost face that comes back counts as a new one.
    private static let memory = 1.0

    /// Forgets all faces; ids go on, so that none is used again for another face.
    func reset() {
        tracks.removeAll()
        lost.removeAll()
        newcomer.reset()
        schedule.reset()
        isFirst = true
    }

    /// Finds the faces of a picture that has nothing to do with the last one.
    func find(in frame: UprightFrame, _ models: FaceModels, _ limits: Limits) throws(VisionError) {
        reset()
        nextID = 0
        try findAll(frame, models, limits)
    }

    private func findAll(_ frame: UprightFrame, _ models: FaceModels, _ limits: Limits) throws(VisionError) {
        try search.searchQuarterTurns(frame, models)
        try admit(frame, models, limits)
        if tracks.isEmpty {
            try search.searchEighthTurns(frame, models)
            try admit(frame, models, limits)
        }
        guard tracks.count < limits.most else { return }
        try search.searchTiles(frame, models, near: mainTurn, isFine: true)
        try admit(frame, models, limits.forSmallFaces)
        guard tracks.isEmpty else { return }
        try search.searchTilesAtOtherTurns(frame, models)
        try admit(frame, models, limits.forSmallFaces)
    }

    /// How far the faces are turned on the whole, clockwise on a screen: small ones will be turned likewise.
    private var mainTurn: Double {
        let (x, y) = tracks.reduce((0.0, 0.0)) { sum, track in
            (sum.0 + cos(track.face.mesh.angle), sum.1 + sin(track.face.mesh.angle))
        }
        return atan2(y, x)
    }

    /// Finds the faces of the next picture of a stream: of the first one as of any picture, which takes long; of the
    /// others within a budget.
    func follow(
        in frame: UprightFrame, _ models: FaceModels, _ limits: Limits, _ pace: Pace
    ) throws(VisionError) {
        wasFirst = isFirst
        isFirst = false
        if wasFirst {
            guard pace.spreadsFirstSearch, pace.searchInterval != nil else {
                try findAll(frame, models, limits)
                closerID = nil
                return
            }
            wasFirst = false
            schedule.hurry()
        }
        dropSurplus(limits)
        let landmarker = pace.isFull ? models.closeLandmarker : models.liteLandmarker
        budget = FrameBudget(following: tracks.count, landmarker.work)
        age(by: pace.seconds)
        try followTracks(frame, models, landmarker, limits)
        // The search waits for a face whose angles are much in doubt, others for the search.
        closerID = idToLookCloser(least: 2)
        schedule.interval = pace.searchInterval
        if tracks.count < limits.most, pace.searchInterval != nil {
            try searchOn(frame, models, landmarker, limits, pace)
        }
        closerID = closerID ?? idToLookCloser(least: 1)
    }

    /// The id of the face that needs a closer look most, where the budget has one.
    private func idToLookCloser(least: Double) -> Int? {
        let neediest = tracks.max { $0.correction.need < $1.correction.need }
        guard let neediest, neediest.correction.need >= least, budget.spend(.landmarks) else { return nil }
        return neediest.id
    }
}

// MARK: - Faces that are followed

extension FaceTracker {
    private func followTracks(
        _ frame: UprightFrame, _ models: FaceModels, _ landmarker: FaceLandmarker, _ limits: Limits
    ) throws(VisionError) {
        for index in tracks.indices {
            try align(tracks[index], frame, models, landmarker, limits)
            tracks[index].follow(&aligner)
        }
        removeLost(frame, limits)
    }

    /// A head that tilts fast is seen again in a level crop, because the models underestimate what they see tilted.
    ///
    /// Where the lite model would give the face up, the full one has a say; where that costs too much, another crop.
    private func align(
        _ track: FaceTrack, _ frame: UprightFrame, _ models: FaceModels, _ landmarker: FaceLandmarker,
        _ limits: Limits
    ) throws(VisionError) {
        try aligner.follow(track.face, frame, landmarker)
        if aligner.isTilted, budget.spend(landmarker.work) {
            try aligner.retry(landmarker.crop(of: aligner.best.mesh), frame, landmarker)
        }
        guard track.confidence(after: aligner.best.presence) < limits.least else { return }
        if landmarker !== models.closeLandmarker, budget.spend(.landmarks) {
            let crop = models.closeLandmarker.crop(of: track.face.mesh)
            try aligner.retry(crop, frame, models.closeLandmarker)
        } else {
            try aligner.retry(track.face.crop, frame, landmarker)
        }
    }

    /// Faces that are no longer there, have left the frame, or have come to lie on another track's face.
    private func removeLost(_ frame: UprightFrame, _ limits: Limits) {
        for index in tracks.indices.reversed() {
            let track = tracks[index]
            if tracks[..<index].contains(where: { $0.box.isSameFace(as: track.box) }) {
                tracks.remove(at: index)
            } else if track.confidence < limits.least || !frame.contains(track.box.center) {
                lose(index)
            }
        }
    }

    /// Where the limit has been lowered, the least certain faces are no longer followed.
    private func dropSurplus(_ limits: Limits) {
        while tracks.count > limits.most,
            let surplus = tracks.indices.min(by: { tracks[$0].confidence < tracks[$1].confidence })
        {
            lose(surplus)
        }
    }

    private func lose(_ index: Int) {
        let track = tracks.remove(at: index)
        lost.append(LostFace(id: track.id, box: track.box, angle: track.face.crop.angle))
    }

    private func age(by seconds: Double) {
        for index in lost.indices { lost[index].age += seconds }
        lost.removeAll { $0.age > Self.memory }
        for index in tracks.indices { tracks[index].correction.age(by: seconds) }
        newcomer.age(by: seconds)
    }
}

// MARK: - Newcomers of a stream

extension FaceTracker {
    /// Goes on with the search where the last picture left it, as far as the budget allows.
    private func searchOn(
        _ frame: UprightFrame, _ models: FaceModels, _ landmarker: FaceLandmarker, _ limits: Limits,
        _ pace: Pace
    ) throws(VisionError) {
        let tiles = search.tiles(frame, models, near: mainTurn)
        schedule.advance(by: pace.seconds, tileCount: tiles.count)
        var hasSearchedLost = false
        try admitNewcomers(frame, models, landmarker, limits)
        while newcomer.isIdle, tracks.count < limits.most {
            if let view = schedule.due {
                guard budget.spend(view.work) else { return }
                try search.search(view, tiles, frame, models)
                schedule.finish()
                newcomer.begin(with: search.found, inTile: view.isTile) { !isKnown($0.square) }
            } else {
                // One lost face in a picture; the next is the turn of another one.
                guard let face = lost.first, !hasSearchedLost, budget.spend(.near) else { return }
                hasSearchedLost = true
                lost.append(lost.removeFirst())
                try search.search(for: face, frame, models)
                newcomer.begin(with: search.found, inTile: false) { !isKnown($0.square) }
            }
            try admitNewcomers(frame, models, landmarker, limits)
        }
    }

    private func admitNewcomers(
        _ frame: UprightFrame, _ models: FaceModels, _ landmarker: FaceLandmarker, _ limits: Limits
    ) throws(VisionError) {
        while tracks.count < limits.most,
            try newcomer.proceed(in: frame, models, landmarker, limits, &budget)
        {
            admit(newcomer.face, frame)
        }
    }
}

// MARK: - Newcomers

extension FaceTracker {
    /// Turns what the search found into tracks, where the landmark model agrees.
    private func admit(_ frame: UprightFrame, _ models: FaceModels, _ limits: Limits) throws(VisionError) {
        var mainView: Double?
        for face in search.found where tracks.count < limits.most && !isKnown(face.square) {
            guard face.score > face.leastScore(beside: mainView) else { continue }
            try aligner.align(face, frame, models, least: limits.least)
            guard aligner.best.presence >= limits.least else { continue }
            mainView = mainView ?? face.viewAngle
            admit(aligner.best, frame)
        }
    }

    /// Makes a track of an aligned face, unless it is one that is known, beyond the edge, or too small.
    private func admit(_ face: AlignedFace, _ frame: UprightFrame) {
        let box = face.mesh.box
        guard !isKnown(box), frame.contains(box.center), max(box.width, box.height) >= Self.smallest else {
            return
        }
        tracks.append(FaceTrack(id: identity(of: box), face))
    }

    private func isKnown(_ box: Rectangle) -> Bool { tracks.contains { $0.box.isSameFace(as: box) } }

    /// The id of the lost face that was there, or a new one.
    private func identity(of box: Rectangle) -> Int {
        if let index = lost.firstIndex(where: { $0.box.isSameFace(as: box) }) {
            return lost.remove(at: index).id
        }
        nextID += 1
        return nextID - 1
    }
}

extension FaceDetection {
    /// The score that counts, 0...1.
    ///
    /// Faces that are turned otherwise than the picture's most certain one are rare, and most such detections
    /// are patterns.
    ///
    /// - Parameter mainView: the turn of the view that showed the most certain one; nil when there is none yet.
    func leastScore(beside mainView: Double?) -> Double {
        guard let mainView else { return viewAngle == 0 ? 0 : 0.65 }
        return viewAngle == mainView ? 0 : 0.8
    }
}
