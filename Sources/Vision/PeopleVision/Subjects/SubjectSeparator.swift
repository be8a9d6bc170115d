package import Imaging

/// Separates the subjects of a stream's masks.
final class SubjectSeparator: InstanceSeparator {
    private let partition: SubjectPartition
    /// Tells whose each place of a group is.
    private let people: MaskPartition
    private let peopleMask = FloatImage()
    private var candidates: [Candidate] = []
    /// Colours, one per subject, kept from frame to frame to reuse memory.
    private var colors: [InstanceColors] = []
    private let coverage = FloatImage()

    /// Creates a separator for masks of `segmenter`, with the subjects that `last` has seen.
    init(_ segmenter: SubjectSegmenter, after last: SubjectSeparator? = nil) {
        let saliency = segmenter.saliency.coverage
        partition = SubjectPartition(width: saliency.width, height: saliency.height)
        people = MaskPartition(width: saliency.width, height: saliency.height)
        super.init(partition, after: last)
    }

    /// Separates the subjects of the last frame of `segmenter`.
    ///
    /// - Parameters:
    ///   - found: the frame's people; nil where they are not known, and those who touch are one subject.
    ///   - isStill: whether the frame is a still image, whose seams are moved to its edges.
    ///   - seconds: time since the frame before.
    func separate(
        _ segmenter: SubjectSegmenter, _ found: SegmentedPeople?, isStill: Bool, after seconds: Double,
        _ limits: Limits
    ) {
        mask.copy(segmenter.mask)
        partition.divide(segmenter.components)
        if let found { divideGroups(segmenter, found.people, least: isStill ? 1 : 2) }
        candidates.removeAll(keepingCapacity: true)
        for (number, subject) in partition.subjects.enumerated() {
            if number == colors.count { colors.append(InstanceColors()) }
            measure(colors[number], of: number, segmenter)
            candidates.append(
                Candidate(
                    box: subject.box, confidence: subject.confidence, prominence: subject.area,
                    colors: colors[number]))
        }
        identify(
            candidates, total: candidates.count, scene: segmenter.scene, after: seconds, limits,
            isStill ? segmenter.seams : nil)
    }

    /// Whether people may touch, as fewer subjects than people were found.
    func mayHaveGroups(of people: Int) -> Bool { partition.hasGroups || people > partition.subjects.count }

    /// Makes people who touch each other or other things subjects of their own.
    ///
    /// One person with a thing stays one subject in a stream, where things come and go.
    private func divideGroups(
        _ segmenter: SubjectSegmenter, _ found: ArraySlice<PersonPrior.Person>, least: Int
    ) {
        // Parts of the coverage stand for people where the detector finds none.
        guard found.count >= least, found.allSatisfy(\.person.isDetected) else { return }
        peopleMask.copy(segmenter.people)
        people.divide(peopleMask, among: found)
        people.keepCoveredPlaces()
        partition.divideGroups(of: found.count, ownedAs: people.owners, in: segmenter.coarse, least: least)
    }

    private func measure(_ colors: InstanceColors, of number: Int, _ segmenter: SubjectSegmenter) {
        coverage.copy(segmenter.coarse)
        let (values, owners, owner) = (coverage.base, partition.owners.base, Float(number))
        for i in 0..<coverage.count where owners[i] != owner { values[i] = 0 }
        colors.sample(segmenter.saliency.input, in: segmenter.saliency.tensor)
        colors.measure(coverage) { _, _ in true }
    }
}

/// Divides a mask among the connected parts of a coarse one, and parts that are groups among their people and things: every
/// value belongs to the nearest subject.
package final class SubjectPartition: MaskParts {
    /// A connected part, or a person or thing of one, in the unit square.
    package struct Subject: Equatable {
        package let box: Rectangle
        /// Mean coverage.
        package let confidence: Double
        /// Share of the frame.
        package let area: Double
        /// The number of the connected part.
        fileprivate let component: Int
    }

    /// Limits of parts that are no subjects.
    static let smallComponents = SmallComponents(shareOfFrame: 0.005, shareOfLargest: 0.02)
    /// Maximum number of parts with labels of their own, the largest first; more parts are a texture rather
    /// than subjects.
    private static let maximumCount = 32

    /// The subjects of the last frame, whose indices are the owners' numbers: the largest first, then people and things of groups.
    package private(set) var subjects: [Subject] = []
    /// Whether a part was a group, and was divided.
    private(set) var hasGroups = false
    private let nearest = NearestLabel()
    private let members = GroupMembers()
    /// The connected part of each place, as its subject's number; -1 elsewhere.
    private let places = FloatImage()

    /// Finds the parts.
    ///
    /// - Parameter components: components of an image of the partition's size, measured with that image.
    package func divide(_ components: ConnectedComponents) {
        let smallest = Self.smallComponents.smallestArea(beside: components.largestArea, of: owners.count)
        subjects.removeAll(keepingCapacity: true)
        components.forEach { component in
            guard component.area >= smallest else { return }
            subjects.append(
                Subject(
                    box: Rectangle(component, width: owners.width, height: owners.height),
                    confidence: Double(component.sum) / Double(component.area),
                    area: Double(component.area) / Double(owners.count), component: component.id))
        }
        subjects.sort { $0.area > $1.area }
        if subjects.count > Self.maximumCount { subjects.removeLast(subjects.count - Self.maximumCount) }
        assignOwners(components)
    }

    /// Writes the parts' numbers into `owners`, and that of the nearest part everywhere else.
    private func assignOwners(_ components: ConnectedComponents) {
        hasGroups = false
        places.resize(width: owners.width, height: owners.height)
        places.fill(-1)
        components.paint(on: places) { component in
            subjects.firstIndex { $0.component == component.id }.map(Float.init)
        }
        guard subjects.count > 1 else { return owners.fill(subjects.isEmpty ? -1 : 0) }
        owners.copy(places)
        nearest.spread(owners)
    }
}

// MARK: - Groups

extension SubjectPartition {
    /// The places of a subject, as they are counted.
    private struct Extent {
        var area = 0
        private var sum: Float = 0
        private var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)

        mutating func add(_ x: Int, _ y: Int, _ coverage: Float) {
            area += 1
            sum += coverage
            (left, right) = (min(left, x), max(right, x + 1))
            (top, bottom) = (min(top, y), max(bottom, y + 1))
        }

        /// Returns the subject with these places, of which there is at least one.
        func subject(_ component: Int, width: Int, height: Int) -> Subject {
            Subject(
                box: Rectangle(
                    x: Double(left) / Double(width), y: Double(top) / Double(height),
                    width: Double(right - left) / Double(width),
                    height: Double(bottom - top) / Double(height)),
                confidence: Double(sum) / Double(area), area: Double(area) / Double(width * height),
                component: component)
        }
    }

    /// Divides parts in which people and things are, so that each of them is a subject.
    ///
    /// The rest of such a part belongs to the nearest of them.
    ///
    /// - Parameters:
    ///   - count: number of people.
    ///   - people: the number of the person whose each place is, -1 for none; of the partition's size.
    ///   - image: the image in which the parts were found.
    ///   - least: minimum number of people of a group.
    package func divideGroups(
        of count: Int, ownedAs people: FloatImage, in image: FloatImage, least: Int = 1
    ) {
        guard count >= least, people.count == owners.count, image.count == owners.count else { return }
        let areas = subjects.map { Int(($0.area * Double(owners.count)).rounded()) }
        let found = members.find(of: count, ownedAs: people, in: places, areas: areas, least: least)
        let numbers = found.indices.map { part in
            found[part].count(where: \.self) > 1 ? divide(part, found[part]) : nil
        }
        guard hasGroups else { return }
        for i in 0..<owners.count {
            let (place, member) = (Int(places.base[i]), Int(members.places.base[i]))
            // Places outside of the parts are given to the nearest subject again.
            owners.base[i] =
                place < 0 ? -1 : numbers[place].map { member < 0 ? -1 : $0[member] } ?? Float(place)
        }
        nearest.spread(owners)
        measureGroups(numbers, image)
    }

    /// Makes subjects of members of a part, and returns their numbers; the first one takes the part's own.
    private func divide(_ number: Int, _ isSubject: [Bool]) -> [Float] {
        hasGroups = true
        var isFirst = true
        return isSubject.map { isSubject in
            guard isSubject else { return -1 }
            defer { isFirst = false }
            if !isFirst { subjects.append(subjects[number]) }
            return Float(isFirst ? number : subjects.count - 1)
        }
    }

    /// Measures the subjects of groups.
    private func measureGroups(_ numbers: [[Float]?], _ image: FloatImage) {
        var extents = [Extent](repeating: Extent(), count: subjects.count)
        for y in 0..<owners.height {
            let (place, owner, values) = (places.row(y), owners.row(y), image.row(y))
            for x in 0..<owners.width where place[x] >= 0 && owner[x] >= 0 && numbers[Int(place[x])] != nil {
                extents[Int(owner[x])].add(x, y, values[x])
            }
        }
        for (number, extent) in extents.enumerated() where extent.area > 0 {
            subjects[number] = extent.subject(
                subjects[number].component, width: owners.width, height: owners.height)
        }
    }
}
