import Imaging

/// Keeps the people of a stream: follows their bodies, and searches for new ones.
///
/// A picture takes one run of the landmark model for each person who is followed, and one run of another model at
/// most: of the person detector when a search is due, else of the model that is next for somebody the last search
/// has found.
final class BodyTracker {
    /// The people of the last picture.
    var tracks: [BodyTrack] = []
    private var lost: [LostPerson] = []
    private var search = BodySearch()
    private var newcomers: [Newcomer] = []
    private var schedule = BodySearchSchedule()
    /// Memory for the next body.
    private var next = BodyLandmarks()
    private var nextID = 0
    private var isFirst = true

    /// Which people are wanted.
    struct Limits {
        /// How many.
        let most: Int
        /// The presence they need to stay, 0...1.
        let least: Double
    }

    /// How a stream is followed.
    struct Pace {
        /// Seconds since the last picture.
        let seconds: Double
        /// Seconds between two searches; nil for no search.
        let searchInterval: Double?
    }

    /// The presence that a new person needs, 0...1 (MediaPipe's value).
    private static let leastNewPresence = 0.5
    /// The same where the body detector has found nobody.
    private static let leastGuessedPresence = 0.9
    /// What box and body then share at least, of what they cover together.
    private static let leastGuessedOverlap = 0.5
    /// Boxes of the detector and of a body that share more than this, of what they cover together, show one person.
    private static let knownOverlap = 0.4
    /// Seconds after which a lost person who comes back counts as a new one.
    private static let memory = 1.0

    /// Forgets all people; ids go on, so that none is used again for another person.
    func reset() {
        tracks.removeAll()
        lost.removeAll()
        newcomers.removeAll(keepingCapacity: true)
        schedule.reset()
        isFirst = true
    }

    /// Finds the people of a picture that has nothing to do with the last one.
    func find(in frame: UprightFrame, _ models: BodyModels, _ limits: Limits) throws(VisionError) {
        reset()
        nextID = 0
        try findAll(frame, models, limits)
    }

    private func findAll(_ frame: UprightFrame, _ models: BodyModels, _ limits: Limits) throws(VisionError) {
        try search.searchAll(frame, models)
        for person in search.found where tracks.count < limits.most {
            let crop = try models.detector.crop(around: person.box, in: frame)
            try admit(person, crop, frame, models)
        }
    }

    /// Finds the people of the next picture of a stream; of the first one as of any picture, which takes long.
    func follow(
        in frame: UprightFrame, _ models: BodyModels, _ limits: Limits, _ pace: Pace
    ) throws(VisionError) {
        if isFirst {
            isFirst = false
            try findAll(frame, models, limits)
            return
        }
        forget(after: pace.seconds)
        try followTracks(frame, models, limits)
        schedule.advance(by: pace.seconds)
        if tracks.count >= limits.most {
            newcomers.removeAll(keepingCapacity: true)
        } else if !newcomers.isEmpty {
            try proceed(frame, models)
        } else if let turn = schedule.due(interval: pace.searchInterval, isAnyoneThere: !tracks.isEmpty) {
            try search.search(frame, models, turn: turn)
            for person in search.found where !isKnown(person.box, frame) {
                newcomers.append(.found(person))
            }
        }
    }
}

// MARK: - People who are followed

extension BodyTracker {
    private func followTracks(_ frame: UprightFrame, _ models: BodyModels, _ limits: Limits) throws(VisionError) {
        for index in tracks.indices {
            _ = try models.landmarker.find(in: frame, tracks[index].body.nextCrop, into: &next)
            tracks[index].follow(&next)
        }
        for index in tracks.indices.reversed() {
            let track = tracks[index]
            if tracks[..<index].contains(where: { $0.body.isSame(as: track.body) }) {
                tracks.remove(at: index)
            } else if track.confidence < limits.least {
                lost.append(LostPerson(id: track.id, crop: track.body.crop))
                tracks.remove(at: index)
            }
        }
    }

    private func forget(after seconds: Double) {
        for index in lost.indices { lost[index].age += seconds }
        lost.removeAll { $0.age > Self.memory }
    }

    /// A person who was lost a short time ago, and may come back.
    private struct LostPerson {
        let id: Int
        let crop: RotatedSquare
        /// Seconds since then.
        var age = 0.0
    }
}

// MARK: - Newcomers

extension BodyTracker {
    /// Somebody whom the search has found.
    private enum Newcomer {
        case found(BodySearch.Person)
        /// The body lies in this crop; nil where the body detector has found none.
        case aligned(BodySearch.Person, RotatedSquare?)
    }

    private func isKnown(_ box: Rectangle, _ frame: UprightFrame) -> Bool {
        tracks.contains {
            $0.body.box(upperBody: false, in: frame.size).overlap(with: box) > Self.knownOverlap
        }
    }

    /// One step further with the first newcomer.
    private func proceed(_ frame: UprightFrame, _ models: BodyModels) throws(VisionError) {
        switch newcomers[0] {
        case .found(let person):
            newcomers[0] = .aligned(person, try models.detector.crop(around: person.box, in: frame))
        case .aligned(let person, let crop):
            newcomers.removeFirst()
            try admit(person, crop, frame, models)
        }
    }

    /// Follows a person's body from now on, if there is one that is not followed yet.
    ///
    /// Where the body detector has found none, as with people who are half hidden by others, the body is looked for in
    /// the person's box: then the landmark model has to be certain, and the body to fill the box.
    private func admit(
        _ person: BodySearch.Person, _ crop: RotatedSquare?, _ frame: UprightFrame, _ models: BodyModels
    ) throws(VisionError) {
        let view = crop ?? .around(person)
        let presence = try models.landmarker.find(in: frame, view, into: &next)
        guard presence >= (crop == nil ? Self.leastGuessedPresence : Self.leastNewPresence),
            crop != nil
                || next.box(upperBody: false, in: frame.size).overlap(with: person.box) >= Self.leastGuessedOverlap,
            !tracks.contains(where: { $0.body.isSame(as: next) })
        else { return }
        tracks.append(BodyTrack(id: id(for: next), next))
        // The track has the old one's memory.
        next = BodyLandmarks()
    }

    /// The id of somebody lost in the same place, else a new one.
    private func id(for body: BodyLandmarks) -> Int {
        if let index = lost.firstIndex(where: { $0.crop.isNear(body.crop) }) { return lost.remove(at: index).id }
        defer { nextID &+= 1 }
        return nextID
    }
}

extension RotatedSquare {
    /// The crop for a person whose body's place in the box is not known.
    fileprivate static func around(_ person: BodySearch.Person) -> RotatedSquare {
        RotatedSquare(
            center: person.box.center,
            side: max(person.box.width, person.box.height) * BodyLandmarks.cropScale, angle: person.angle)
    }

    /// Whether the centres are less than half a side apart.
    fileprivate func isNear(_ other: RotatedSquare) -> Bool {
        let distance = center - other.center
        return max(abs(distance.x), abs(distance.y)) < max(side, other.side) / 2
    }
}
