public import Imaging

/// Finds the people of a picture, each with a soft mask of their own.
///
/// Up to four people, or as many as `maximumInstances` says, are told apart; together their masks are the mask of
/// `GeneratePersonSegmentationRequest`, in which people whom it has lost are completed. One request per stream: people
/// keep their `id` while their ways cross, and when they come back within five seconds. They are told apart by place,
/// motion and the colours of their clothes, not by their faces.
public final class GeneratePersonInstanceMaskRequest: VisionRequest {
    /// What becomes of people beyond the most that are told apart.
    public enum Overflow: String, CaseIterable, Sendable {
        /// They share one more label.
        case merge
        /// They are background in the label map, and have no mask.
        case background
    }

    /// What is asked for, and what it is computed with.
    public struct Configuration: Sendable, Equatable {
        /// The revision to use; the newest by default.
        public var revision = GeneratePersonInstanceMaskRequest.supportedRevisions.upperBound
        /// The mask that is divided: its quality level, sample format, smoothing and models.
        public var segmentation = GeneratePersonSegmentationRequest.Configuration()
        /// People to tell apart at most, 1...12; of more the most prominent are: those with the largest boxes.
        public var maximumInstances = 4
        /// What becomes of the others.
        public var overflow = Overflow.merge

        /// Four people in accurate 8-bit masks.
        public init() {}
    }

    /// Revision 1 only.
    public static let supportedRevisions = 1...1
    /// How many people can be told apart.
    public static let possibleInstances = 1...12

    /// The settings.
    public var configuration: Configuration
    /// Seconds from one picture of a stream to the next; 1/30 unless set.
    public var frameDuration = 1.0 / 30

    /// Makes the mask that is divided.
    package let allPeople: GeneratePersonSegmentationRequest
    private var separator: (plan: SegmentationPlan, separator: InstanceSeparator)?
    private let writer = MaskWriter()
    private var last: Found?

    /// What was found in the last picture.
    private struct Found {
        let mask: FloatImage
        let orientation: ImageOrientation
        let separator: InstanceSeparator
        let peopleCount: Int
    }

    /// A request; for four people in accurate 8-bit masks unless `configuration` says otherwise.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        allPeople = GeneratePersonSegmentationRequest(configuration.segmentation)
    }

    /// Size and format of the masks of a `width` x `height` picture, in its stored orientation.
    public func maskLayout(width: Int, height: Int, orientation: ImageOrientation = .up) -> MaskLayout {
        allPeople.configuration = configuration.segmentation
        return allPeople.maskLayout(width: width, height: height, orientation: orientation)
    }

    /// Loads the models for pictures of this size, so that the first one does not wait for them.
    public func prepare(width: Int, height: Int, orientation: ImageOrientation = .up) throws(VisionError) {
        allPeople.configuration = configuration.segmentation
        try allPeople.preparePeople(width: width, height: height, orientation: orientation)
    }

    /// Forgets the pictures before: the next one does not follow them, and its people get other ids.
    public func reset() {
        allPeople.reset()
        separator?.separator.reset()
        last = nil
    }

    /// Lets go of the loaded models, and of the people.
    public func unload() {
        allPeople.unload()
        (separator, last) = (nil, nil)
    }

    /// Finds the people of `image`, with new masks.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up
    ) throws(VisionError) -> PersonInstanceMaskObservation {
        let instances = try find(in: image, orientation: orientation)
        let layout = maskLayout(width: image.width, height: image.height, orientation: orientation)
        let (mask, labels) = (try Self.mask(layout), try Self.mask(layout.labels))
        try writeMask(into: mask.mutableView)
        try writeLabels(into: labels.mutableView)
        var masks: [Mask] = []
        for label in 1..<(1 + instances.count + (crowdLabel == nil ? 0 : 1)) {
            let part = try Self.mask(layout)
            try writeMask(of: label, into: part.mutableView)
            masks.append(part)
        }
        return PersonInstanceMaskObservation(
            mask: mask, labels: labels, instances: instances, crowdLabel: crowdLabel,
            peopleCount: peopleCount, revision: configuration.revision, masks: masks)
    }

    private static func mask(_ layout: MaskLayout) throws(VisionError) -> Mask {
        guard let mask = Mask(format: layout.format, width: layout.width, height: layout.height) else {
            throw .mask(.tooFewValues(width: layout.width, height: layout.height, found: 0))
        }
        return mask
    }
}

// MARK: - Without allocations

extension GeneratePersonInstanceMaskRequest {
    /// Finds the people of `image`; their masks can be written until the next picture.
    ///
    /// - Returns: those who have labels of their own, in the order of their labels.
    public func find(
        in image: ImageView, orientation: ImageOrientation = .up
    ) throws(VisionError) -> [PersonInstance] {
        try Self.check(revision: configuration.revision)
        last = nil
        allPeople.configuration = configuration.segmentation
        let (mask, segmenter, plan) = try allPeople.coverage(of: image, orientation)
        let separator = separator(for: plan)
        try segmenter.preparePeople()
        let people = try segmenter.people(of: image, orientation: orientation)
        separator.separate(mask, people, after: frameDuration, limits)
        last = Found(
            mask: allPeople.controlled(separator.mask), orientation: orientation, separator: separator,
            peopleCount: people.count)
        let region = FrameTransform.orientation(orientation)
        return separator.instances.enumerated().map { PersonInstance($1, label: $0 + 1, region) }
    }

    /// The label that people beyond the most share; nil without any.
    public var crowdLabel: Int? {
        last.flatMap { $0.separator.hasCrowd ? $0.separator.instances.count + 1 : nil }
    }

    /// People in the last picture, those without a label included.
    public var peopleCount: Int { last?.peopleCount ?? 0 }

    /// Writes the last picture's mask of all people.
    ///
    /// - Parameter mask: of the layout that `maskLayout` gives.
    public func writeMask(into mask: MutableMaskView) throws(VisionError) {
        guard let last else { return mask.clear() }
        try write(last.mask, last.orientation, into: mask)
    }

    /// Writes the soft mask of one label of the last picture; of one that it does not have an empty mask.
    ///
    /// - Parameter mask: as in `writeMask(into:)`.
    public func writeMask(of label: Int, into mask: MutableMaskView) throws(VisionError) {
        guard let last, (1..<(1 + last.separator.partCount)).contains(label) else { return mask.clear() }
        try write(last.separator.coverage(ofPart: label - 1, of: last.mask), last.orientation, into: mask)
    }

    /// Writes the last picture's label map: 0 for background, 1...n for people.
    ///
    /// - Parameter labels: of the size that `maskLayout` gives, with 8 bits.
    public func writeLabels(into labels: MutableMaskView) throws(VisionError) {
        guard let last else { return labels.clear() }
        // Of the masks' size: turning moves values and mixes none.
        try write(last.separator.labels(of: last.mask), last.orientation, into: labels)
    }

    private func write(
        _ values: FloatImage, _ orientation: ImageOrientation, into mask: MutableMaskView
    ) throws(VisionError) {
        do throws(MaskWriterError) {
            try writer.write(
                UnsafeBufferPointer(values.values), width: values.width, height: values.height,
                region: .orientation(orientation), into: mask)
        } catch { throw .mask(error) }
    }

    private var limits: InstanceSeparator.Limits {
        let possible = Self.possibleInstances
        let most = min(max(configuration.maximumInstances, possible.lowerBound), possible.upperBound)
        return InstanceSeparator.Limits(most: most, overflow: configuration.overflow)
    }

    private func separator(for plan: SegmentationPlan) -> InstanceSeparator {
        if let separator, separator.plan == plan { return separator.separator }
        let fresh = InstanceSeparator(plan, after: separator?.separator)
        separator = (plan, fresh)
        return fresh
    }
}

extension MaskLayout {
    /// Of the label map beside masks of this layout.
    package var labels: MaskLayout { MaskLayout(width: width, height: height, format: .gray8) }
}

extension MutableMaskView {
    /// Makes every value background.
    fileprivate func clear() {
        let row = [Float](repeating: 0, count: width)
        for y in 0..<height { writeRow(y, from: row) }
    }
}
