public import Imaging

/// The masks of a request's last frame, to be written into memory of the caller's.
public final class InstanceMasks {
    private struct Found {
        let mask: FloatImage
        let layout: MaskLayout
        let orientation: ImageOrientation
        /// Nil where instances were not separated.
        let separator: InstanceSeparator?
        let time: UInt64?
        let revision: Int
        let qualityLevel: GeneratePersonSegmentationRequest.QualityLevel
    }

    private let writer = MaskWriter()
    private var last: Found?

    /// Masks of no frame yet.
    init() {}

    /// Forgets the frame.
    func clear() { last = nil }

    /// Stores the masks of a frame.
    ///
    /// - Parameters:
    ///   - mask: of all instances, upright, with the user's settings applied.
    ///   - people: what the mask of all people is.
    ///   - separator: what has separated the instances; nil where they are not separated.
    ///   - revision: that made them.
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

    /// Size and format of the masks, in the image's stored orientation; of no size without a frame.
    public var layout: MaskLayout { last?.layout ?? MaskLayout(width: 0, height: 0, format: .gray8) }

    /// When the frame was taken of which the masks are, in nanoseconds of its stream: an earlier one's time where they have
    /// moved along since.
    public var time: UInt64? { last?.time }

    /// The revision that made them; 0 without a frame.
    public var revision: Int { last?.revision ?? 0 }

    /// The quality level that made them: `.fast` where those of another level are not there yet (`segmentsInBackground`); nil without
    /// a frame.
    public var qualityLevel: GeneratePersonSegmentationRequest.QualityLevel? { last?.qualityLevel }

    /// The label that instances beyond the most share; nil without any.
    public var crowdLabel: Int? {
        last?.separator.flatMap { $0.hasCrowd ? $0.instances.count + 1 : nil }
    }

    /// Instances in the last frame, those without a label included.
    public var totalCount: Int { last?.separator?.totalCount ?? 0 }

    /// Writes the mask of all instances.
    ///
    /// - Parameter mask: of this `layout`.
    public func writeMask(into mask: MutableMaskView) throws(VisionError) {
        guard let last else { return mask.clear() }
        try write(last.mask, last.orientation, into: mask)
    }

    /// Writes the soft mask of one label; of one that the frame does not have an empty mask.
    ///
    /// - Parameter mask: as in `writeMask(into:)`.
    public func writeMask(of label: Int, into mask: MutableMaskView) throws(VisionError) {
        guard let last, let separator = last.separator, (1..<(1 + separator.partCount)).contains(label) else {
            return mask.clear()
        }
        try write(separator.coverage(ofPart: label - 1, of: last.mask), last.orientation, into: mask)
    }

    /// Writes the label map: 0 for background, 1...n for instances.
    ///
    /// - Parameter labels: of this `layout`, with 8 bits.
    public func writeLabels(into labels: MutableMaskView) throws(VisionError) {
        guard let last, let separator = last.separator else { return labels.clear() }
        // Labels are of the masks' size: turning moves values and mixes none.
        try write(separator.labels(of: last.mask), last.orientation, into: labels)
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
}

extension MutableMaskView {
    /// Makes every value background.
    fileprivate func clear() {
        let row = [Float](repeating: 0, count: width)
        for y in 0..<height { writeRow(y, from: row) }
    }
}
