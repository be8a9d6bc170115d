import Imaging

/// Separates the subjects of a stream's masks.
final class SubjectSeparator: InstanceSeparator {
    private let partition: SubjectPartition
    private var candidates: [Candidate] = []
    /// One per subject, kept from frame to frame with their memory.
    private var colors: [InstanceColors] = []
    private let coverage = FloatImage()

    /// A separator for masks that `segmenter` makes, which goes on with the subjects that `last` has seen.
    init(_ segmenter: SubjectSegmenter, after last: SubjectSeparator? = nil) {
        let saliency = segmenter.saliency.coverage
        partition = SubjectPartition(width: saliency.width, height: saliency.height)
        super.init(partition, after: last)
    }

    /// Separates the subjects of the frame that `segmenter` saw last.
    ///
    /// - Parameter seconds: since the frame before.
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
        colors.sample(segmenter.saliency.picture, in: segmenter.saliency.tensor)
        colors.measure(coverage) { _, _ in true }
    }
}
