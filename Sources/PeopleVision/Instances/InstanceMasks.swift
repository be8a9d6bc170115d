public import Imaging

/// The masks of a request's last frame, which can be written into memory of the caller.
public final class InstanceMasks {
    private struct Found {
        let mask: FloatImage
        let layout: MaskLayout
        let orientation: ImageOrientation
        /// The separator; nil where instances were not separated.
        let separator: InstanceSeparator?
        let time: UInt64?
        let revision: Int
        let qualityLevel: GeneratePersonSegmentationRequest.QualityLevel
    }

    private let writer = MaskWriter()
    private var last: Found?
    private let lock: RequestLock

    /// Creates an object without a frame.
    ///
    /// - Parameter lock: the lock of the request that finds the masks.
    init(_ lock: RequestLock) { self.lock = lock }

    /// Forgets the frame.
    func clear() { last = nil }

    /// Stores the masks of a frame.
    ///
    /// - Parameters:
    ///   - mask: upright mask of all instances, with the user's settings applied.
    ///   - people: the mask of all people.
    ///   - separator: the separator of the instances; nil where they are not separated.
    ///   - revision: the revision that made the masks.
    /// - Returns: the instances that have labels of their own, in the image's stored orientation.
    func store(
        _ mask: FloatImage, _ people: SegmentedFrame, _ frame: InputFrame, separator: InstanceSeparator?,
        revision: Int
    ) -> [MaskInstance] {
        last = Found(
            mask: mask, layout: people.layout, orientation: frame.orientation, separator: separator,
            time: people.time, revision: revision, qualityLevel: people.qualityLevel)
        guard let separator else { return [] }
        let region = FrameTransform.orientation(frame.orientation)
        return separator.instances.enumerated().map { MaskInstance($1, label: $0 + 1, region) }
    }

    private var found: Found? {
        lock.enter()
        defer { lock.leave() }
        return last
    }

    /// Size and format of the masks, in the image's stored orientation; of size 0 without a frame.
    public var layout: MaskLayout { found?.layout ?? MaskLayout(width: 0, height: 0, format: .gray8) }

    /// The time of the frame that the masks show, from its stream's beginning.
    ///
    /// It is an earlier frame's time where the masks have moved along since.
    public var time: Duration? { nanoseconds.map { .nanoseconds($0) } }

    /// `time` as GStreamer counts it.
    package var nanoseconds: UInt64? { found?.time }

    /// The revision that made the masks; 0 without a frame.
    public var revision: Int { found?.revision ?? 0 }

    /// The quality level that made the masks; nil without a frame.
    ///
    /// It is `.fast` while masks of another level are missing (`AnalysisMode.camera`).
    public var qualityLevel: GeneratePersonSegmentationRequest.QualityLevel? { found?.qualityLevel }

    /// The label that instances beyond the maximum share; nil without any.
    public var crowdLabel: Int? {
        found?.separator.flatMap { $0.hasCrowd ? $0.instances.count + 1 : nil }
    }

    /// Number of instances in the last frame, including those without a label.
    public var totalCount: Int { found?.separator?.totalCount ?? 0 }

    /// Writes the mask of all instances.
    ///
    /// - Parameter mask: memory of this `layout`.
    public func writeMask(into mask: MutableMaskView) throws(VisionError) {
        lock.enter()
        defer { lock.leave() }
        guard let last else { return mask.clear() }
        try write(last.mask, last.orientation, into: mask)
    }

    /// Writes the soft mask of one label.
    ///
    /// - Parameters:
    ///   - label: a label; if the frame does not have it, the mask is empty.
    ///   - mask: memory of this `layout`.
    public func writeMask(of label: Int, into mask: MutableMaskView) throws(VisionError) {
        lock.enter()
        defer { lock.leave() }
        guard let last, let separator = last.separator, (1..<(1 + separator.partCount)).contains(label) else {
            return mask.clear()
        }
        try write(separator.coverage(ofPart: label - 1, of: last.mask), last.orientation, into: mask)
    }

    /// Writes the label map: 0 for background, 1...n for instances.
    ///
    /// - Parameter labels: memory of this `layout`, with 8 bits.
    public func writeLabels(into labels: MutableMaskView) throws(VisionError) {
        lock.enter()
        defer { lock.leave() }
        guard let last, let separator = last.separator else { return labels.clear() }
        // Labels have the masks' size, so a rotation moves values without mixing them.
        try write(separator.labels(of: last.mask), last.orientation, into: labels)
    }

    private func write(
        _ values: FloatImage, _ orientation: ImageOrientation, into mask: MutableMaskView
    ) throws(VisionError) {
        do throws(MaskWriterError) {
            try writer.write(
                UnsafeBufferPointer(values.values), width: values.width, height: values.height,
                region: .orientation(orientation), into: mask)
        } catch { throw .mask(error.description) }
    }
}

extension MutableMaskView {
    /// Sets every value to background.
    fileprivate func clear() {
        let row = [Float](repeating: 0, count: width)
        for y in 0..<height { writeRow(y, from: row) }
    }
}
