public import Imaging

/// Finds the people of a picture, each with a soft mask of their own.
///
/// Up to four people, or as many as `maximumInstances` says, are told apart; together their masks are the mask of
/// `GeneratePersonSegmentationRequest`, in which people whom it has lost are completed. One request per stream: people
/// keep their `id` while their ways cross, and when they come back within five seconds. They are told apart by place,
/// motion and the colours of their clothes, not by their faces.
public final class GeneratePersonInstanceMaskRequest: InstanceMaskRequest {
    /// What it finds.
    public typealias Observation = InstanceMaskObservation

    /// What is asked for, and what it is computed with.
    public struct Configuration: Sendable, Equatable {
        /// The revision to use; the newest by default.
        public var revision = GeneratePersonInstanceMaskRequest.supportedRevisions.upperBound
        /// The mask that is divided: its quality level, sample format, smoothing and models.
        public var segmentation = GeneratePersonSegmentationRequest.Configuration()
        /// People to tell apart at most, 1...12; of more the most prominent are: those with the largest boxes.
        public var maximumInstances = 4
        /// What becomes of the others.
        public var overflow = InstanceOverflow.merge

        /// Four people in accurate 8-bit masks.
        public init() {}
    }

    /// Revision 1 only.
    public static let supportedRevisions = 1...1

    /// The settings.
    public var configuration: Configuration
    /// Seconds from one picture of a stream to the next; 1/30 unless set.
    public var frameDuration = 1.0 / 30
    /// The masks of the last picture.
    public let masks = InstanceMasks()

    /// Makes the mask that is divided.
    package let allPeople: GeneratePersonSegmentationRequest
    private var separator: (plan: SegmentationPlan, separator: PersonSeparator)?

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
        masks.clear()
    }

    /// Lets go of the loaded models, and of the people.
    public func unload() {
        allPeople.unload()
        masks.clear()
        separator = nil
    }

    /// Finds the people of `image`; their masks can be written until the next picture.
    ///
    /// - Returns: those who have labels of their own, in the order of their labels.
    public func find(
        in image: ImageView, orientation: ImageOrientation = .up
    ) throws(VisionError) -> [MaskInstance] {
        try Self.check(revision: configuration.revision)
        masks.clear()
        allPeople.configuration = configuration.segmentation
        let (mask, segmenter, plan) = try allPeople.coverage(of: image, orientation)
        let separator = separator(for: plan)
        try segmenter.preparePeople()
        let people = try segmenter.people(of: image, orientation: orientation)
        separator.separate(
            mask, people, after: frameDuration,
            Self.limits(configuration.maximumInstances, configuration.overflow))
        return masks.store(
            allPeople.controlled(separator.mask), orientation, separator, revision: configuration.revision)
    }

    private func separator(for plan: SegmentationPlan) -> PersonSeparator {
        if let separator, separator.plan == plan { return separator.separator }
        let fresh = PersonSeparator(plan, after: separator?.separator)
        separator = (plan, fresh)
        return fresh
    }
}
