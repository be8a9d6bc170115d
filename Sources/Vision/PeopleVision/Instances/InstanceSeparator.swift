package import Imaging

/// Separates the instances of a stream's masks: identifies them, and assigns the parts of the mask to them.
package class InstanceSeparator {
    /// An instance with a part of the mask.
    package struct Instance: Equatable {
        package let id: Int
        /// The box around the visible part of the instance, in the upright frame's unit square.
        package let box: Rectangle
        /// The certainty of the instance, 0...1.
        package let confidence: Double
    }

    /// A thing found in a frame, which may become an instance.
    struct Candidate {
        let box: Rectangle
        let confidence: Double
        /// Rank of the candidate; the most prominent get parts of their own; 0 for one without a part in the
        /// mask.
        let prominence: Double
        let colors: InstanceColors
    }

    /// Factor by which an instance must be more prominent to take the place of another.
    ///
    /// Places that changed with every frame would make instances come and go.
    private static let persistence = 1.3

    /// The last frame's mask, upright.
    package let mask = FloatImage()
    /// Instances with parts of their own, in the order of their ids; the parts have the same order.
    package private(set) var instances: [Instance] = []
    /// Whether there is one more part, for all other instances.
    package private(set) var hasCrowd = false
    /// Number of instances in the last frame, including those without a part.
    package private(set) var totalCount = 0

    private let parts: MaskParts
    private var identities: InstanceIdentities
    private var detections: [InstanceIdentities.Detection] = []
    private var ids: [Int] = []
    private var ranks: [(prominence: Double, candidate: Int)] = []
    private var partNumbers: [Int] = []
    private let scratch = FloatImage()
    private let part = FloatImage()

    /// The maximum number of separated instances, and the treatment of the others.
    package struct Limits: Equatable {
        package let maximumCount: Int
        package let overflow: InstanceOverflow

        package init(maximumCount: Int, overflow: InstanceOverflow) {
            (self.maximumCount, self.overflow) = (maximumCount, overflow)
        }
    }

    /// Creates a separator of `parts`, with the instances that `last` has seen.
    init(_ parts: MaskParts, after last: InstanceSeparator? = nil) {
        self.parts = parts
        identities = last?.identities ?? InstanceIdentities()
    }

    /// Forgets all instances, as the next frame does not follow the last.
    package func reset() {
        identities.reset()
        instances.removeAll(keepingCapacity: true)
    }

    /// Forgets all instances, and counts ids from the first one again.
    func restart() {
        reset()
        identities = InstanceIdentities()
    }

    /// Assigns ids and parts to the instances of the next frame.
    ///
    /// - Parameters:
    ///   - candidates: the candidates, numbered as the owners of `parts`.
    ///   - total: number of things found, including those that are no candidates.
    ///   - scene: a number that changes when earlier places are no longer valid.
    ///   - seconds: time since the frame before.
    ///   - seams: moves seams to edges of the image; nil leaves them.
    func identify(
        _ candidates: [Candidate], total: Int, scene: Int, after seconds: Double, _ limits: Limits,
        _ seams: SeamRefinement?
    ) {
        detections.removeAll(keepingCapacity: true)
        for found in candidates { detections.append(.init(box: found.box, colors: found.colors)) }
        identities.identify(detections, after: seconds, scene: scene, into: &ids)
        choose(candidates, limits)
        assignParts(limits, seams)
        totalCount = total
    }

    /// Chooses the most prominent candidates with a part of the mask as `instances`.
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

    private func assignParts(_ limits: Limits, _ seams: SeamRefinement?) {
        hasCrowd = limits.overflow == .merge && ranks.count > instances.count
        let others = hasCrowd ? instances.count : -1
        partNumbers.removeAll(keepingCapacity: true)
        for id in ids { partNumbers.append(instances.firstIndex { $0.id == id } ?? others) }
        parts.assign(partNumbers, count: partCount, seams)
    }

    /// Number of parts of the mask: one for each of `instances`, and one of the crowd.
    package var partCount: Int { instances.count + (hasCrowd ? 1 : 0) }

    /// Returns the share of a part in `mask`, which may be this mask with a user's settings applied; valid
    /// until the next call.
    package func coverage(ofPart number: Int, of mask: FloatImage) -> FloatImage {
        parts.write(part: number, of: mask, into: part)
        return part
    }

    /// Returns the label map: the part's number from 1 on, as a share of 255; valid until the next call.
    ///
    /// A value has a label where `mask` shows more of a part than of the background.
    package func labels(of mask: FloatImage) -> FloatImage {
        parts.writeLabels(count: partCount, of: mask, into: part, scratch)
        return part
    }
}
