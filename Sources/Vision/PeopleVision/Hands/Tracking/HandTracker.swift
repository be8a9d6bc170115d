import Imaging

/// Tracks the hands of a stream: follows their points, and searches for new hands.
///
/// A frame takes one run of the landmark model for each followed hand, and at most one run of another model:
/// the palm detector if a search is due, else the landmark model for a palm from the last search.
final class HandTracker: StreamTracker {
    typealias Configuration = DetectHumanHandPoseRequest.Configuration

    var tracks: [HandTrack] = []
    var lost = LostTracks()
    var isFirst = true
    private var search = HandSearch()
    private var newcomers: [HandSearch.Palm] = []
    /// Seconds since the last search.
    private var waited = 0.0
    /// Memory for the next hand.
    private var next = HandLandmarks()

    /// The minimum presence of a hand in a frame, 0...1 (MediaPipe's value).
    private static let minimumPresence = 0.5
    /// The intersection over union above which a lost hand and one that comes back are the same.
    private static let sameOverlap = 0.2

    func makeSearchDue() { waited = .infinity }

    func resetSearch() {
        newcomers.removeAll(keepingCapacity: true)
        waited = 0
    }

    func observation(
        _ index: Int, in frame: UprightFrame, _ models: HandModels, _ context: Context
    ) throws(VisionError) -> HumanHandPoseObservation {
        tracks[index].observation(in: frame, context)
    }

    func findAll(_ frame: UprightFrame, _ models: HandModels, _ context: Context) throws(VisionError) {
        try search.searchAll(frame, models, at: context.places)
        for palm in search.found where tracks.count < context.limits.maximumCount {
            try admit(palm, frame, models)
        }
    }

    func searchOn(_ frame: UprightFrame, _ models: HandModels, _ context: Context) throws(VisionError) {
        if context.seconds > 0 { waited += context.seconds }
        if tracks.count >= context.limits.maximumCount {
            newcomers.removeAll(keepingCapacity: true)
        } else if !newcomers.isEmpty {
            try admit(newcomers.removeFirst(), frame, models)
        } else if let interval = context.searchInterval, waited >= interval * (1 - 1e-6) {
            waited = 0
            try search.searchNext(frame, models)
            for palm in search.found where !isKnown(palm) { newcomers.append(palm) }
        }
    }

    func followTracks(_ frame: UprightFrame, _ models: HandModels, _ context: Context) throws(VisionError) {
        for index in tracks.indices.reversed() {
            let presence = try models.landmarker.find(in: frame, tracks[index].hand.nextCrop, into: &next)
            // If two hands overlap, the model may find the same hand in both crops.
            let isTwin = tracks.indices.contains { $0 != index && tracks[$0].hand.isSame(as: next) }
            if presence < Self.minimumPresence || isTwin {
                lose(index)
                makeSearchDue()
            } else {
                tracks[index].follow(&next)
            }
        }
    }

    /// Whether a palm belongs to a followed hand: its centre lies in the hand's box.
    private func isKnown(_ palm: HandSearch.Palm) -> Bool {
        tracks.contains { $0.hand.box.contains(palm.box.center) }
    }

    /// Follows a palm's hand from now on, if there is one that is not yet followed.
    ///
    /// The landmark model runs twice: in the crop around the palm, and in the crop around the points found
    /// there, which are more exact then.
    private func admit(_ palm: HandSearch.Palm, _ frame: UprightFrame, _ models: HandModels)
        throws(VisionError)
    {
        guard try models.landmarker.find(in: frame, palm.crop, into: &next) >= Self.minimumPresence,
            try models.landmarker.find(in: frame, next.nextCrop, into: &next) >= Self.minimumPresence,
            !tracks.contains(where: { $0.hand.isSame(as: next) })
        else { return }
        let box = next.box
        tracks.append(HandTrack(id: lost.id { $0.overlap(with: box) > Self.sameOverlap }, next))
        // The track now uses the memory of the old `next`.
        next = HandLandmarks()
    }
}

/// The loaded models of hand requests.
final class HandModels: TrackingModels {
    typealias Configuration = DetectHumanHandPoseRequest.Configuration

    /// Detects palms at any rotation.
    let detector: PalmDetector
    let landmarker: HandLandmarker

    static func uses(_ setup: ModelSetup) -> [ModelUse] {
        [ModelUse(PalmDetector.name, setup.withoutUserModel), ModelUse(HandLandmarker.name, setup)]
    }

    /// Loads the models.
    ///
    /// - Parameter setup: a model file in it replaces the landmark model; the other stays.
    init(_ setup: ModelSetup) throws(VisionError) {
        detector = try PalmDetector(setup.withoutUserModel)
        landmarker = try HandLandmarker(setup)
    }
}
