import Imaging

/// Tracks the hands of a stream: follows their points, and searches for new ones.
///
/// A picture takes one run of the landmark model for each hand that is followed, and one run of another model at
/// most: of the palm detector when a search is due, else of the landmark model for a palm that the last search has found.
final class HandTracker {
    /// The hands of the last picture.
    var tracks: [HandTrack] = []
    private var search = HandSearch()
    private var newcomers: [HandSearch.Palm] = []
    private var lost = LostTracks()
    /// Seconds since the last search.
    private var waited = 0.0
    /// Memory for the next hand.
    private var next = HandLandmarks()
    private var isFirst = true

    /// The presence that a hand needs in a picture, 0...1 (MediaPipe's value).
    private static let leastPresence = 0.5
    /// Boxes of a lost hand and of one that comes back share more than this, of what they cover together.
    private static let sameOverlap = 0.2

    /// Forgets all hands; ids go on, so that none is used again for another hand.
    func reset() {
        tracks.removeAll()
        newcomers.removeAll(keepingCapacity: true)
        lost.reset()
        waited = 0
        isFirst = true
    }

    /// Finds the hands of a picture that has nothing to do with the last one.
    func find(in frame: UprightFrame, _ models: HandModels, most: Int) throws(VisionError) {
        reset()
        lost.restart()
        try findAll(frame, models, most)
    }

    private func findAll(_ frame: UprightFrame, _ models: HandModels, _ most: Int) throws(VisionError) {
        try search.searchAll(frame, models)
        for palm in search.found where tracks.count < most { try admit(palm, frame, models) }
    }

    /// Finds the hands of the next picture of a stream; of the first one as of any picture, which takes long.
    func follow(
        in frame: UprightFrame, _ models: HandModels, most: Int, _ timing: StreamTiming
    ) throws(VisionError) {
        if isFirst {
            isFirst = false
            if timing.searchesFirstPictureFully { return try findAll(frame, models, most) }
            waited = .infinity
        }
        lost.age(by: timing.seconds)
        dropSurplus(most)
        try followTracks(frame, models)
        if timing.seconds > 0 { waited += timing.seconds }
        if tracks.count >= most {
            newcomers.removeAll(keepingCapacity: true)
        } else if !newcomers.isEmpty {
            try admit(newcomers.removeFirst(), frame, models)
        } else if let interval = timing.searchInterval, waited >= interval * (1 - 1e-6) {
            waited = 0
            try search.searchNext(frame, models)
            for palm in search.found where !isKnown(palm) { newcomers.append(palm) }
        }
    }

    private func followTracks(_ frame: UprightFrame, _ models: HandModels) throws(VisionError) {
        for index in tracks.indices.reversed() {
            let presence = try models.landmarker.find(in: frame, tracks[index].hand.nextCrop, into: &next)
            // Where two hands overlap, the model may find the same one in both crops.
            let isTwin = tracks.indices.contains { $0 != index && tracks[$0].hand.isSame(as: next) }
            if presence < Self.leastPresence || isTwin {
                lose(index)
                waited = .infinity
            } else {
                tracks[index].follow(&next)
            }
        }
    }

    /// Where the limit has been lowered, the smallest hands are no longer followed.
    private func dropSurplus(_ most: Int) {
        while tracks.count > most,
            let surplus = tracks.indices.min(by: { tracks[$0].hand.box.area < tracks[$1].hand.box.area })
        {
            lose(surplus)
        }
    }

    private func lose(_ index: Int) {
        let track = tracks.remove(at: index)
        lost.add(id: track.id, box: track.hand.box)
    }

    /// Whether a palm belongs to a hand that is followed: its middle lies in the hand's box.
    private func isKnown(_ palm: HandSearch.Palm) -> Bool {
        tracks.contains { $0.hand.box.contains(palm.box.center) }
    }

    /// Follows a palm's hand from now on, if there is one that is not followed yet.
    ///
    /// The landmark model runs twice: in the crop around the palm, and in the one around the points found there, in which
    /// it finds them more exactly.
    private func admit(_ palm: HandSearch.Palm, _ frame: UprightFrame, _ models: HandModels)
        throws(VisionError)
    {
        guard try models.landmarker.find(in: frame, palm.crop, into: &next) >= Self.leastPresence,
            try models.landmarker.find(in: frame, next.nextCrop, into: &next) >= Self.leastPresence,
            !tracks.contains(where: { $0.hand.isSame(as: next) })
        else { return }
        let box = next.box
        tracks.append(HandTrack(id: lost.id { $0.overlap(with: box) > Self.sameOverlap }, next))
        // The track has the old one's memory.
        next = HandLandmarks()
    }
}
