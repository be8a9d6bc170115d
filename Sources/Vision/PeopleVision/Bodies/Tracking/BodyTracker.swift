import Imaging

/// Tracks the people of a stream: follows their bodies, and searches for new people.
///
/// A frame takes one run of the landmark model for each followed person, and at most one run of another
/// model: the person detector if a search is due, else the next model for a person from the last search.
/// People who move slowly before a camera are measured in every second frame (`LandmarkPropagation`).
final class BodyTracker: StreamTracker {
    typealias Configuration = BodyRequest.Configuration

    var tracks: [BodyTrack] = []
    var lost = LostTracks()
    var isFirst = true
    private var search = BodySearch()
    private var newcomers: [BodyAlignment] = []
    /// Memory for the bodies of the first newcomer.
    private var memory = BodyAlignment.Memory()
    private var schedule = BodySearchSchedule()
    private let propagation = LandmarkPropagation()
    /// Memory for the next body of a track, and for a body that is found again.
    private var (next, recovered) = (BodyLandmarks(), BodyAlignment.Memory())

    /// The intersection over union above which boxes of the detector and of a body show one person.
    static let knownOverlap = 0.4
    /// The intersection over union above which a lost person and one who comes back are the same.
    private static let sameOverlap = 0.3

    func makeSearchDue() { schedule.makeDue() }

    func resetSearch() {
        newcomers.removeAll(keepingCapacity: true)
        schedule.reset()
    }

    func observation(
        _ index: Int, in frame: UprightFrame, _ models: BodyModels, _ context: Context
    ) throws(VisionError) -> HumanBodyPoseObservation {
        tracks[index].observation(in: frame, context)
    }

    func findAll(_ frame: UprightFrame, _ models: BodyModels, _ context: Context) throws(VisionError) {
        try search.searchAll(frame, models)
        for person in search.found
        where tracks.count < context.limits.maximumCount && !search.isGroup(person) {
            var newcomer = BodyAlignment(person, .image)
            while try advance(&newcomer, frame, models, &memory) {}
            admit(newcomer)
        }
    }

    func searchOn(_ frame: UprightFrame, _ models: BodyModels, _ context: Context) throws(VisionError) {
        schedule.advance(by: context.seconds)
        if tracks.count >= context.limits.maximumCount {
            newcomers.removeAll(keepingCapacity: true)
        } else if !newcomers.isEmpty {
            try proceed(frame, models)
        } else if let turn = schedule.due(
            interval: context.searchInterval, isAnyoneThere: !tracks.isEmpty)
        {
            try search.search(frame, models, turn: turn)
            for person in search.found.indices { consider(person, frame) }
        }
    }
}

// MARK: - People who are followed

extension BodyTracker {
    func followTracks(_ frame: UprightFrame, _ models: BodyModels, _ context: Context) throws(VisionError) {
        propagation.begin(count: tracks.count, context.configuration.mode)
        for index in tracks.indices {
            if try propagation.moves(tracks[index].origin, in: frame, seconds: context.seconds) {
                tracks[index].move(seconds: context.seconds)
            } else {
                try measure(index, frame, models)
            }
        }
        for index in tracks.indices.reversed() {
            guard let stray = stray(index, frame, context.limits),
                try !recover(stray, frame, models)
            else { continue }
            lose(stray)
            // The person may still be there.
            makeSearchDue()
        }
    }

    /// Runs the landmark model for a track.
    private func measure(_ index: Int, _ frame: UprightFrame, _ models: BodyModels) throws(VisionError) {
        _ = try models.landmarker.find(in: frame, tracks[index].body.nextCrop, into: &next)
        tracks[index].follow(&next)
        // `next` is the last frame's body now.
        let body = tracks[index].body
        try propagation.take(
            body.points, after: next.points, presence: body.presence, tracks[index].origin, in: frame
        ) { body.isSeen($0) }
    }

    /// Returns the track that has lost its person: this one, an earlier one that follows the same body, or
    /// none.
    ///
    /// If two people overlap, the model may find the same body in both crops.
    private func stray(_ index: Int, _ frame: UprightFrame, _ limits: TrackingLimits) -> Int? {
        let track = tracks[index]
        if let other = tracks[..<index].firstIndex(where: { $0.body.isSame(as: track.body) }) {
            return fit(tracks[other], frame) < fit(track, frame) ? other : index
        }
        return track.confidence < limits.minimumPresence ? index : nil
    }

    /// Searches for a body at the person's last detection; returns false when there is none.
    private func recover(_ index: Int, _ frame: UprightFrame, _ models: BodyModels) throws(VisionError)
        -> Bool
    {
        let track = tracks[index]
        var alignment = BodyAlignment(recovering: track.person, of: track.id)
        while try advance(&alignment, frame, models, &recovered) {}
        guard alignment.bestScore > 0 else { return false }
        tracks[index].restart(&recovered.best, of: track.person)
        return true
    }

    /// Returns the fit of a body to the person's last detection, 0...1.
    private func fit(_ track: BodyTrack, _ frame: UprightFrame) -> Double {
        track.body.box(upperBody: false, in: frame.size).overlap(with: track.person.box)
    }
}

// MARK: - Newcomers

extension BodyTracker {
    /// Updates the track of a detected person, or makes the person a newcomer.
    ///
    /// - Parameter index: index of the person in the search's results.
    private func consider(_ index: Int, _ frame: UprightFrame) {
        let person = search.found[index]
        guard !(person.isDiagonal && isFollowed(at: person.box.center, frame)),
            !search.isGroup(person), !person.isAround(tracks.lazy.map(\.person.box))
        else { return }
        if let same = track(of: index) {
            tracks[same].person = person
            guard fit(tracks[same], frame) < Self.knownOverlap else { return }
            newcomers.append(BodyAlignment(person, replaced: tracks[same].id, .stream))
        } else if let moved = tracks.firstIndex(where: { isAt($0, person.box, frame) }) {
            tracks[moved].person = person
        } else {
            newcomers.append(BodyAlignment(person, .stream))
        }
    }

    /// Returns the track whose last detection was in the same place: each is the nearest of the other.
    private func track(of index: Int) -> Int? {
        let box = search.found[index].box
        let nearest = tracks.indices.max {
            tracks[$0].person.box.overlap(with: box) < tracks[$1].person.box.overlap(with: box)
        }
        guard let nearest else { return nil }
        let known = tracks[nearest].person.box
        let best = search.found.indices.max {
            search.found[$0].box.overlap(with: known) < search.found[$1].box.overlap(with: known)
        }
        return best == index && known.overlap(with: box) > Self.knownOverlap ? nearest : nil
    }

    private func isFollowed(at place: Point, _ frame: UprightFrame) -> Bool {
        tracks.contains { $0.body.box(upperBody: false, in: frame.size).contains(place) }
    }

    private func isAt(_ track: BodyTrack, _ box: Rectangle, _ frame: UprightFrame) -> Bool {
        track.body.box(upperBody: false, in: frame.size).overlap(with: box) > Self.knownOverlap
    }

    /// Runs the next step for the first newcomer.
    private func proceed(_ frame: UprightFrame, _ models: BodyModels) throws(VisionError) {
        guard try !advance(&newcomers[0], frame, models, &memory) else { return }
        admit(newcomers.removeFirst())
    }

    private func advance(
        _ alignment: inout BodyAlignment, _ frame: UprightFrame, _ models: BodyModels,
        _ memory: inout BodyAlignment.Memory
    ) throws(VisionError) -> Bool {
        let replaced = alignment.replaced
        return try alignment.advance(frame, models, &memory) { isNew($0, besides: replaced) }
    }

    /// Follows the body found for a person from now on.
    private func admit(_ newcomer: BodyAlignment) {
        let (person, replaced) = (newcomer.person, newcomer.replaced)
        // Another track may follow the body by now.
        guard newcomer.bestScore > 0, isNew(memory.best, besides: replaced) else { return }
        if let index = tracks.firstIndex(where: { $0.id == replaced }) {
            tracks[index].restart(&memory.best, of: person)
        } else {
            let id = lost.id { $0.overlap(with: person.box) > Self.sameOverlap }
            tracks.append(BodyTrack(id: id, memory.best, of: person))
            // The track now uses the memory of the old `best`.
            memory.best = BodyLandmarks()
        }
    }

    /// Whether no track has the body; the track with `id` does not count.
    private func isNew(_ body: BodyLandmarks, besides id: Int?) -> Bool {
        !tracks.contains { $0.id != id && $0.body.isSame(as: body) }
    }
}

/// The loaded models of body requests.
final class BodyModels: TrackingModels {
    typealias Configuration = BodyRequest.Configuration

    /// Detects people of any size.
    let people: PersonDetector
    /// Detects the body of a person in a box.
    let detector: BodyDetector
    let landmarker: BodyLandmarker

    static func uses(_ setup: ModelSetup) -> [ModelUse] {
        [
            ModelUse(PersonDetector.name, setup.withoutUserModel),
            ModelUse(BodyDetector.name, setup.withoutUserModel), ModelUse(BodyLandmarker.name, setup),
        ]
    }

    /// Loads the models.
    ///
    /// - Parameter setup: a model file in it replaces the landmark model; the others stay.
    init(_ setup: ModelSetup) throws(VisionError) {
        people = try PersonDetector(setup)
        detector = try BodyDetector(setup.withoutUserModel)
        landmarker = try BodyLandmarker(setup)
    }
}
