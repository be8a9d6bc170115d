package import Imaging

/// Decides which of a frame's people are subjects, and confines the mask of all people to them.
///
/// A person is a subject if the saliency model covers a part of that person: spectators are none. If it
/// covers no part of anyone, all people are subjects, unless it covers something larger than all of them,
/// such as a car beside which they stand.
package final class SubjectPeople {
    /// Reach of the people's own mask beyond their box, as a share of its size: hands, and things that they
    /// hold.
    ///
    /// Elsewhere it does not count: models of people find some in patterns and animals.
    private static let boxMargin = 0.2
    /// Minimum saliency of a place that counts as covered, 0...1.
    private static let seen: Float = 0.5

    /// Minimum share of a person that the saliency covers, from which on that person's own coverage counts
    /// beside others.
    private static let wellSeen = 0.7
    /// Reach of a subject beyond the saliency, as a share of a side, where people beside it are no subjects.
    private static let margin = 0.02

    /// Number of people who are subjects.
    package var count: Int { reach.count }
    /// Boxes around the subjects, and things that they may hold.
    private var reach: [Rectangle] = []
    /// The share of each person that the saliency covers.
    private var parts: [Double] = []
    /// Places where people who are subjects may be, and coverage by others; at the saliency's size.
    private let (subjects, others) = (FloatImage(), FloatImage())
    private var hasOthers = false
    private let crops = CropResizer()
    private let salience = FloatImage()
    private let paste = FeatheredPaste()
    private let morphology = MorphologyFilter()
    private let (subjectRows, otherRows) = (LinearResizer(), LinearResizer())

    /// Creates an object without people.
    package init() {}

    /// Chooses subjects among a frame's people.
    ///
    /// - Parameters:
    ///   - saliency: coverage by everything that stands out of the frame.
    ///   - minimumPart: the minimum share of a person that the saliency covers.
    package func choose(
        _ people: ArraySlice<PersonPrior.Person>, _ saliency: FloatImage, minimumPart: Double
    ) {
        parts.removeAll(keepingCapacity: true)
        for person in people {
            parts.append(person.person.isDetected ? part(of: person, seenIn: saliency) : 0)
        }
        let isAnyoneSeen = (parts.max() ?? 0) >= minimumPart
        let least = isAnyoneSeen ? minimumPart : 0
        begin(saliency)
        if !isAnyoneSeen, isLarger(saliency, than: people) { return }
        for (person, part) in zip(people, parts) where person.person.isDetected {
            if part >= least {
                reach.append(person.person.box.grown(by: Self.boxMargin))
                if part >= Self.wellSeen { add(person, to: subjects) }
            } else {
                hasOthers = true
                add(person, to: others)
            }
        }
    }

    /// Returns the share of the frame that boxes of detected people cover together.
    static func area(of people: ArraySlice<PersonPrior.Person>) -> Double {
        people.reduce(0) { $0 + ($1.person.isDetected ? $1.person.box.area : 0) }
    }

    /// Whether the saliency covers more of the frame than the boxes of all people together.
    private func isLarger(_ saliency: FloatImage, than people: ArraySlice<PersonPrior.Person>) -> Bool {
        var seen = 0
        for i in 0..<saliency.count where saliency.base[i] > Self.seen { seen &+= 1 }
        return Double(seen) > Self.area(of: people) * Double(saliency.count)
    }

    private func begin(_ saliency: FloatImage) {
        hasOthers = false
        reach.removeAll(keepingCapacity: true)
        subjects.copy(saliency)
        for i in 0..<subjects.count { subjects.base[i] = subjects.base[i] > Self.seen ? 1 : 0 }
        morphology.dilate(subjects, radius: Int((Self.margin * Double(saliency.width)).rounded()))
        others.resize(width: saliency.width, height: saliency.height)
        others.fill(0)
    }

    private func add(_ person: PersonPrior.Person, to image: FloatImage) {
        let coverage = person.coverage
        paste.add(
            UnsafeBufferPointer(coverage.values), width: coverage.width, height: coverage.height,
            crop: person.crop, to: image)
    }

    /// Returns the share of a person that the saliency covers, 0...1.
    private func part(of person: PersonPrior.Person, seenIn saliency: FloatImage) -> Double {
        let coverage = person.coverage
        salience.resize(width: coverage.width, height: coverage.height)
        crops.resize(person.crop, of: saliency, into: salience)
        var (all, seen) = (0, 0)
        let (values, salient, count) = (coverage.base, salience.base, coverage.count)
        for i in 0..<count where values[i] > 0.5 {
            all &+= 1
            seen &+= salient[i] > Self.seen ? 1 : 0
        }
        return all > 0 ? Double(seen) / Double(all) : 0
    }

    /// Writes the subjects' part of `mask`, the mask of all people, into `target`.
    package func confine(_ mask: FloatImage, into target: FloatImage) {
        target.resize(width: mask.width, height: mask.height)
        target.fill(0)
        for box in reach {
            let area = PixelRect(box, width: mask.width, height: mask.height)
            for y in area.y..<(area.y + area.height) {
                (target.row(y) + area.x).update(from: mask.row(y) + area.x, count: area.width)
            }
        }
        if hasOthers { removeOthers(from: target) }
    }

    /// Clears values of another person, or of a person who is no subject.
    private func removeOthers(from target: FloatImage) {
        subjectRows.begin(subjects, width: target.width, height: target.height)
        otherRows.begin(others, width: target.width, height: target.height)
        for y in 0..<target.height {
            let (row, own) = (target.row(y), subjectRows.row(y, of: subjects))
            let other = otherRows.row(y, of: others)
            for x in 0..<target.width { row[x] *= max(0, own[x] - max(0, other[x] - own[x])) }
        }
    }
}
