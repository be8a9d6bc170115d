import Imaging

/// Keeps the hands of a stream: follows them, and searches for new ones.
///
/// A picture takes one run of the landmark model for each hand that is followed, and one run of another model at
/// most: of the palm detector when a search is due, else of the landmark model for a palm that the last search has found.
final class HandTracker {
    /// The hands of the last picture.
    var tracks: [HandTrack] = []
    private var search = HandSearch()
    private var newcomers: [HandSearch.Palm] = []
    private var lost: [LostHand] = []
    /// Seconds since the last search.
    private var waited = 0.0
    /// Memory for the next hand.
    private var next = HandLandmarks()
    private var nextID = 0
    private var isFirst = true

    /// How a stream is followed.
    struct Pace {
        /// Seconds since the last picture.
        let seconds: Double
        /// Seconds between two searches; nil for no search.
        let searchInterval: Double?
        /// Whether the first picture has one search at most, too.
        let spreadsFirstSearch: Bool
    }

    /// A hand that was lost a short time ago, and may come back.
    private struct LostHand {
        let id: Int
        let box: Rectangle
        /// Seconds since then.
        var age = 0.0
    }

    /// The presence that a hand needs in a picture, 0...1 (MediaPipe's value).
    private static let leastPresence = 0.5
    /// Boxes of a lost hand and of one that comes back share more than this, of what they cover together.
    private static let sameOverlap = 0.2
    /// Seconds after which a lost hand that comes back counts as a new one.
    private static let memory = 1.0

    /// Forgets all hands; ids go on, so that none is used again for another hand.
    func reset() {
        tracks.removeAll()
        newcomers.removeAll(keepingCapacity: true)
        lost.removeAll()
        waited = 0
        isFirst = true
    }

    /// Finds the hands of a picture that has nothing to do with the last one.
    func find(in frame: UprightFrame, _ models: HandModels, most: Int) throws(VisionError) {
        reset()
        nextID = 0
        try findAll(frame, models, most)
    }

    private func findAll(_ frame: UprightFrame, _ models: HandModels, _ most: Int) throws(VisionError) {
        try search.searchAll(frame, models)
        for palm in search.found where tracks.count < most { try admit(palm, frame, models) }
    }

    /// Finds the hands of the next picture of a stream; of the first one as of any picture, which takes long.
    func follow(
        in frame: UprightFrame, _ models: HandModels, most: Int, _ pace: Pace
    ) throws(VisionError) {
        if isFirst {
            isFirst = false
            guard pace.spreadsFirstSearch, pace.searchInterval != nil else {
                return try findAll(frame, models, most)
            }
            waited = .infinity
        }
        forget(after: pace.seconds)
        try followTracks(frame, models)
        if pace.seconds > 0 { waited += pace.seconds }
        if tracks.count >= most {
            newcomers.removeAll(keepingCapacity: true)
        } else if !newcomers.isEmpty {
            try admit(newcomers.removeFirst(), frame, models)
        } else if let interval = pace.searchInterval, waited >= interval * (1 - 1e-6) {
            waited = 0
            try search.searchNext(frame, models)
            for palm in search.found where !isKnown(palm) { newcomers.append(palm) }
        }
    }

    private func followTracks(_ frame: UprightFrame, _ models: HandModels) throws(VisionError) {
        for index in tracks.indices.reversed() {
            let presence = try models.landmarker.find(in: frame, tracks[index].hand.nextCrop, into: &next)
            // Where two hands overlap, the model comes to see one of them in both crops.
            let isTwin = tracks.indices.contains { $0 != index && tracks[$0].hand.isSame(as: next) }
            if presence < Self.leastPresence || isTwin {
                let track = tracks.remove(at: index)
                lost.append(LostHand(id: track.id, box: track.hand.box))
                waited = .infinity
            } else {
                tracks[index].follow(&next)
            }
        }
    }

    private func forget(after seconds: Double) {
        for index in lost.indices { lost[index].age += seconds }
        lost.removeAll { $0.age > Self.memory }
    }

    /// Whether a palm belongs to a hand that is followed: its middle lies in the hand's box.
    private func isKnown(_ palm: HandSearch.Palm) -> Bool {
        let center = palm.box.center
        return tracks.contains {
            let box = $0.hand.box
            return center.x >= box.x && center.y >= box.y && center.x <= box.x + box.width
                && center.y <= box.y + box.height
        }
    }

    /// Follows a palm's hand from now on, if there is one that is not followed yet.
    ///
    /// It is looked at twice: the crop by the hand's own points shows them better than that by the palm.
    private func admit(_ palm: HandSearch.Palm, _ frame: UprightFrame, _ models: HandModels)
        throws(VisionError)
    {
        guard try models.landmarker.find(in: frame, palm.crop, into: &next) >= Self.leastPresence,
            try models.landmarker.find(in: frame, next.nextCrop, into: &next) >= Self.leastPresence,
            !tracks.contains(where: { $0.hand.isSame(as: next) })
        else { return }
        tracks.append(HandTrack(id: id(for: next.box), next))
        // The track has the old one's memory.
        next = HandLandmarks()
    }

    /// The id of a hand lost in the same place, else a new one.
    private func id(for box: Rectangle) -> Int {
        if let index = lost.firstIndex(where: { $0.box.overlap(with: box) > Self.sameOverlap }) {
            return lost.remove(at: index).id
        }
        defer { nextID &+= 1 }
        return nextID
    }
}
