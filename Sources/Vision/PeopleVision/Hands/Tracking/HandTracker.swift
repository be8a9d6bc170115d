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

/// One hand, followed from frame to frame.
struct HandTrack: StreamTrack {
    let id: Int
    /// The hand as it was measured in the last frame.
    private(set) var hand: HandLandmarks
    /// The confidence that this is a hand, averaged over time.
    private var presence: ConfidenceMean
    /// The confidence that this is a right hand, averaged over time, because the model errs in single frames.
    private var rightness: ConfidenceMean
    private var smoother = LandmarkSmoother(
        count: HandLandmarks.pointCount, worldSize: HandLandmarks.length)
    /// Smoothed landmarks of the last observation; kept to reuse memory.
    private var shown = HandLandmarks()
    /// The joints of the last observation; kept to reuse memory.
    private var joints: [Joint] = []

    init(id: Int, _ hand: HandLandmarks) {
        self.id = id
        self.hand = hand
        presence = ConfidenceMean(hand.presence)
        rightness = ConfidenceMean(hand.rightness)
        joints.reserveCapacity(HandLandmarks.pointCount)
    }

    /// The confidence that this is a hand, 0...1.
    var confidence: Double { presence.value }

    var box: Rectangle { hand.box }

    var angle: Double { 0 }

    /// The area of the hand's box; the smallest hands end first.
    var prominence: Double { box.area }

    /// Exchanges the hand for the one of the next frame.
    mutating func follow(_ next: inout HandLandmarks) {
        presence.add(next.presence)
        rightness.add(next.rightness)
        swap(&hand, &next)
    }

    /// Returns the observation of the hand.
    mutating func observation(
        in frame: UprightFrame, _ context: TrackingContext<DetectHumanHandPoseRequest.Configuration>
    ) -> HumanHandPoseObservation {
        shown.copy(hand)
        if let interval = context.interval {
            shown.smooth(with: &smoother, interval: interval, strength: context.configuration.smoothing)
        }
        let (confidence, rightness) = (presence.value, rightness.value)
        joints.removeAll(keepingCapacity: true)
        for index in 0..<HandLandmarks.pointCount {
            let point = shown.point(index)
            joints.append(
                Joint(
                    location: frame.stored(point.x, point.y),
                    confidence: frame.contains(point) ? confidence : 0))
        }
        return HumanHandPoseObservation(
            boundingBox: frame.stored(shown.box), confidence: confidence, id: id,
            chirality: rightness >= 0.5 ? .right : .left, chiralityConfidence: max(rightness, 1 - rightness),
            joints: joints, positions: shown.world)
    }
}

/// Searches for palms: in the whole frame, in a wider square for hands that fill the frame, and in tiles for
/// small hands.
struct HandSearch {
    /// A palm, and the crop in which to find its hand.
    struct Palm: Detection {
        /// The box of the palm, in pixels of the upright frame.
        let box: Rectangle
        let score: Double
        let crop: RotatedSquare
    }

    /// The palms of the last search, the largest first.
    private(set) var found: [Palm] = []
    /// The number of the next search of a stream, which determines its view.
    private var next = 0

    /// Side of the wider square, as a share of the frame's longer side.
    ///
    /// It finds the palm in three more of 16 images in which one hand fills most of the frame.
    private static let wider = 1.5
    /// Side of a tile, as a share of the frame's longer side: it shows hands a third as large as the frame does.
    private static let tile = 0.34
    /// Intersection over union above which palms of several views are one.
    private static let samePalm = 0.3
    private static let maximumPalms = 32

    /// Searches the whole frame, and for small hands the places where they can be.
    ///
    /// - Parameter places: boxes in pixels of the frame; nil for anywhere.
    mutating func searchAll(
        _ frame: UprightFrame, _ models: HandModels, at places: [Rectangle]?
    ) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        for isWider in [false, true] {
            try models.detector.find(in: frame, whole(frame, isWider: isWider), into: &found)
        }
        for view in tiles(frame, models).views(of: places) {
            try models.detector.find(in: frame, view, into: &found)
        }
        sort()
    }

    /// Searches the whole frame and, in turns, one of the other views.
    mutating func searchNext(_ frame: UprightFrame, _ models: HandModels) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        let count = count(frame, models)
        // Every second search is of the whole frame.
        let view = next.isMultiple(of: 2) ? 0 : 1 + (next / 2) % (count - 1)
        next &+= 1
        try search(frame, models, view: view)
        sort()
    }

    private func tiles(_ frame: UprightFrame, _ models: HandModels) -> FrameTiles {
        FrameTiles(frame.size, share: Self.tile, smallest: models.detector.inputSide)
    }

    /// Returns the number of views: two of the whole frame, and the tiles.
    private func count(_ frame: UprightFrame, _ models: HandModels) -> Int { 2 + tiles(frame, models).count }

    private mutating func search(_ frame: UprightFrame, _ models: HandModels, view: Int) throws(VisionError) {
        let square = view < 2 ? whole(frame, isWider: view == 1) : tiles(frame, models).view(view - 2)
        try models.detector.find(in: frame, square, into: &found)
    }

    private func whole(_ frame: UprightFrame, isWider: Bool) -> RotatedSquare {
        var square = RotatedSquare(wholeOf: frame.size, angle: 0)
        if isWider { square.side *= Self.wider }
        return square
    }

    private mutating func sort() {
        NonMaximumSuppression.keepBest(&found, overlap: Self.samePalm, maximumCount: Self.maximumPalms)
        found.sort { $0.box.area > $1.box.area }
    }
}

/// Finds palms in squares of a frame, at any rotation.
final class PalmDetector {
    static let name = "palm_detection_full"

    private let detector: AnchorDetector
    private let wrist: Int
    private let knuckle: Int

    /// Side of the model's input, in pixels.
    var inputSide: Int { detector.inputSide }

    init(_ setup: ModelSetup) throws(VisionError) {
        detector = try AnchorDetector(Self.name, setup)
        let names = detector.keypoints
        guard let wrist = names.firstIndex(of: "wrist"), let knuckle = names.firstIndex(of: "middleMCP")
        else { throw detector.isNotDescribed }
        (self.wrist, self.knuckle) = (wrist, knuckle)
    }

    /// Appends the crops in which to find the hands in `view`, an upright square.
    func find(
        in frame: UprightFrame, _ view: RotatedSquare, into found: inout [HandSearch.Palm]
    ) throws(VisionError) {
        guard view.isUsable else { return }
        try detector.find(in: frame, view)
        for palm in detector.found {
            let corner = view.pixels(Point(x: palm.box.x, y: palm.box.y))
            let box = Rectangle(
                x: corner.x, y: corner.y, width: palm.box.width * view.side,
                height: palm.box.height * view.side)
            let crop = HandLandmarks.crop(
                palm: box, wrist: view.pixels(palm.keypoint(wrist)),
                knuckle: view.pixels(palm.keypoint(knuckle)))
            if crop.isUsable { found.append(HandSearch.Palm(box: box, score: palm.score, crop: crop)) }
        }
    }
}
