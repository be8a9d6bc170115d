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
    ///   - seconds: time since the frame before.
    func separate(
        _ segmenter: SubjectSegmenter, _ found: SegmentedPeople?, after seconds: Double, _ limits: Limits
    ) {
        mask.copy(segmenter.mask)
        partition.divide(segmenter.components)
        if let found { divideGroups(segmenter, found.people) }
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
            candidates, total: candidates.count, scene: segmenter.scene, after: seconds, limits)
    }

    /// Whether people may touch, as fewer subjects than people were found.
    func mayHaveGroups(of people: Int) -> Bool { partition.hasGroups || people > partition.subjects.count }

    /// Makes people who touch subjects of their own.
    private func divideGroups(_ segmenter: SubjectSegmenter, _ found: ArraySlice<PersonPrior.Person>) {
        // Parts of the coverage stand for people where the detector finds none.
        guard found.count > 1, found.allSatisfy(\.person.isDetected) else { return }
        peopleMask.copy(segmenter.people)
        people.divide(peopleMask, among: found)
        partition.divideGroups(of: found.count, ownedAs: people.owners, in: segmenter.coarse)
    }

    private func measure(_ colors: InstanceColors, of number: Int, _ segmenter: SubjectSegmenter) {
        coverage.copy(segmenter.coarse)
        let (values, owners, owner) = (coverage.base, partition.owners.base, Float(number))
        for i in 0..<coverage.count where owners[i] != owner { values[i] = 0 }
        colors.sample(segmenter.saliency.input, in: segmenter.saliency.tensor)
        colors.measure(coverage) { _, _ in true }
    }
}

/// Divides a mask among the connected parts of a coarse one, and parts that are groups among their people: every value
/// belongs to the nearest subject.
package final class SubjectPartition: MaskParts {
    /// A connected part, or a person of one, in the unit square.
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

    /// The subjects of the last frame, whose indices are the owners' numbers: the largest first, then people of groups.
    package private(set) var subjects: [Subject] = []
    /// Whether a part was a group, and was divided.
    private(set) var hasGroups = false
    private let nearest = NearestLabel()
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

    /// Divides parts in which several people are, so that each of them is a subject.
    ///
    /// What else is in such a part belongs to the nearest of them. A person counts who has as large a part of the
    /// group as a subject needs.
    ///
    /// - Parameters:
    ///   - count: number of people.
    ///   - people: the number of the person whose each place is, -1 for none; of the partition's size.
    ///   - image: the image in which the parts were found.
    package func divideGroups(of count: Int, ownedAs people: FloatImage, in image: FloatImage) {
        guard count > 1, people.count == owners.count, image.count == owners.count else { return }
        let numbers = numbers(count, people, image)
        guard hasGroups else { return }
        for i in 0..<owners.count {
            let (place, person) = (Int(places.base[i]), Int(people.base[i]))
            // Places outside of the parts are given to the nearest subject again.
            owners.base[i] =
                place < 0 ? -1 : numbers[place].map { person < 0 ? -1 : $0[person] } ?? Float(place)
        }
        nearest.spread(owners)
        measureGroups(numbers, image)
    }

    /// Returns the subject's number of each person of each part, -1 for those without one; nil for a part that is no
    /// group.
    private func numbers(_ count: Int, _ people: FloatImage, _ image: FloatImage) -> [[Float]?] {
        var areas = [Int](repeating: 0, count: subjects.count * count)
        for i in 0..<owners.count where places.base[i] >= 0 && people.base[i] >= 0 {
            let index = Int(places.base[i]) * count + Int(people.base[i])
            if areas.indices.contains(index) { areas[index] += 1 }
        }
        return subjects.indices.map { number in
            let areas = areas[number * count..<(number + 1) * count]
            let smallest = Self.smallComponents.smallestArea(
                beside: areas.max() ?? 0, of: owners.count)
            guard areas.count(where: { $0 >= smallest }) > 1 else { return nil }
            return divide(number, areas.map { $0 >= smallest })
        }
    }

    /// Makes subjects of people of a part, and returns their numbers; the first one takes the part's own.
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
