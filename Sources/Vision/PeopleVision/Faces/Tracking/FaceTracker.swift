import Glibc
package import Imaging

/// Tracks the faces of a stream: follows their points, and searches for new faces within a budget.
final class FaceTracker: StreamTracker {
    typealias Configuration = FaceRequest.Configuration

    var tracks: [FaceTrack] = []
    var lost = LostTracks()
    var isFirst = true
    /// The id of the face whose `correction` is to be updated in this frame.
    private(set) var correctedID: Int?
    /// Whether the last frame was searched like a single image.
    private(set) var wasSearchedFully = false
    /// The budget left for the frame.
    private var budget = FrameBudget(following: 0, .liteLandmarks)
    let poseEstimator = HeadPoseEstimator()
    private var search = FaceSearch()
    private var aligner = FaceAligner()
    private var candidate = FaceCandidate()
    private var schedule = SearchSchedule()

    /// The minimum length of a face's longer side in pixels; smaller faces cannot be told from patterns.
    private static let smallest = 16.0

    func makeSearchDue() { schedule.makeAllDue() }

    func resetSearch() {
        candidate.reset()
        schedule.reset()
    }

    func findAll(_ frame: UprightFrame, _ models: FaceModels, _ context: Context) throws(VisionError) {
        (wasSearchedFully, correctedID) = (true, nil)
        let limits = context.limits
        try search.searchQuarterTurns(frame, models)
        try admit(frame, models, limits)
        if tracks.isEmpty {
            try search.searchEighthTurns(frame, models)
            try admit(frame, models, limits)
        }
        guard tracks.count < limits.maximumCount else { return }
        let places = placesWithoutFace(context)
        try search.searchTiles(frame, models, near: mainTurn, at: places)
        try admit(frame, models, limits.forSmallFaces)
        guard tracks.isEmpty else { return }
        try search.searchTilesAtOtherTurns(frame, models, at: places)
        try admit(frame, models, limits.forSmallFaces)
    }

    /// Returns the places where faces can be and none has been found; nil for anywhere.
    private func placesWithoutFace(_ context: Context) -> [Rectangle]? {
        context.places?.filter { place in
            !tracks.contains { $0.box.contains(place.center) || place.contains($0.box.center) }
        }
    }

    /// The mean angle of the faces, clockwise on a screen: small faces probably have the same.
    private var mainTurn: Double {
        let (x, y) = tracks.reduce((0.0, 0.0)) { sum, track in
            (sum.0 + cos(track.face.mesh.angle), sum.1 + sin(track.face.mesh.angle))
        }
        return atan2(y, x)
    }

    func searchOn(_ frame: UprightFrame, _ models: FaceModels, _ context: Context) throws(VisionError) {
        // A face whose angles are in great doubt comes before the search, others after it.
        correctedID = idToCorrect(staleness: 2)
        schedule.interval = context.searchInterval
        let limits = context.limits
        if tracks.count < limits.maximumCount, context.searchInterval != nil {
            let candidates = FaceCandidate.Context(
                frame: frame, models: models, landmarker: models.trackingLandmarker(context), limits: limits)
            if context.configuration.mode == .camera {
                try continueSearch(candidates, within: &budget, seconds: context.seconds)
            } else {
                // Frames of a recording wait until a face is aligned, which is somewhere else in the next frame.
                var unlimited = FrameBudget.unlimited
                try continueSearch(candidates, within: &unlimited, seconds: context.seconds)
            }
        }
        correctedID = correctedID ?? idToCorrect(staleness: 1)
    }

    /// Returns the id of the face with the stalest correction, if that is at least `staleness` and the budget
    /// allows an update.
    private func idToCorrect(staleness: Double) -> Int? {
        let stalest = tracks.max { $0.correction.staleness < $1.correction.staleness }
        guard let stalest, stalest.correction.staleness >= staleness, budget.spend(.landmarks) else {
            return nil
        }
        return stalest.id
    }
}

// MARK: - Faces that are followed

extension FaceTracker {
    func followTracks(_ frame: UprightFrame, _ models: FaceModels, _ context: Context) throws(VisionError) {
        let (landmarker, limits) = (models.trackingLandmarker(context), context.limits)
        wasSearchedFully = false
        budget = FrameBudget(following: tracks.count, landmarker.work)
        age(by: context.seconds)
        for index in tracks.indices {
            try align(tracks[index], frame, models, landmarker, limits)
            tracks[index].follow(&aligner)
        }
        endTracks(frame, limits)
    }

    /// Finds the points of a track's face.
    ///
    /// A head that rolls fast is run again in an aligned crop, because the models underestimate the roll in
    /// others. If the confidence falls below the limit, the face has left its crop, or is hidden: a detector
    /// looks around. If it finds nothing, the full model is run too; if the budget does not allow that, the same
    /// model is run in the last frame's crop.
    private func align(
        _ track: FaceTrack, _ frame: UprightFrame, _ models: FaceModels, _ landmarker: FaceLandmarker,
        _ limits: TrackingLimits
    ) throws(VisionError) {
        try aligner.follow(track.face, frame, landmarker)
        if aligner.isTilted, budget.spend(landmarker.work) {
            try aligner.retry(landmarker.crop(of: aligner.best.mesh), frame, landmarker)
        }
        func isLost() -> Bool { track.confidence(after: aligner.best.presence) < limits.minimumPresence }
        guard isLost() else { return }
        if budget.spend(.near), let face = try search.nearest(track, frame, models, besides: tracks) {
            budget.overdraw(landmarker.work)
            try aligner.retry(landmarker.crop(of: face), frame, landmarker)
            guard isLost() else { return }
        }
        if landmarker !== models.streamLandmarker, budget.spend(.landmarks) {
            let crop = models.streamLandmarker.crop(of: track.face.mesh)
            try aligner.retry(crop, frame, models.streamLandmarker)
        } else {
            try aligner.retry(track.face.crop, frame, landmarker)
        }
    }

    /// Ends the tracks of faces that are gone or have left the frame, and tracks that follow the face of
    /// another track.
    private func endTracks(_ frame: UprightFrame, _ limits: TrackingLimits) {
        for index in tracks.indices.reversed() {
            let track = tracks[index]
            if tracks[..<index].contains(where: { $0.box.isSameFace(as: track.box) }) {
                tracks.remove(at: index)
            } else if track.confidence < limits.minimumPresence || !frame.contains(track.box.center) {
                lose(index)
            }
        }
    }

    private func age(by seconds: Double) {
        for index in tracks.indices { tracks[index].correction.age(by: seconds) }
        candidate.age(by: seconds)
    }
}

// MARK: - New faces of a stream

extension FaceTracker {
    /// Continues the search at the last frame's state, as far as the budget allows.
    private func continueSearch(
        _ context: FaceCandidate.Context, within budget: inout FrameBudget, seconds: Double
    ) throws(VisionError) {
        let (frame, models) = (context.frame, context.models)
        let tiles = search.tiles(frame, models, near: mainTurn)
        schedule.advance(by: seconds, tileCount: tiles.count)
        var hasSearchedLost = false
        try admitCandidates(context, &budget)
        while candidate.isIdle, tracks.count < context.limits.maximumCount {
            if let view = schedule.due {
                guard budget.spend(view.work) else { return }
                try search.search(view, tiles, frame, models)
                schedule.finish()
                candidate.begin(with: search.found, inTile: view.isTile) { !isKnown($0.square) }
            } else {
                // One lost face is searched for in each frame, in turns.
                guard !hasSearchedLost, !lost.tracks.isEmpty, budget.spend(.near),
                    let face = lost.takeTurn()
                else { return }
                hasSearchedLost = true
                try search.search(around: face.box, angle: face.angle, frame, models)
                candidate.begin(with: search.found, inTile: false) { !isKnown($0.square) }
            }
            try admitCandidates(context, &budget)
        }
    }

    private func admitCandidates(
        _ context: FaceCandidate.Context, _ budget: inout FrameBudget
    ) throws(VisionError) {
        while tracks.count < context.limits.maximumCount, try candidate.proceed(context, &budget) {
            admit(candidate.face, context.frame)
        }
    }
}

// MARK: - New tracks

extension FaceTracker {
    /// Turns the search's detections into tracks if the landmark model finds a face too.
    private func admit(
        _ frame: UprightFrame, _ models: FaceModels, _ limits: TrackingLimits
    ) throws(VisionError) {
        var mainView: Double?
        for face in search.found where tracks.count < limits.maximumCount && !isKnown(face.square) {
            guard face.score > face.minimumScore(beside: mainView) else { continue }
            try aligner.align(face, frame, models, minimumPresence: limits.minimumPresence)
            guard aligner.best.presence >= limits.minimumPresence else { continue }
            mainView = mainView ?? face.viewAngle
            admit(aligner.best, frame)
        }
    }

    /// Creates a track of an aligned face, unless the face is already followed, outside of the frame, or too
    /// small.
    private func admit(_ face: AlignedFace, _ frame: UprightFrame) {
        let box = face.mesh.box
        guard !isKnown(box), frame.contains(box.center), max(box.width, box.height) >= Self.smallest else {
            return
        }
        let id = lost.id { $0.isSameFace(as: box) }
        tracks.append(FaceTrack(id: id, face))
    }

    private func isKnown(_ box: Rectangle) -> Bool { tracks.contains { $0.box.isSameFace(as: box) } }
}

extension TrackingLimits {
    /// The limits for small faces: small patterns are easily mistaken for faces, by the landmark model too.
    var forSmallFaces: TrackingLimits {
        TrackingLimits(maximumCount: maximumCount, minimumPresence: max(minimumPresence, 0.95))
    }
}

extension FaceDetection {
    /// Returns the score that the detection has to exceed, 0...1.
    ///
    /// Faces with another angle than the image's most certain face are rare, and most such detections are
    /// patterns.
    ///
    /// - Parameter mainView: the angle of the view that showed the most certain face; nil if there is none
    ///   yet.
    func minimumScore(beside mainView: Double?) -> Double {
        guard let mainView else { return viewAngle == 0 ? 0 : 0.65 }
        return viewAngle == mainView ? 0 : 0.8
    }
}

/// One face, followed from frame to frame.
struct FaceTrack: StreamTrack {
    let id: Int
    /// The face in the last frame.
    var face: AlignedFace
    /// The confidence that this is a face, averaged over time; it is low in single images of a profile.
    private var presence: ConfidenceMean
    /// The upright box around the face's points when they were last found.
    var box: Rectangle
    var smoother = PoseSmoother()
    /// The correction of the rotation from the points.
    var correction = PoseCorrection()
    /// The points of the last observation; kept to reuse memory.
    var mesh: [FaceMeshPoint] = []
    /// The landmarks of the last observation; kept to reuse memory.
    var landmarks: [FaceLandmark] = []

    init(id: Int, _ face: AlignedFace) {
        self.id = id
        self.face = face
        presence = ConfidenceMean(face.presence)
        box = face.mesh.box
    }

    /// The confidence that this is a face, 0...1.
    var confidence: Double { presence.value }

    var angle: Double { face.crop.angle }

    /// The confidence; the least certain faces end first.
    var prominence: Double { confidence }

    /// Returns the confidence as it would be after a frame with this presence, 0...1.
    func confidence(after presence: Double) -> Double { self.presence.mean(withPresence: presence) }

    /// Exchanges the face for the one of the next frame.
    mutating func follow(_ aligner: inout FaceAligner) {
        presence.add(presence: aligner.best.presence)
        aligner.exchange(with: &face)
        if face.presence > 0 { box = face.mesh.box }
    }
}

extension Rectangle {
    /// Whether two boxes show one face.
    ///
    /// They overlap well, half of one lies in the other, or the centre of one lies in the middle of the
    /// other.
    package func isSameFace(as other: Rectangle) -> Bool {
        overlap(with: other) > Self.sameOverlap || shareOfSmaller(with: other) > Self.sameShare
            || hasInMiddle(other.center) || other.hasInMiddle(center)
    }

    /// Minimum intersection over union; the boxes of a detector and those around points differ in size.
    private static let sameOverlap = 0.25
    /// Minimum share of the smaller box; a half hidden face has only a part of its box.
    private static let sameShare = 0.5

    private func hasInMiddle(_ point: Point) -> Bool {
        abs(point.x - center.x) < width / 4 && abs(point.y - center.y) < height / 4
    }
}

/// Smooths the angles of one face over a stream.
package struct PoseSmoother {
    private var roll = Self.makeFilter()
    private var yaw = Self.makeFilter()
    private var pitch = Self.makeFilter()

    package init() {}

    /// Cutoff at rest in hertz: noise of the landmarks is faster.
    private static let minimumCutoff = 0.1
    /// Rise of the cutoff in hertz per radian a second: a turn of a radian a second is hardly delayed.
    private static let beta = 80.0
    /// Noise tolerance, as that of landmarks at a smoothing of 0.5.
    private static let noiseTolerance = 1.75

    private static func makeFilter() -> OneEuroFilter {
        OneEuroFilter(minimumCutoff: minimumCutoff, beta: beta, noiseTolerance: noiseTolerance)
    }

    /// Returns the smoothed `pose`, which was measured `interval` seconds after the last one.
    package mutating func smooth(_ pose: HeadPose, interval: Double) -> HeadPose {
        var smooth = pose
        smooth.roll = Self.pass(pose.roll, &roll, interval)
        smooth.yaw = Self.pass(pose.yaw, &yaw, interval)
        smooth.pitch = Self.pass(pose.pitch, &pitch, interval)
        return smooth
    }

    /// Filters an angle; the filter's value is shifted by whole turns, so that the angle takes the shorter
    /// way.
    private static func pass(_ angle: Double, _ filter: inout OneEuroFilter, _ interval: Double) -> Double {
        if let last = filter.current {
            filter.shift(by: angle - HeadPose.wrapped(angle - last) - last)
        }
        return HeadPose.wrapped(filter.filter(angle, interval: interval))
    }
}
