package import Imaging

/// Separates the people of a stream's masks: says who is whom, and which part of the mask is whose.
package final class InstanceSeparator {
    /// A person with a part of the mask.
    package struct Instance: Equatable {
        package let id: Int
        /// All that is seen of the person, in the upright frame's unit square.
        package let box: Rectangle
        /// The detector's certainty, 0...1.
        package let confidence: Double
    }

    /// How much more prominent a person must be to take the place of another: places that changed with every frame
    /// would make people come and go.
    private static let persistence = 1.3

    /// The last frame's mask, upright: where it had lost a person, raised to that person's coverage.
    package let mask = FloatImage()
    /// People with parts of their own, in the order of their ids; the parts have the same order.
    package private(set) var instances: [Instance] = []
    /// Whether there is one part more, of all the others.
    package private(set) var hasCrowd = false

    private let partition: MaskPartition
    private var identities: PersonIdentities
    private var sightings: [PersonIdentities.Sighting] = []
    private var ids: [Int] = []
    private var ranks: [(prominence: Double, person: Int)] = []
    private var parts: [Int] = []
    private let scratch = FloatImage()
    private let part = FloatImage()

    /// How many people are separated, and what becomes of the others.
    package struct Limits: Equatable {
        package let most: Int
        package let overflow: GeneratePersonInstanceMaskRequest.Overflow

        package init(most: Int, overflow: GeneratePersonInstanceMaskRequest.Overflow) {
            (self.most, self.overflow) = (most, overflow)
        }
    }

    /// A separator for masks of `plan`, which goes on with the people that `last`, for frames of another size, has seen.
    package init(_ plan: SegmentationPlan, after last: InstanceSeparator? = nil) {
        partition = MaskPartition(plan)
        identities = last?.identities ?? PersonIdentities()
    }

    /// Forgets everybody: the next frame does not follow the last.
    package func reset() {
        identities.reset()
        instances.removeAll(keepingCapacity: true)
    }

    /// Separates the people of the next frame.
    ///
    /// - Parameters:
    ///   - mask: of all people, upright.
    ///   - seconds: since the frame before.
    package func separate(
        _ mask: FloatImage, _ found: SegmentedPeople, after seconds: Double, _ limits: Limits
    ) {
        self.mask.copy(mask)
        let people = found.people
        partition.divide(self.mask, among: people)
        sightings.removeAll(keepingCapacity: true)
        for (number, person) in people.enumerated() {
            let crop = FrameTransform.crop(person.crop)
            person.colors.measure(person.coverage) { x, y in
                let place = crop.map(Point(x: x, y: y))
                return partition.isOwned(byPerson: number, x: place.x, y: place.y)
            }
            sightings.append(.init(box: person.person.box, colors: person.colors))
        }
        identities.identify(sightings, after: seconds, scene: found.scene, into: &ids)
        choose(people, limits)
        assignParts(limits)
    }

    /// The most prominent people with a part of the mask go into `instances`.
    private func choose(_ people: ArraySlice<PersonPrior.Person>, _ limits: Limits) {
        ranks.removeAll(keepingCapacity: true)
        for (number, person) in people.enumerated() where partition.area(ofPerson: number) > 0 {
            let box = person.person.box
            let isKnown = instances.contains { $0.id == ids[number] }
            let prominence = box.width * box.height * person.person.score
            ranks.append((isKnown ? prominence * Self.persistence : prominence, number))
        }
        ranks.sort { $0.prominence > $1.prominence }
        instances.removeAll(keepingCapacity: true)
        for rank in ranks.prefix(limits.most) {
            let person = people[people.startIndex + rank.person].person
            instances.append(Instance(id: ids[rank.person], box: person.box, confidence: person.score))
        }
        instances.sort { $0.id < $1.id }
    }

    private func assignParts(_ limits: Limits) {
        hasCrowd = limits.overflow == .merge && ranks.count > instances.count
        let others = hasCrowd ? instances.count : -1
        parts.removeAll(keepingCapacity: true)
        for id in ids { parts.append(instances.firstIndex { $0.id == id } ?? others) }
        partition.assign(parts, count: partCount)
    }

    /// Parts of the mask: one for each of `instances`, and one of the crowd.
    package var partCount: Int { instances.count + (hasCrowd ? 1 : 0) }

    /// The share that a part has of `mask`, which may be the own one with a user's settings applied; valid until the next
    /// call.
    package func coverage(ofPart number: Int, of mask: FloatImage) -> FloatImage {
        partition.write(part: number, of: mask, into: part)
        return part
    }

    /// The number of the part from 1 on, as a share of 255, where `mask` is more of a part than of the background; valid
    /// until the next call.
    package func labels(of mask: FloatImage) -> FloatImage {
        partition.writeLabels(count: partCount, of: mask, into: part, scratch)
        return part
    }
}
