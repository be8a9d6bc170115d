import Glibc
import Imaging

/// Finds the body of a person whose box is known, one model run after another.
///
/// BlazePose's detector is run on the box and then on wider squares, in which spread limbs, handstands and
/// people seen from behind are whole. Each detected body is a crop for the landmark model, and so is the box
/// itself. In a wide square the detector may find another person's shoulders; `Effort` defines which body is
/// the best and counts as the person's.
struct BodyAlignment {
    /// A crop for the landmark model.
    struct Crop {
        let square: RotatedSquare
        /// The origin of the crop.
        let origin: Origin
    }

    /// Origins of crops.
    enum Origin { case tightSquare, wideSquare, box }

    /// The effort to find a body.
    struct Effort {
        /// Number of squares of `views` that are searched.
        fileprivate let views: Int
        /// Whether the landmark model runs once more, in the crop around the points found, as it does in the
        /// next frame of a stream.
        ///
        /// A body on which both runs agree is more likely to be right: its score is the sum of its fit to the
        /// box and the agreement, 0...2. Without the second run, the score is the fit, 0...1.
        fileprivate let refines: Bool
        /// Minimum improvement of a later body's score.
        fileprivate let minimumImprovement: Double
        /// The score of a body at which the search ends.
        fileprivate let sufficientScore: Double

        /// The effort for images, which may take long.
        static let image = Effort(
            views: BodyAlignment.views.count, refines: true, minimumImprovement: 0, sufficientScore: 2)
        /// The effort for streams, where every try takes a frame; tighter crops show more detail.
        static let stream = Effort(
            views: upright, refines: false, minimumImprovement: 0.05, sufficientScore: 0.5)

        /// The first views, which are not rotated.
        private static let upright = BodyAlignment.views.prefix { $0.angle == 0 }.count
    }

    /// Memory for bodies, kept from try to try.
    struct Memory {
        /// The best body so far.
        var best = BodyLandmarks()
        fileprivate var (next, refined) = (BodyLandmarks(), BodyLandmarks())
    }

    let person: BodySearch.Person
    /// The id of the track whose body lies elsewhere than the person; nil for a new person.
    let replaced: Int?
    /// The score of the best body so far; 0 without any.
    private(set) var bestScore = 0.0

    private let effort: Effort
    private var crops: [Crop] = []
    /// Number of views that have been searched.
    private var views = 0
    private var hasTriedBox = false

    /// Squares in which bodies are searched for: the side as a share of the box's longer side, and the
    /// rotation.
    ///
    /// The rotated ones are for people who stand on their hands, whom the detector misses otherwise.
    private static let views: [(scale: Double, angle: Double)] = [
        (1.1, 0), (1.5, 0), (2.0, 0), (1.1, .pi), (1.5, .pi), (2.0, .pi),
    ]
    /// Minimum score of the person detector, 0...1, for a search of more than the first view.
    ///
    /// For things that look less like people, a body beside them would be found.
    private static let minimumWideScore = 0.55
    /// The minimum presence of a refined body, 0...1 (MediaPipe's value).
    private static let minimumRefinedPresence = 0.5

    /// Creates an alignment for a person whose body is to be found.
    init(_ person: BodySearch.Person, replaced: Int? = nil, _ effort: Effort) {
        (self.person, self.replaced, self.effort) = (person, replaced, effort)
    }

    /// Creates an alignment for a person whose body was lost: only the box is tried.
    init(recovering person: BodySearch.Person, of track: Int) {
        self.init(person, replaced: track, .stream)
        views = Self.views.count
    }

    /// Searches a view, or a crop for the body.
    ///
    /// - Parameters:
    ///   - memory: `best` is the body with the score `bestScore`.
    ///   - isNew: whether no track has a body yet.
    /// - Returns: false when the search has ended: a body is good enough, or nothing is left to try.
    mutating func advance(
        _ frame: UprightFrame, _ models: BodyModels, _ memory: inout Memory, isNew: (BodyLandmarks) -> Bool
    ) throws(VisionError) -> Bool {
        if crops.isEmpty, views < maximumViews {
            try models.detector.find(
                around: person.box, Self.views[views], origin: views == 0 ? .tightSquare : .wideSquare,
                in: frame, into: &crops)
            views += 1
            return true
        }
        guard let crop = crops.popLast() ?? takeBox() else { return false }
        let presence = try models.landmarker.find(in: frame, crop.square, into: &memory.next)
        var score = memory.next.box(upperBody: false, in: frame.size).overlap(with: person.box)
        guard crop.origin.accepts(presence, score), isNew(memory.next) else { return true }
        if effort.refines { score += try refine(frame, models, &memory, isNew) }
        if score > bestScore + effort.minimumImprovement {
            bestScore = score
            swap(&memory.next, &memory.best)
        }
        return bestScore < effort.sufficientScore
    }

    /// Refines the next body, unless the model finds none in the crop around its points, or one that another
    /// track has.
    ///
    /// - Returns: the agreement of both bodies, 0...1; 0 where the body is not refined.
    private func refine(
        _ frame: UprightFrame, _ models: BodyModels, _ memory: inout Memory, _ isNew: (BodyLandmarks) -> Bool
    ) throws(VisionError) -> Double {
        let presence = try models.landmarker.find(in: frame, memory.next.nextCrop, into: &memory.refined)
        guard presence >= Self.minimumRefinedPresence, isNew(memory.refined) else { return 0 }
        swap(&memory.next, &memory.refined)
        return memory.next.agreement(with: memory.refined, in: frame.size)
    }

    private var maximumViews: Int { person.score >= Self.minimumWideScore ? effort.views : 1 }

    /// Returns the crop around the box, once.
    private mutating func takeBox() -> Crop? {
        guard !hasTriedBox else { return nil }
        hasTriedBox = true
        return Crop(square: .around(person), origin: .box)
    }
}

extension BodyAlignment.Origin {
    /// Whether a body in the crop can be the person's.
    ///
    /// - Parameters:
    ///   - presence: the landmark model's certainty that there is a body, 0...1.
    ///   - fit: the intersection over union of body and box.
    fileprivate func accepts(_ presence: Double, _ fit: Double) -> Bool {
        switch self {
        // MediaPipe's value for the presence.
        case .tightSquare: presence >= 0.5 && fit >= 0.3
        case .wideSquare: presence >= 0.5 && fit >= 0.4
        // The detector has found no body, so the landmark model has to be certain.
        case .box: presence >= 0.9 && fit >= 0.5
        }
    }
}

extension RotatedSquare {
    /// Returns the crop for a person whose body's place in the box is unknown.
    fileprivate static func around(_ person: BodySearch.Person) -> RotatedSquare {
        RotatedSquare(
            center: person.box.center,
            side: max(person.box.width, person.box.height) * BodyLandmarks.cropScale, angle: person.angle)
    }
}

/// Finds bodies and their rotation in an image: BlazePose's detector in a square around a person's box.
final class BodyDetector {
    static let name = "pose_detection"

    private let detector: AnchorDetector
    private let hips: Int
    private let shoulders: Int
    private let fullBody: Int

    init(_ setup: ModelSetup) throws(VisionError) {
        detector = try AnchorDetector(Self.name, setup)
        let names = detector.keypoints
        guard let hips = names.firstIndex(of: "hipCentre"), let fullBody = names.firstIndex(of: "fullBody"),
            let shoulders = names.firstIndex(of: "shoulderCentre")
        else { throw detector.isNotDescribed }
        (self.hips, self.shoulders, self.fullBody) = (hips, shoulders, fullBody)
    }

    /// Appends crops of the bodies whose shoulders lie in `box`, in pixels, the one that overlaps the box
    /// most last.
    ///
    /// - Parameters:
    ///   - view: side of the square that is searched, as a share of the box's longer side, and its rotation,
    ///     clockwise.
    ///   - origin: the origin of the crops.
    func find(
        around box: Rectangle, _ view: (scale: Double, angle: Double), origin: BodyAlignment.Origin,
        in frame: UprightFrame, into crops: inout [BodyAlignment.Crop]
    ) throws(VisionError) {
        let square = RotatedSquare(
            center: box.center, side: max(box.width, box.height) * view.scale, angle: view.angle)
        guard square.isUsable else { return }
        try detector.find(in: frame, square)
        let first = crops.count
        for body in detector.found where box.contains(square.pixels(body.keypoint(shoulders))) {
            let crop = BodyLandmarks.crop(
                hips: square.pixels(body.keypoint(hips)), above: square.pixels(body.keypoint(fullBody)))
            if crop.isUsable { crops.append(.init(square: crop, origin: origin)) }
        }
        crops[first...].sort { $0.square.tight.overlap(with: box) < $1.square.tight.overlap(with: box) }
        crops.removeSubrange(first..<max(first, crops.count - Self.maximumCrops))
    }

    /// Maximum number of bodies that may be the person's: the second is another person who partly hides the
    /// first.
    private static let maximumCrops = 2
}

extension RotatedSquare {
    /// The upright square around the circle of the body, which the crop encloses with a margin.
    fileprivate var tight: Rectangle {
        let side = side / BodyLandmarks.cropScale
        return Rectangle(center: center, size: Size(width: side, height: side))
    }
}
