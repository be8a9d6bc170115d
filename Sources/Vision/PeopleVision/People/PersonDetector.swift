package import Imaging

/// Finds people in a whole frame, from full figures to heads at the frame's edge.
///
/// Source: the model's manifest; PicoDet (Yu and others, 2021), trained on COCO.
package final class PersonDetector {
    /// The minimum score of reported people, 0...1.
    ///
    /// It is enough to continue the track of a person who was found with more certainty before (the authors'
    /// own default is 0.3).
    private static let minimumScore: Float = 0.25
    /// The score from which a person who was not found before counts as one, 0...1.
    ///
    /// Chosen on photos of COCO and of streets.
    static let entryScore = 0.4
    /// The intersection over union from which two boxes show one person (the authors' value).
    static let samePerson = 0.5
    /// Maximum number of people to report, more than get passes of their own.
    private static let maximumPeople = 16

    /// Name of the model.
    static let name = "person_detection"

    private let model: ImageModel
    private let candidates: Int
    /// The detections of other requests that look at the same frames.
    private let shared: SharedDetections?

    /// Compiles the model on a thread.
    static func compilation(_ setup: ModelSetup) -> BackgroundCompilation {
        BackgroundCompilation(name, setup.withoutUserModel)
    }

    /// Loads the model; a model file of the user is not for this one.
    package init(_ setup: ModelSetup) throws(VisionError) {
        shared = setup.detections
        model = try ImageModel(Self.name, setup.withoutUserModel)
        candidates = model.outputCounts.last ?? 0
        guard model.outputCounts == [4 * candidates, candidates] else {
            throw model.unsupported("it does not give four sides and a score of each box")
        }
    }

    /// Fills `people` with the people of the upright frame, most certain first.
    ///
    /// - Parameter andMirrorImage: whether the mirror image is searched, too; see `MirrorAverage`.
    package func find(
        in image: ImageView, orientation: ImageOrientation, andMirrorImage: Bool = false,
        into people: inout [BoxDetection]
    ) throws(VisionError) {
        let region = FrameTransform.orientation(orientation)
        try find(in: image, region: region, into: &people)
        guard andMirrorImage else { return }
        var mirrored: [BoxDetection] = []
        try find(in: image, region: .mirrored.followed(by: region), into: &mirrored)
        MirrorAverage(samePerson: Self.samePerson, certain: Self.entryScore)
            .apply(to: &people, mirrored: mirrored)
        people.sort { $0.score > $1.score }
    }

    /// Finds the people of a region of an image, which may be rotated.
    ///
    /// - Parameter region: maps the unit square of the model's input, and of the boxes, to that of the stored
    ///   image.
    func find(
        in image: ImageView, region: FrameTransform, into people: inout [BoxDetection]
    ) throws(VisionError) {
        if let shared, shared.read(region, into: &people) { return }
        try model.run(on: image, region: region)
        people.removeAll(keepingCapacity: true)
        let sides = try model.output(0, count: 4 * candidates)
        let scores = try model.output(1, count: candidates)
        let (width, height) = (Double(model.width), Double(model.height))
        for index in 0..<candidates where scores[index] >= Self.minimumScore {
            let person = BoxDetection(
                left: Double(sides[4 * index]) / width, top: Double(sides[4 * index + 1]) / height,
                right: Double(sides[4 * index + 2]) / width, bottom: Double(sides[4 * index + 3]) / height,
                score: Double(scores[index]))
            if let person { people.append(person) }
        }
        NonMaximumSuppression.keepBest(&people, overlap: Self.samePerson, maximumCount: Self.maximumPeople)
        shared?.store(region, people)
    }
}

/// Averages the people of a view of an image and those of its mirror image, where both show the same people.
///
/// A detector puts boxes of different widths around a person in both. With their mean, the masks of an image and of its mirror
/// image differ less.
package struct MirrorAverage {
    /// The intersection over union from which two boxes show one person.
    private let samePerson: Double
    /// The score from which a person must be in both, 0...1.
    private let certain: Double

    /// Creates an average of detections with these limits.
    package init(samePerson: Double, certain: Double) {
        (self.samePerson, self.certain) = (samePerson, certain)
    }

    /// Replaces boxes and scores of `people` by their means with those of the mirror image, if both show the same people.
    ///
    /// - Parameter mirrored: the people of the mirror image, in its unit square.
    package func apply(to people: inout [BoxDetection], mirrored: [BoxDetection]) {
        var others = mirrored.filter(isCertain).map {
            BoxDetection(box: FrameTransform.mirrored.map($0.box), score: $0.score)
        }
        var means: [(index: Int, BoxDetection)] = []
        for index in people.indices where isCertain(people[index]) {
            let box = people[index].box
            guard
                let nearest = others.indices.max(by: {
                    others[$0].box.overlap(with: box) < others[$1].box.overlap(with: box)
                }),
                others[nearest].box.overlap(with: box) >= samePerson
            else { return }
            means.append((index, mean(people[index], others.remove(at: nearest))))
        }
        guard others.isEmpty else { return }
        for (index, mean) in means { people[index] = mean }
    }

    private func isCertain(_ person: BoxDetection) -> Bool { person.score >= certain }

    private func mean(_ one: BoxDetection, _ other: BoxDetection) -> BoxDetection {
        let (a, b) = (one.box, other.box)
        let box = Rectangle(
            x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, width: (a.width + b.width) / 2,
            height: (a.height + b.height) / 2)
        return BoxDetection(box: box, score: (one.score + other.score) / 2)
    }
}

/// Searches quarters of a frame for people who are too small for the detector in the whole frame.
///
/// The detector's input has 416x416 pixels: a person of a tenth of the frame's height is 40 pixels high
/// there.
package struct PersonSearch {
    /// Schedules of the search.
    package enum Schedule: Equatable, Sendable {
        /// All quarters in the first frame of a scene, then one at a time.
        case atOnce
        /// One quarter at a time from the start, because no frame of a live stream may take long.
        case spread
    }

    /// The next quarter that is due, 0..<`count`.
    private var next = 0
    private var found: [BoxDetection] = []

    /// Number of quarters.
    package static let count = 4
    /// Share of each side of the frame that a quarter shows; a thing smaller than a fifth lies whole in one
    /// quarter.
    ///
    /// Chosen on two sets of 91 everyday photos: boxes of people have a mean IoU of 0.81 and 0.76 with four views of 0.6
    /// (0.78 and 0.73 without), 0.79 and 0.77 with six, 0.78 and 0.76 with nine views of 0.4.
    private static let side = 0.6
    /// Distance from an edge of the view within which a box counts as cut off, as a share of the view.
    ///
    /// With 0.03 at the frame's lower edge, figures whose feet are near it count as cut, and passers-by behind them come
    /// into their group (`GroupChoice`): one of 101 and four of 201 street photos (IoU 0.956 to 0.954 and 0.953 to 0.949);
    /// photos of COCO are equal.
    static let cutMargin = 0.01

    package init() {}

    /// Returns the number of the quarter to search now; each call returns the next.
    mutating func takeTurn() -> Int {
        defer { next = (next + 1) % Self.count }
        return next
    }

    /// Returns the people that `detector` finds whole in a quarter, in the upright frame's unit square, most
    /// certain first.
    ///
    /// The result is valid until the next call.
    mutating func find(
        in image: ImageView, orientation: ImageOrientation, quarter: Int, _ detector: PersonDetector
    ) throws(VisionError) -> [BoxDetection] {
        let view = Self.view(quarter)
        let crop = FrameTransform.crop(view)
        try detector.find(in: image, region: crop.followed(by: .orientation(orientation)), into: &found)
        found.removeAll { Self.isCut($0.box, by: view) }
        for index in found.indices {
            found[index] = BoxDetection(box: crop.map(found[index].box), score: found[index].score)
        }
        return found
    }

    private static func view(_ quarter: Int) -> Rectangle {
        let rest = 1 - side
        return Rectangle(
            x: quarter % 2 == 0 ? 0 : rest, y: quarter < 2 ? 0 : rest, width: side, height: side)
    }

    /// Whether an edge of the view that is not the frame's may have cut off a box.
    ///
    /// The box is in the view's unit square.
    private static func isCut(_ box: Rectangle, by view: Rectangle) -> Bool {
        let (start, end) = (cutMargin, 1 - cutMargin)
        return view.x > 0 && box.x < start || view.y > 0 && box.y < start
            || view.x == 0 && box.x + box.width > end || view.y == 0 && box.y + box.height > end
    }
}
