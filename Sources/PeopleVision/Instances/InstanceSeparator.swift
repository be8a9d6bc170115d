package import Imaging

/// Separates the instances of a stream's masks: says which is which, and which part of the mask is whose.
package class InstanceSeparator {
    /// An instance with a part of the mask.
    package struct Instance: Equatable {
        package let id: Int
        /// All that is seen of it, in the upright frame's unit square.
        package let box: Rectangle
        /// Certainty that it is one, 0...1.
        package let confidence: Double
    }

    /// What was found in a frame, to become an instance.
    struct Candidate {
        let box: Rectangle
        let confidence: Double
        /// The most prominent get parts of their own; 0 for one that has no part in the mask.
        let prominence: Double
        let colors: InstanceColors
    }

    /// How much more prominent an instance must be to take the place of another: places that changed with every frame
    /// would make instances come and go.
    private static let persistence = 1.3

    /// The last frame's mask, upright.
    package let mask = FloatImage()
    /// Instances with parts of their own, in the order of their ids; the parts have the same order.
    package private(set) var instances: [Instance] = []
    /// Whether there is one part more, of all the others.
    package private(set) var hasCrowd = false
    /// All of the last frame, those without a part included.
    package private(set) var totalCount = 0

    private let parts: MaskParts
    private var identities: InstanceIdentities
    private var detections: [InstanceIdentities.Detection] = []
    private var ids: [Int] = []
    private var ranks: [(prominence: Double, candidate: Int)] = []
    private var partNumbers: [Int] = []
    private let scratch = FloatImage()
    private let part = FloatImage()

    /// How many instances are separated, and what becomes of the others.
    package struct Limits: Equatable {
        package let maximumCount: Int
        package let overflow: InstanceOverflow

        package init(maximumCount: Int, overflow: InstanceOverflow) {
            (self.maximumCount, self.overflow) = (maximumCount, overflow)
        }
    }

    /// A separator of `parts`, which goes on with the instances that `last` has seen.
    init(_ parts: MaskParts, after last: InstanceSeparator? = nil) {
        self.parts = parts
        identities = last?.identities ?? InstanceIdentities()
    }

    /// Forgets everything: the next frame does not follow the last.
    package func reset() {
        identities.reset()
        instances.removeAll(keepingCapacity: true)
    }

    /// Forgets everything, and counts ids from the first one again.
    func restart() {
        reset()
        identities = InstanceIdentities()
    }

    /// Gives the instances of the next frame their ids and their parts.
    ///
    /// - Parameters:
    ///   - candidates: numbered as the owners of `parts`.
    ///   - total: how many were found, those that are no candidates included.
    ///   - scene: a number that changes where places before mean nothing.
    ///   - seconds: since the frame before.
    func identify(
        _ candidates: [Candidate], total: Int, scene: Int, after seconds: Double, _ limits: Limits
    ) {
        detections.removeAll(keepingCapacity: true)
        for found in candidates { detections.append(.init(box: found.box, colors: found.colors)) }
        identities.identify(detections, after: seconds, scene: scene, into: &ids)
        choose(candidates, limits)
        assignParts(limits)
        totalCount = total
    }

    /// The most prominent candidates with a part of the mask go into `instances`.
    private func choose(_ candidates: [Candidate], _ limits: Limits) {
        ranks.removeAll(keepingCapacity: true)
        for (number, found) in candidates.enumerated() where found.prominence > 0 {
            let isKnown = instances.contains { $0.id == ids[number] }
            ranks.append((isKnown ? found.prominence * Self.persistence : found.prominence, number))
        }
        ranks.sort { $0.prominence > $1.prominence }
        instances.removeAll(keepingCapacity: true)
        for rank in ranks.prefix(limits.maximumCount) {
            let found = candidates[rank.candidate]
            instances.append(Instance(id: ids[rank.candidate], box: found.box, confidence: found.confidence))
        }
        instances.sort { $0.id < $1.id }
    }

    private func assignParts(_ limits: Limits) {
        hasCrowd = limits.overflow == .merge && ranks.count > instances.count
        let others = hasCrowd ? instances.count : -1
        partNumbers.removeAll(keepingCapacity: true)
        for id in ids { partNumbers.append(instances.firstIndex { $0.id == id } ?? others) }
        parts.assign(partNumbers, count: partCount)
    }

    /// Parts of the mask: one for each of `instances`, and one of the crowd.
    package var partCount: Int { instances.count + (hasCrowd ? 1 : 0) }

    /// The share that a part has of `mask`, which may be the own one with a user's settings applied; valid until the next
    /// call.
    package func coverage(ofPart number: Int, of mask: FloatImage) -> FloatImage {
        parts.write(part: number, of: mask, into: part)
        return part
    }

    /// The number of the part from 1 on, as a share of 255, where `mask` is more of a part than of the background; valid
    /// until the next call.
    package func labels(of mask: FloatImage) -> FloatImage {
        parts.writeLabels(count: partCount, of: mask, into: part, scratch)
        return part
    }
}
