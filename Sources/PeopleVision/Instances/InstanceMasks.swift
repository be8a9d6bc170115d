public import Imaging

/// The masks of the last picture of an instance request, to be written into memory of the caller's.
public final class InstanceMasks {
    private struct Found {
        let mask: FloatImage
        let orientation: ImageOrientation
        let separator: InstanceSeparator
        let revision: Int
    }

    private let writer = MaskWriter()
    private var last: Found?

    /// Of no picture yet.
    init() {}

    /// Forgets the picture.
    func clear() { last = nil }

    /// Stores the masks of a picture.
    ///
    /// - Parameters:
    ///   - mask: of all instances, upright, with the user's settings applied.
    ///   - separator: what has separated them.
    ///   - revision: that made them.
    /// - Returns: those that have labels of their own, in the picture's stored orientation.
    func store(
        _ mask: FloatImage, _ orientation: ImageOrientation, _ separator: InstanceSeparator, revision: Int
    ) -> [MaskInstance] {
        last = Found(mask: mask, orientation: orientation, separator: separator, revision: revision)
        let region = FrameTransform.orientation(orientation)
        return separator.instances.enumerated().map { MaskInstance($1, label: $0 + 1, region) }
    }

    /// The revision that made them; 0 without a picture.
    var revision: Int { last?.revision ?? 0 }

    /// The label that instances beyond the most share; nil without any.
    public var crowdLabel: Int? {
        last.flatMap { $0.separator.hasCrowd ? $0.separator.instances.count + 1 : nil }
    }

    /// Instances in the last picture, those without a label included.
    public var totalCount: Int { last?.separator.totalCount ?? 0 }

    /// Writes the mask of all instances.
    ///
    /// - Parameter mask: of the layout that the request's `maskLayout` gives.
    public func writeMask(into mask: MutableMaskView) throws(VisionError) {
        guard let last else { return mask.clear() }
        try write(last.mask, last.orientation, into: mask)
    }

    /// Writes the soft mask of one label; of one that the picture does not have an empty mask.
    ///
    /// - Parameter mask: as in `writeMask(into:)`.
    public func writeMask(of label: Int, into mask: MutableMaskView) throws(VisionError) {
        guard let last, (1..<(1 + last.separator.partCount)).contains(label) else { return mask.clear() }
        try write(last.separator.coverage(ofPart: label - 1, of: last.mask), last.orientation, into: mask)
    }

    /// Writes the label map: 0 for background, 1...n for instances.
    ///
    /// - Parameter labels: of the size that the request's `maskLayout` gives, with 8 bits.
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
}

extension MutableMaskView {
    /// Makes every value background.
    fileprivate func clear() {
        let row = [Float](repeating: 0, count: width)
        for y in 0..<height { writeRow(y, from: row) }
    }
}
