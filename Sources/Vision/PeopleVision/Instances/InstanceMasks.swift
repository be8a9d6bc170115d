public import Imaging

/// The masks that a request has found in a frame, which can be written into memory of the caller.
///
/// They can be written until the request gets the next frame, or forgets this one; after that, what is written is
/// background.
public struct InstanceMasks {
    /// The instances that have labels of their own, in the order of their labels; none where the request finds only
    /// one mask of all people.
    public let instances: [MaskInstance]
    /// The label that instances beyond the maximum share; nil without any.
    public let crowdLabel: Int?
    /// Number of instances in the frame, including those without a label.
    public let totalCount: Int
    /// Size and format of the masks, in the image's stored orientation.
    public let layout: MaskLayout
    /// The time of the frame that the masks show, as GStreamer counts it.
    package let nanoseconds: UInt64?
    /// The revision that made the masks.
    public let revision: Int
    /// The quality level that made the masks.
    ///
    /// It is `.fast` while masks of another level are missing (`AnalysisMode.camera`).
    public let qualityLevel: GeneratePersonSegmentationRequest.QualityLevel

    /// The time of the frame that the masks show, from its stream's beginning.
    ///
    /// It is an earlier frame's time where the masks have moved along since.
    public var time: Duration? { nanoseconds.map { .nanoseconds($0) } }

    /// The transform from the unit square of the upright masks to that of the stored image.
    private let region: FrameTransform
    /// The upright mask of all instances.
    private let mask: FloatImage
    /// The separator; nil where instances were not separated.
    private let separator: InstanceSeparator?
    private let memory: SharedMaskMemory
    /// The turn of `memory` in which the masks can be written.
    private let turn: Int

    /// Creates the masks of a frame.
    ///
    /// - Parameters:
    ///   - mask: upright mask of all instances, with the user's settings applied.
    ///   - people: the frame as the pipeline has segmented it.
    ///   - separator: the separator of the instances; nil where they are not separated.
    ///   - revision: the revision that made the masks.
    ///   - memory: the memory that the masks are in.
    init(
        _ mask: FloatImage, _ people: SegmentedFrame, _ frame: InputFrame, separator: InstanceSeparator?,
        revision: Int, in memory: SharedMaskMemory
    ) {
        let region = frame.toStored
        instances =
            separator?.instances.enumerated().map { MaskInstance($1, label: $0 + 1, region) } ?? []
        crowdLabel = separator.flatMap { $0.hasCrowd ? $0.instances.count + 1 : nil }
        totalCount = separator?.totalCount ?? 0
        (layout, nanoseconds, qualityLevel) = (people.layout, people.time, people.qualityLevel)
        (self.region, self.mask, self.separator) = (region, mask, separator)
        (self.revision, self.memory, turn) = (revision, memory, memory.turn)
    }
}

// MARK: - Writing

extension InstanceMasks {
    /// Writes the mask of all instances.
    ///
    /// - Parameter mask: memory of this `layout`.
    public func writeMask(into mask: MutableMaskView) throws(VisionError) {
        try write(into: mask) { self.mask }
    }

    /// Writes the soft mask of one label.
    ///
    /// - Parameters:
    ///   - label: a label; if the frame does not have it, the mask is empty.
    ///   - mask: memory of this `layout`.
    public func writeMask(of label: Int, into mask: MutableMaskView) throws(VisionError) {
        try write(into: mask) {
            guard let separator, (1..<(1 + separator.partCount)).contains(label) else { return nil }
            return separator.coverage(ofPart: label - 1, of: self.mask)
        }
    }

    /// Writes the label map: 0 for background, 1...n for instances.
    ///
    /// - Parameter labels: memory of this `layout`, with 8 bits.
    public func writeLabels(into labels: MutableMaskView) throws(VisionError) {
        try write(into: labels, interpolates: false) { separator?.labels(of: self.mask) }
    }

    /// Writes the upright values that `values` returns; background where it returns none, or these masks are over.
    private func write(
        into mask: MutableMaskView, interpolates: Bool = true, _ values: () -> FloatImage?
    ) throws(VisionError) {
        memory.lock.enter()
        defer { memory.lock.leave() }
        guard memory.turn == turn, let values = values() else { return mask.clear() }
        do throws(MaskWriterError) {
            try memory.writer.write(
                UnsafeBufferPointer(values.values), width: values.width, height: values.height,
                region: region, interpolates: interpolates, into: mask)
        } catch { throw .mask(error.description) }
    }
}

/// The memory of a request's masks, which has those of one frame at a time.
final class SharedMaskMemory {
    /// The lock of the request.
    let lock: RequestLock
    fileprivate let writer = MaskWriter()
    /// Number of frames that the memory has been used for.
    fileprivate private(set) var turn = 0

    /// Creates the memory of a request.
    init(_ lock: RequestLock) { self.lock = lock }

    /// Ends the use for a frame, whose masks can no longer be written.
    func endTurn() { turn &+= 1 }
}
