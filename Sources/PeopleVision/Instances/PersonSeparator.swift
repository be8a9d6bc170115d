import Imaging

/// Separates the people of a stream's masks.
final class PersonSeparator: InstanceSeparator {
    private let partition: MaskPartition
    private var candidates: [Candidate] = []

    /// A separator for masks of `plan`, which goes on with the people that `last`, for frames of another size, has seen.
    init(_ plan: SegmentationPlan, after last: PersonSeparator? = nil) {
        partition = MaskPartition(plan)
        super.init(partition, after: last)
    }

    /// Separates the people of the next frame; where the mask had lost a person, `mask` is raised to that person's
    /// coverage.
    ///
    /// - Parameters:
    ///   - mask: of all people, upright.
    ///   - seconds: since the frame before.
    func separate(_ mask: FloatImage, _ found: SegmentedPeople, after seconds: Double, _ limits: Limits) {
        self.mask.copy(mask)
        partition.divide(self.mask, among: found.people)
        candidates.removeAll(keepingCapacity: true)
        for (number, person) in found.people.enumerated() {
            measureColors(of: person, number)
            let (box, score) = (person.person.box, person.person.score)
            let isSeen = partition.area(ofPerson: number) > 0
            candidates.append(
                Candidate(
                    box: box, confidence: score, prominence: isSeen ? box.width * box.height * score : 0,
                    colors: person.colors))
        }
        identify(candidates, total: found.count, scene: found.scene, after: seconds, limits)
    }

    private func measureColors(of person: PersonPrior.Person, _ number: Int) {
        let crop = FrameTransform.crop(person.crop)
        person.colors.measure(person.coverage) { x, y in
            let place = crop.map(Point(x: x, y: y))
            return partition.isOwned(by: number, x: place.x, y: place.y)
        }
    }
}
