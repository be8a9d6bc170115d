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
