import Imaging

/// Keeps the faces of a stream: follows their points, and searches for new ones now and then.
final class FaceTracker {
    /// The faces of the last picture.
    var tracks: [FaceTrack] = []
    private var lost: [LostFace] = []
    private var search = FaceSearch()
    private var spare = FaceMesh()
    private var nextID = 0
    private var sinceSearch = 0
    private var isFirst = true

    /// Pictures between two searches while there are faces to follow.
    private static let searchInterval = 15
    /// Pictures after which a lost face that comes back counts as a new one.
    private static let memory = 30

    /// Forgets all faces and ids.
    func reset() {
        tracks.removeAll()
        lost.removeAll()
        (nextID, sinceSearch, isFirst) = (0, 0, true)
    }

    /// Finds the faces of a picture that has nothing to do with the last one.
    func find(in frame: UprightFrame, _ models: FaceModels, most: Int, least: Double) throws(VisionError) {
        reset()
        try search.searchUpright(frame, models)
        try admit(frame, models, most: most, least: least)
        guard tracks.isEmpty else { return }
        try search.searchTurned(frame, models)
        try admit(frame, models, most: most, least: least)
    }

    /// Finds the faces of the next picture of a stream.
    func follow(in frame: UprightFrame, _ models: FaceModels, most: Int, least: Double) throws(VisionError) {
        if isFirst {
            try find(in: frame, models, most: most, least: least)
            isFirst = false
            return
        }
        for index in lost.indices { lost[index].age += 1 }
        lost.removeAll { $0.age > Self.memory }
        let before = tracks.count
        try followTracks(frame, models, least: least)
        sinceSearch += 1
        if tracks.count < before {
            try search.searchUpright(frame, models)
        } else if tracks.isEmpty || (tracks.count < most && sinceSearch >= Self.searchInterval) {
            try search.searchStep(frame, models)
        } else {
            return
        }
        sinceSearch = 0
        try admit(frame, models, most: most, least: least)
    }

    private func followTracks(_ frame: UprightFrame, _ models: FaceModels, least: Double) throws(VisionError) {
        for index in tracks.indices {
            let crop = models.landmarker.crop(of: tracks[index].mesh)
            let presence = try models.landmarker.find(in: frame, crop, into: &tracks[index].mesh)
            tracks[index].presence = presence
            if presence >= least { tracks[index].box = tracks[index].mesh.box }
        }
        removeLost(frame, least: least)
    }

    /// Faces that are no longer there, have left the frame, or have come to lie on another track's face.
    private func removeLost(_ frame: UprightFrame, least: Double) {
        for index in tracks.indices.reversed() {
            let track = tracks[index]
            let isTwin = tracks[..<index].contains { $0.box.isSameFace(as: track.box) }
            if isTwin {
                tracks.remove(at: index)
            } else if track.presence < least || !frame.contains(track.box.center) {
                lost.append(LostFace(id: track.id, box: track.box))
                tracks.remove(at: index)
            }
        }
    }

    /// Turns what the search found into tracks, where the landmark model agrees.
    private func admit(
        _ frame: UprightFrame, _ models: FaceModels, most: Int, least: Double
    ) throws(VisionError) {
        for face in search.found where tracks.count < most && !isKnown(face.square) {
            let presence = try inspect(face, frame, models, least: least)
            guard presence >= least, !isKnown(spare.box), frame.contains(spare.box.center) else { continue }
            tracks.append(FaceTrack(id: identity(of: spare.box), mesh: spare, presence: presence))
        }
    }

    /// Looks twice: the points of the first look show where the second one should be.
    private func inspect(
        _ face: FaceDetection, _ frame: UprightFrame, _ models: FaceModels, least: Double
    ) throws(VisionError) -> Double {
        let first = try models.landmarker.find(in: frame, models.landmarker.crop(of: face), into: &spare)
        guard first > 0 else { return 0 }
        return try models.landmarker.find(in: frame, models.landmarker.crop(of: spare), into: &spare)
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

extension UprightFrame {
    func contains(_ point: Point) -> Bool {
        point.x >= 0 && point.y >= 0 && point.x <= size.width && point.y <= size.height
    }
}
