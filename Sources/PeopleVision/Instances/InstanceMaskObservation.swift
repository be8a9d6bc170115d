public import Imaging

/// One of the people or subjects of an image.
public struct MaskInstance: Sendable, Equatable {
    /// Its number in the label map, from 1 on; it may change from frame to frame.
    public let label: Int
    /// Stays with an instance of a stream; never used again for another one.
    public let id: Int
    /// Around what is seen of it, in the image's stored orientation, normalised to 0...1.
    public let boundingBox: Rectangle
    /// For people the detector's certainty that this is one, for other subjects the mean coverage inside their outline,
    /// 0...1.
    public let confidence: Double

    init(_ instance: InstanceSeparator.Instance, label: Int, _ region: FrameTransform) {
        (self.label, id, confidence) = (label, instance.id, instance.confidence)
        boundingBox = region.map(instance.box)
    }
}

/// The people or subjects of one image, each with a mask of its own.
///
/// All masks are in the image's stored orientation.
public struct InstanceMaskObservation {
    /// Soft coverage by all of them.
    public let mask: Mask
    /// 8 bit: 0 is background, 1...n are the instances, and n + 1 the others if they share a label.
    public let labels: Mask
    /// Those that have labels of their own, in the order of their labels.
    public let instances: [MaskInstance]
    /// The label that instances beyond the most share; nil without any.
    public let crowdLabel: Int?
    /// Instances in the image, those without a label included.
    public let totalCount: Int
    /// The revision that made it.
    public let revision: Int

    /// One per label, from 1 on.
    let masks: [Mask]

    /// Coverage that counts for the extent; what is fainter is not seen.
    private static let visible: Float = 0.02

    /// The labels of the image; the crowd's is one of them.
    public var allInstances: Range<Int> { 1..<(masks.count + 1) }

    /// The label at a point, normalised to 0...1; 0 for the background and outside of the image.
    public func instance(at point: Point) -> Int {
        guard (0..<1).contains(point.x), (0..<1).contains(point.y) else { return 0 }
        return labels.view.value(at: point) ?? 0
    }

    /// The instance with an `id`; nil when it is not in the image.
    public func instance(id: Int) -> MaskInstance? { instances.first { $0.id == id } }

    /// The joint mask of some labels.
    ///
    /// - Parameters:
    ///   - labels: those that the image does not have are left out.
    ///   - size: of the whole image's mask, in pixels; that of `mask` unless given.
    ///   - croppedToInstancesExtent: whether only `extent(of:width:height:)` is wanted.
    /// - Returns: a mask of the format of `mask`; nil when nothing is to be seen of the labels in a cropped one, or a side
    ///   is not in 1...`ImageView.maximumSide`.
    public func mask(
        for labels: some Sequence<Int>, size: (width: Int, height: Int)? = nil,
        croppedToInstancesExtent: Bool = false
    ) -> Mask? {
        let (width, height) = size ?? (mask.view.width, mask.view.height)
        let sides = 1...ImageView.maximumSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        let sum = sum(of: labels)
        // Below only a pointer into its memory is used.
        defer { withExtendedLifetime(sum) {} }
        let whole = PixelRect(x: 0, y: 0, width: width, height: height)
        let part = croppedToInstancesExtent ? Self.extent(of: sum, width: width, height: height) : whole
        guard let part, let result = Mask(format: mask.view.format, width: part.width, height: part.height)
        else { return nil }
        let crop = Rectangle(
            x: Double(part.x) / Double(width), y: Double(part.y) / Double(height),
            width: Double(part.width) / Double(width), height: Double(part.height) / Double(height))
        guard let region = part == whole ? .identity : FrameTransform.crop(crop).inverse else { return nil }
        do throws(MaskWriterError) {
            try MaskWriter().write(
                UnsafeBufferPointer(sum.values), width: sum.width, height: sum.height, region: region,
                into: result.mutableView)
        } catch { return nil }
        return result
    }

    /// Around all that is seen of some labels, in pixels of an image of `width` x `height`; nil when that is nothing.
    public func extent(of labels: some Sequence<Int>, width: Int, height: Int) -> PixelRect? {
        Self.extent(of: sum(of: labels), width: width, height: height)
    }

    private static func extent(of sum: FloatImage, width: Int, height: Int) -> PixelRect? {
        guard width > 0, height > 0 else { return nil }
        return sum.extent(above: visible).map { PixelRect($0, width: width, height: height) }
    }

    private func sum(of labels: some Sequence<Int>) -> FloatImage {
        let (sum, row) = (FloatImage(), FloatImage())
        defer { withExtendedLifetime(row) {} }
        sum.resize(width: mask.view.width, height: mask.view.height)
        row.resize(width: sum.width, height: 1)
        for label in Set(labels) where allInstances.contains(label) {
            let view = masks[label - 1].view
            for y in 0..<sum.height {
                view.readRow(y, into: row.base)
                let target = sum.row(y)
                for x in 0..<sum.width { target[x] = min(1, target[x] + row.base[x]) }
            }
        }
        return sum
    }
}
