public import Imaging

/// A request that gives each instance of a picture a mask of its own: a person, or another subject.
///
/// One request per stream: instances keep their `id`. `perform` makes new masks; for streams `find` leaves it to the caller
/// which masks are written, and where to.
public protocol InstanceMaskRequest: VisionRequest where Observation == InstanceMaskObservation {
    /// Seconds from one picture of a stream to the next; 1/30 unless set.
    var frameDuration: Double { get set }
    /// The masks of the last picture.
    var masks: InstanceMasks { get }

    /// Size and format of the masks of a `width` x `height` picture, in its stored orientation.
    func maskLayout(width: Int, height: Int, orientation: ImageOrientation) -> MaskLayout
    /// Loads the models for pictures of this size, so that the first one does not wait for them.
    func prepare(width: Int, height: Int, orientation: ImageOrientation) throws(VisionError)
    /// Finds the instances of `image`; their masks can be written until the next picture.
    ///
    /// - Returns: those that have labels of their own, in the order of their labels.
    func find(in image: ImageView, orientation: ImageOrientation) throws(VisionError) -> [MaskInstance]
    /// Forgets the pictures before: the next one does not follow them, and its instances get other ids.
    func reset()
    /// Lets go of the loaded models, and of the instances.
    func unload()
}

/// What becomes of instances beyond the most that are told apart.
public enum InstanceOverflow: String, CaseIterable, Sendable {
    /// They share one more label.
    case merge
    /// They are background in the label map, and have no mask.
    case background
}

extension InstanceMaskRequest {
    /// How many instances can be told apart.
    public static var possibleInstances: ClosedRange<Int> { 1...12 }

    /// The label that instances beyond the most share; nil without any.
    public var crowdLabel: Int? { masks.crowdLabel }

    /// Instances in the last picture, those without a label included.
    public var totalCount: Int { masks.totalCount }

    /// Finds the instances of `image`, with new masks.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up
    ) throws(VisionError) -> InstanceMaskObservation {
        let instances = try find(in: image, orientation: orientation)
        let layout = maskLayout(width: image.width, height: image.height, orientation: orientation)
        let (mask, labels) = (try Mask.make(layout), try Mask.make(layout.labels))
        try masks.writeMask(into: mask.mutableView)
        try masks.writeLabels(into: labels.mutableView)
        var parts: [Mask] = []
        for label in 1..<(1 + instances.count + (crowdLabel == nil ? 0 : 1)) {
            let part = try Mask.make(layout)
            try masks.writeMask(of: label, into: part.mutableView)
            parts.append(part)
        }
        return InstanceMaskObservation(
            mask: mask, labels: labels, instances: instances, crowdLabel: crowdLabel,
            totalCount: totalCount, revision: masks.revision, masks: parts)
    }

    /// `most` and `overflow` as the separation wants them.
    static func limits(_ most: Int, _ overflow: InstanceOverflow) -> InstanceSeparator.Limits {
        let possible = possibleInstances
        return InstanceSeparator.Limits(
            most: min(max(most, possible.lowerBound), possible.upperBound), overflow: overflow)
    }
}

extension MaskLayout {
    /// Of the label map beside masks of this layout.
    package var labels: MaskLayout { MaskLayout(width: width, height: height, format: .gray8) }
}
