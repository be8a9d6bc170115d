import Imaging

/// Finds the body of a person whose box is known, one model run after another.
///
/// BlazePose's detector looks at the box and then at wider squares, in which spread limbs, handstands and people seen from
/// behind are whole. Each body that it sees is a crop for the landmark model, and so is the box itself. The body that fills
/// the box best is the person's: in a wide square it may see another person's shoulders.
///
/// Chosen on 54 sport, 36 everyday and 19 other pictures (PCK@0.2; a tight square alone had 0.576, 0.597 and 0.733): 0.651,
/// 0.660 and 0.754, with as many false bodies as before in 136 pictures without people.
struct BodyAlignment {
    /// A crop for the landmark model.
    struct Crop {
        let square: RotatedSquare
        /// Where it comes from.
        let origin: Origin
    }

    /// Where a crop comes from.
    enum Origin { case tightSquare, wideSquare, box }

    let person: BodySearch.Person
    /// The id of the track whose body lies elsewhere than the person; nil for a new person.
    let replaced: Int?
    /// How well the best body so far fills the box, 0...1; 0 without any.
    private(set) var bestFit = 0.0

    private var crops: [Crop] = []
    /// Squares that have been looked at.
    private var squares = 0
    private var hasTriedBox = false

    /// Sides of the squares, as shares of the box's longer side.
    private static let squareScales = [1.1, 1.5, 2.0]
    /// The score that the person detector gives a person for whom wide squares are looked at, 0...1: things that are less
    /// like people would find a body beside them.
    private static let minimumWideScore = 0.55
    /// By how much a body of a later crop must fill the box better: tighter crops show more detail.
    private static let minimumImprovement = 0.05

    /// A person whose body is to be found.
    init(_ person: BodySearch.Person, replaced: Int? = nil) {
        (self.person, self.replaced) = (person, replaced)
    }

    /// A person whose body was lost: only the box is tried.
    init(recovering person: BodySearch.Person, of track: Int) {
        self.init(person, replaced: track)
        squares = Self.squareScales.count
    }

    /// Runs one model.
    ///
    /// - Parameters:
    ///   - next: memory for a body.
    ///   - best: the best body so far, as `bestFit` says.
    ///   - sufficientFit: a body that fills the box by this much, 0...1, is taken at once.
    ///   - isNew: whether no person has a body yet.
    /// - Returns: false when a body was taken, or nothing is left to try.
    mutating func advance(
        _ frame: UprightFrame, _ models: BodyModels, next: inout BodyLandmarks, best: inout BodyLandmarks,
        sufficientFit: Double, isNew: (BodyLandmarks) -> Bool
    ) throws(VisionError) -> Bool {
        if crops.isEmpty, squares < maximumSquares {
            try models.detector.find(
                around: person.box, scale: Self.squareScales[squares],
                origin: squares == 0 ? .tightSquare : .wideSquare, in: frame, into: &crops)
            squares += 1
            return true
        }
        guard let crop = crops.popLast() ?? takeBox() else { return false }
        let presence = try models.landmarker.find(in: frame, crop.square, into: &next)
        let fit = next.box(upperBody: false, in: frame.size).overlap(with: person.box)
        if crop.origin.accepts(presence, fit), fit > bestFit + Self.minimumImprovement, isNew(next) {
            bestFit = fit
            swap(&next, &best)
        }
        return bestFit < sufficientFit
    }

    private var maximumSquares: Int {
        person.score >= Self.minimumWideScore ? Self.squareScales.count : 1
    }

    /// The crop around the box, once.
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
        // The detector has seen no person: the landmark model has to be certain.
        case .box: presence >= 0.9 && fit >= 0.5
        }
    }
}

extension RotatedSquare {
    /// The crop for a person whose body's place in the box is not known.
    fileprivate static func around(_ person: BodySearch.Person) -> RotatedSquare {
        RotatedSquare(
            center: person.box.center,
            side: max(person.box.width, person.box.height) * BodyLandmarks.cropScale, angle: person.angle)
    }
}
