import Glibc
import Imaging

/// Keeps the faces of a stream: follows their points, and searches for new ones now and then.
final class FaceTracker {
    /// The faces of the last picture.
    var tracks: [FaceTrack] = []
    private var lost: [LostFace] = []
    private var search = FaceSearch()
    private var aligner = FaceAligner()
    private var nextID = 0
    private var sinceSearch = 0
    /// Half an interval off the other searches, so that no picture bears the cost of both.
    private var sinceTiles = searchInterval / 2
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

    /// Pictures between two searches while there are faces to follow: half a second at 30 a second.
    private static let searchInterval = 15
    /// The longer side of a face in pixels; less cannot be told from a pattern.
    private static let smallest = 16.0
    /// Pictures after which a lost face that comes back counts as a new one: a second at 30 a second.
    private static let memory = 30

    /// Forgets all faces; ids go on, so that none is used again for another face.
    func reset() {
        tracks.removeAll()
        lost.removeAll()
        (sinceSearch, sinceTiles, isFirst) = (0, Self.searchInterval / 2, true)
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

    /// Finds the faces of the next picture of a stream.
    func follow(in frame: UprightFrame, _ models: FaceModels, _ limits: Limits) throws(VisionError) {
        if isFirst {
            try findAll(frame, models, limits)
            isFirst = false
            return
        }
        let before = tracks.count
        ageLost()
        try followTracks(frame, models, limits)
        sinceSearch += 1
        let isDue = tracks.isEmpty || (tracks.count < limits.most && sinceSearch >= Self.searchInterval)
        var isNeeded = tracks.count < before
        if !isNeeded, isDue { isNeeded = try hasNewcomer(frame, models, limits) }
        if isNeeded {
            try search.searchQuarterTurns(frame, models)
            try admit(frame, models, limits)
        }
        try searchSmall(frame, models, limits)
    }

    /// Small faces are searched for at intervals only, also while no face is known.
    private func searchSmall(
        _ frame: UprightFrame, _ models: FaceModels, _ limits: Limits
    ) throws(VisionError) {
        sinceTiles += 1
        guard sinceTiles >= Self.searchInterval, tracks.count < limits.most else { return }
        sinceTiles = 0
        try search.searchTiles(frame, models, near: mainTurn, isFine: false)
        try admit(frame, models, limits.forSmallFaces)
    }
}

// MARK: - Faces that are followed

extension FaceTracker {
    private func followTracks(
        _ frame: UprightFrame, _ models: FaceModels, _ limits: Limits
    ) throws(VisionError) {
        for index in tracks.indices {
            try aligner.follow(tracks[index].face, frame, models.landmarker, least: limits.least)
            aligner.exchange(with: &tracks[index].face)
            if tracks[index].face.presence >= limits.least { tracks[index].box = tracks[index].face.mesh.box }
        }
        removeLost(frame, limits)
    }

    /// Faces that are no longer there, have left the frame, or have come to lie on another track's face.
    private func removeLost(_ frame: UprightFrame, _ limits: Limits) {
        for index in tracks.indices.reversed() {
            let (box, presence) = (tracks[index].box, tracks[index].face.presence)
            if tracks[..<index].contains(where: { $0.box.isSameFace(as: box) }) {
                tracks.remove(at: index)
            } else if presence < limits.least || !frame.contains(box.center) {
                lost.append(LostFace(id: tracks[index].id, box: box))
                tracks.remove(at: index)
            }
        }
    }

    private func ageLost() {
        for index in lost.indices { lost[index].age += 1 }
        lost.removeAll { $0.age > Self.memory }
    }
}

// MARK: - Newcomers

extension FaceTracker {
    /// Whether a search that spares the stream finds an unknown face; which way it is turned is for a
    /// thorough one to say.
    private func hasNewcomer(
        _ frame: UprightFrame, _ models: FaceModels, _ limits: Limits
    ) throws(VisionError) -> Bool {
        sinceSearch = 0
        try search.searchStep(frame, models)
        for face in search.found where !isKnown(face.square) {
            try aligner.align(face, frame, models, least: limits.least)
            if aligner.best.presence >= limits.least, !isKnown(aligner.best.mesh.box) { return true }
        }
        return false
    }

    /// Turns what the search found into tracks, where the landmark model agrees.
    private func admit(_ frame: UprightFrame, _ models: FaceModels, _ limits: Limits) throws(VisionError) {
        var mainView: Double?
        for face in search.found where tracks.count < limits.most && !isKnown(face.square) {
            guard face.score > leastScore(at: face.viewAngle, mainView) else { continue }
            try aligner.align(face, frame, models, least: limits.least)
            guard aligner.best.presence >= limits.least else { continue }
            mainView = mainView ?? face.viewAngle
            let box = aligner.best.mesh.box
            guard !isKnown(box), frame.contains(box.center), max(box.width, box.height) >= Self.smallest
            else { continue }
            tracks.append(FaceTrack(id: identity(of: box), aligner.best))
        }
    }

    /// The score that a detection needs in a view turned by `view`, 0...1.
    ///
    /// Faces that are turned otherwise than the picture's most certain one are rare, and most such detections
    /// are patterns.
    private func leastScore(at view: Double, _ mainView: Double?) -> Double {
        guard let mainView else { return view == 0 ? 0 : 0.65 }
        return view == mainView ? 0 : 0.8
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
