import Imaging

/// Tracks the people of a stream: follows their bodies, and searches for new ones.
///
/// A frame takes one run of the landmark model for each person who is followed, and one run of another model at
/// most: of the person detector when a search is due, else of the model that is next for a person whom the last search
/// has found.
final class BodyTracker: StreamTracker {
    typealias Configuration = BodyConfiguration

    var tracks: [BodyTrack] = []
    var lost = LostTracks()
    var isFirst = true
    private var search = BodySearch()
    private var newcomers: [BodyAlignment] = []
    /// The best body so far of the first newcomer.
    private var best = BodyLandmarks()
    private var schedule = BodySearchSchedule()
    /// Memory for the next body, and for its refined points.
    private var (next, refined) = (BodyLandmarks(), BodyLandmarks())

    /// The presence that a refined body needs, 0...1 (MediaPipe's value).
    private static let minimumNewPresence = 0.5
    /// The intersection over union of body and box from which on a newcomer's body is not looked for any longer.
    ///
    /// In streams every try takes a frame.
    private static let sufficientFit = (ofImage: 0.7, ofStream: 0.5)
    /// The intersection over union above which boxes of the detector and of a body show one person.
    private static let knownOverlap = 0.4
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
            var newcomer = BodyAlignment(person)
            while try advance(&newcomer, frame, models, &best, Self.sufficientFit.ofImage) {}
            try admit(newcomer, frame, models, refines: true)
        }
    }

    func searchOn(_ frame: UprightFrame, _ models: BodyModels, _ context: Context) throws(VisionError) {
        schedule.advance(by: context.seconds)
        if tracks.count >= context.limits.maximumCount {
            newcomers.removeAll(keepingCapacity: true)
        } else if !newcomers.isEmpty {
            try proceed(frame, models)
        } else if let turn = schedule.due(
            interval: context.configuration.searchInterval, isAnyoneThere: !tracks.isEmpty)
        {
            try search.search(frame, models, turn: turn)
            for person in search.found.indices { consider(person, frame) }
        }
    }
}

// MARK: - People who are followed

extension BodyTracker {
    func followTracks(_ frame: UprightFrame, _ models: BodyModels, _ context: Context) throws(VisionError) {
        for index in tracks.indices {
            _ = try models.landmarker.find(in: frame, tracks[index].body.nextCrop, into: &next)
            tracks[index].follow(&next)
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

    /// The track that has lost its person: this one, one before it that follows the same body, or none.
    ///
    /// Where two people overlap, the model may find the same body in both crops.
    private func stray(_ index: Int, _ frame: UprightFrame, _ limits: TrackingLimits) -> Int? {
        let track = tracks[index]
        if let other = tracks[..<index].firstIndex(where: { $0.body.isSame(as: track.body) }) {
            return fit(tracks[other], frame) < fit(track, frame) ? other : index
        }
        return track.confidence < limits.minimumPresence ? index : nil
    }

    /// Looks for a body where the detector saw the person last; returns false when it is not there.
    private func recover(_ index: Int, _ frame: UprightFrame, _ models: BodyModels) throws(VisionError)
        -> Bool
    {
        let track = tracks[index]
        var alignment = BodyAlignment(recovering: track.person, of: track.id)
        while try advance(&alignment, frame, models, &refined, Self.sufficientFit.ofStream) {}
        guard alignment.bestFit > 0 else { return false }
        tracks[index].restart(&refined, of: track.person)
        return true
    }

    /// How well a body fills the box in which the detector saw the person, 0...1.
    private func fit(_ track: BodyTrack, _ frame: UprightFrame) -> Double {
        track.body.box(upperBody: false, in: frame.size).overlap(with: track.person.box)
    }
}

// MARK: - Newcomers

extension BodyTracker {
    /// Updates the track of a detected person, or makes the person a newcomer.
    ///
    /// - Parameter index: in what the search has found.
    private func consider(_ index: Int, _ frame: UprightFrame) {
        let person = search.found[index]
        guard !(person.isDiagonal && isFollowed(at: person.box.center, frame)),
            !search.isGroup(person), !person.isAround(tracks.lazy.map(\.person.box))
        else { return }
        if let same = track(of: index) {
            tracks[same].person = person
            guard fit(tracks[same], frame) < Self.knownOverlap else { return }
            newcomers.append(BodyAlignment(person, replaced: tracks[same].id))
        } else if let moved = tracks.firstIndex(where: { isAt($0, person.box, frame) }) {
            tracks[moved].person = person
        } else {
            newcomers.append(BodyAlignment(person))
        }
    }

    /// The track whose person the detector saw in the same place the last time: each is the other's nearest.
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

    /// Takes the next step with the first newcomer.
    private func proceed(_ frame: UprightFrame, _ models: BodyModels) throws(VisionError) {
        guard try !advance(&newcomers[0], frame, models, &best, Self.sufficientFit.ofStream) else { return }
        let newcomer = newcomers.removeFirst()
        try admit(newcomer, frame, models, refines: false)
    }

    private func advance(
        _ alignment: inout BodyAlignment, _ frame: UprightFrame, _ models: BodyModels,
        _ best: inout BodyLandmarks, _ sufficientFit: Double
    ) throws(VisionError) -> Bool {
        let replaced = alignment.replaced
        return try alignment.advance(
            frame, models, next: &next, best: &best, sufficientFit: sufficientFit
        ) { isNew($0, besides: replaced) }
    }

    /// Follows the body that was found of a person from now on.
    ///
    /// - Parameter refines: whether the landmark model runs once more, in the crop around the points that it has found,
    ///   as it does in the next frame of a stream.
    private func admit(
        _ newcomer: BodyAlignment, _ frame: UprightFrame, _ models: BodyModels, refines: Bool
    ) throws(VisionError) {
        guard newcomer.bestFit > 0 else { return }
        swap(&next, &best)
        let (person, replaced) = (newcomer.person, newcomer.replaced)
        // Another track may have come to follow it meanwhile.
        guard isNew(next, besides: replaced) else { return }
        if refines { try refine(besides: replaced, frame, models) }
        if let index = tracks.firstIndex(where: { $0.id == replaced }) {
            tracks[index].restart(&next, of: person)
        } else {
            let id = lost.id { $0.overlap(with: person.box) > Self.sameOverlap }
            tracks.append(BodyTrack(id: id, next, of: person))
            // The track has the old one's memory.
            next = BodyLandmarks()
        }
    }

    /// Refines the points in `next`, unless the model finds no body in the crop around them, or one that has a track.
    private func refine(besides id: Int?, _ frame: UprightFrame, _ models: BodyModels) throws(VisionError) {
        let presence = try models.landmarker.find(in: frame, next.nextCrop, into: &refined)
        if presence >= Self.minimumNewPresence, isNew(refined, besides: id) { swap(&next, &refined) }
    }

    /// Whether no track has the body; the track with `id` does not count.
    private func isNew(_ body: BodyLandmarks, besides id: Int?) -> Bool {
        !tracks.contains { $0.id != id && $0.body.isSame(as: body) }
    }
}

/// The models of body requests, loaded.
final class BodyModels: TrackingModels {
    typealias Configuration = BodyConfiguration

    /// Finds people of any size.
    let people: PersonDetector
    /// Finds how a person's body lies in a box.
    let detector: BodyDetector
    let landmarker: BodyLandmarker

    static func uses(_ setup: ModelSetup) -> [ModelUse] {
        [
            ModelUse(PersonDetector.name, setup.withoutUserModel),
            ModelUse(BodyDetector.name, setup.withoutUserModel), ModelUse(BodyLandmarker.name, setup),
        ]
    }

    /// - Parameter setup: a model file in it replaces the landmark model; the others stay.
    init(_ setup: ModelSetup) throws(VisionError) {
        people = try PersonDetector(setup)
        detector = try BodyDetector(setup.withoutUserModel)
        landmarker = try BodyLandmarker(setup)
    }
}
