package import Imaging

/// Separates the subjects of a stream's masks.
final class SubjectSeparator: InstanceSeparator {
    private let partition: SubjectPartition
    private var candidates: [Candidate] = []
    /// Colours, one per subject, kept from frame to frame to reuse memory.
    private var colors: [InstanceColors] = []
    private let coverage = FloatImage()

    /// Creates a separator for masks of `segmenter`, with the subjects that `last` has seen.
    init(_ segmenter: SubjectSegmenter, after last: SubjectSeparator? = nil) {
        let saliency = segmenter.saliency.coverage
        partition = SubjectPartition(width: saliency.width, height: saliency.height)
        super.init(partition, after: last)
    }

    /// Separates the subjects of the last frame of `segmenter`.
    ///
    /// - Parameter seconds: time since the frame before.
    func separate(_ segmenter: SubjectSegmenter, after seconds: Double, _ limits: Limits) {
        mask.copy(segmenter.mask)
        partition.divide(segmenter.components)
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

    private func measure(_ colors: InstanceColors, of number: Int, _ segmenter: SubjectSegmenter) {
        coverage.copy(segmenter.coarse)
        let (values, owners, owner) = (coverage.base, partition.owners.base, Float(number))
        for i in 0..<coverage.count where owners[i] != owner { values[i] = 0 }
        colors.sample(segmenter.saliency.input, in: segmenter.saliency.tensor)
        colors.measure(coverage) { _, _ in true }
    }
}

/// Divides a mask among the connected parts of a coarse one: every value belongs to the nearest part.
package final class SubjectPartition: MaskParts {
    /// A connected part, in the unit square.
    package struct Subject: Equatable {
        package let box: Rectangle
        /// Mean coverage.
        package let confidence: Double
        /// Share of the frame.
        package let area: Double
        fileprivate let component: Int
    }

    /// Limits of parts that are no subjects.
    static let smallComponents = SmallComponents(shareOfFrame: 0.005, shareOfLargest: 0.02)
    /// Maximum number of parts with labels of their own, the largest first; more parts are a texture rather
    /// than subjects.
    private static let maximumCount = 32

    /// The subjects of the last frame, the largest first; their indices are the owners' numbers.
    package private(set) var subjects: [Subject] = []
    private let nearest = NearestLabel()

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
        guard subjects.count > 1 else { return owners.fill(subjects.isEmpty ? -1 : 0) }
        owners.fill(-1)
        components.paint(on: owners) { component in
            subjects.firstIndex { $0.component == component.id }.map(Float.init)
        }
        nearest.spread(owners)
    }
}
