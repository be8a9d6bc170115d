public import Imaging

/// A person or subject of an image.
public struct MaskInstance: Sendable, Hashable, Codable {
    /// The number in the label map, from 1 on; it may change from frame to frame.
    public let label: Int
    /// A number that stays with an instance of a stream, and is never used again for another one.
    public let id: Int
    /// The box around the visible part, in the image's stored orientation, normalised to 0...1.
    public let boundingBox: Rectangle
    /// The confidence, 0...1: for people the detector's certainty, for other subjects the mean coverage
    /// inside their outline.
    public let confidence: Double

    init(_ instance: InstanceSeparator.Instance, label: Int, _ region: FrameTransform) {
        (self.label, id, confidence) = (label, instance.id, instance.confidence)
        boundingBox = region.map(instance.box)
    }
}

/// The people or subjects of one image, each with a mask of its own.
///
/// All masks are in the image's stored orientation.
public struct InstanceMaskObservation: VisionObservation {
    /// Soft coverage by all instances.
    public let mask: Mask
    /// The label map in 8 bits: 0 is background, 1...n are the instances, and n + 1 the others if they share
    /// a label.
    public let labels: Mask
    /// The instances that have labels of their own, in the order of their labels.
    public let instances: [MaskInstance]
    /// The label that instances beyond the maximum share; nil without any.
    public let crowdLabel: Int?
    /// Number of instances in the image, including those without a label.
    public let totalCount: Int
    /// The revision that made the masks.
    public let revision: Int
    /// The identifier of this observation, which takes no part in comparisons.
    @_disfavoredOverload
    @Incomparable public private(set) var uuid = ObservationUUID()

    /// The masks, one per label, from 1 on.
    let masks: [Mask]

    /// Minimum coverage that counts for the extent; fainter coverage is invisible.
    private static let visible: Float = 0.02

    /// The labels of the image, including the crowd's.
    @_disfavoredOverload
    public var allInstances: [Int] { Array(1..<(masks.count + 1)) }

    /// Returns the label at a point, alone; nothing for the background and outside of the image.
    @_disfavoredOverload
    public func instanceAtPoint(_ point: NormalizedPoint) -> [Int] {
        let label = instance(at: point)
        return label > 0 ? [label] : []
    }

    /// Returns the joint mask of some labels, in the size of `mask`; labels that the image does not have are
    /// ignored.
    ///
    /// - Throws: `VisionError.noMemory`.
    public func generateMask(for labels: some Sequence<Int>) throws(VisionError) -> Mask {
        try generateMask(for: labels, width: mask.view.width, height: mask.view.height)
    }

    /// Returns the joint mask of some labels, in the size of a handler's image.
    ///
    /// - Parameters:
    ///   - labels: the labels; those that the image does not have are ignored.
    ///   - handler: the handler of the image that was analysed.
    /// - Throws: `VisionError.unreadableImage` and `VisionError.noMemory`.
    public func generateScaledMask(
        for labels: some Sequence<Int>, scaledToImageFrom handler: ImageRequestHandler
    ) throws(VisionError) -> Mask {
        let (width, height) = try handler.storedSize()
        return try generateMask(for: labels, width: width, height: height)
    }

    /// Returns the image with everything transparent but some instances: upright, with straight alpha.
    ///
    /// - Parameters:
    ///   - labels: the labels; those that the image does not have are ignored.
    ///   - handler: the handler of the image that was analysed.
    ///   - croppedToInstancesExtent: whether the result is cropped to the visible part.
    /// - Throws: `VisionError.nothingVisible` where none of the instances is visible, and
    ///   `VisionError.unreadableImage`.
    public func generateMaskedImage(
        for labels: some Sequence<Int>, imageFrom handler: ImageRequestHandler,
        croppedToInstancesExtent: Bool = false
    ) throws(VisionError) -> CutOut {
        try handler.maskedImage(by: generateMask(for: labels), isCropped: croppedToInstancesExtent)
    }

    private func generateMask(
        for labels: some Sequence<Int>, width: Int, height: Int
    ) throws(VisionError) -> Mask {
        guard let joint = mask(for: labels, size: (width, height)) else {
            throw .noMemory(MaskLayout(width: width, height: height, format: mask.view.format))
        }
        return joint
    }

    /// Returns the label at a point, normalised to 0...1; 0 for the background and outside of the image.
    package func instance(at point: Point) -> Int {
        guard (0..<1).contains(point.x), (0..<1).contains(point.y) else { return 0 }
        return labels.view.value(at: point) ?? 0
    }

    /// Returns the instance with an `id`; nil when it is not in the image.
    public func instance(id: Int) -> MaskInstance? { instances.first { $0.id == id } }

    /// Returns the joint mask of some labels.
    ///
    /// - Parameters:
    ///   - labels: the labels; those that the image does not have are ignored.
    ///   - size: size of the whole image's mask, in pixels; that of `mask` by default.
    ///   - croppedToInstancesExtent: whether the mask is cropped to `extent(of:width:height:)`.
    /// - Returns: a mask of the format of `mask`; nil when a cropped mask would be empty, or a side is not in
    ///   1...`ImageView.maximumSide`.
    package func mask(
        for labels: some Sequence<Int>, size: (width: Int, height: Int)? = nil,
        croppedToInstancesExtent: Bool = false
    ) -> Mask? {
        let (width, height) = size ?? (mask.view.width, mask.view.height)
        let sides = 1...ImageView.maximumSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        let sum = sum(of: labels)
        // The code below uses only a pointer into the memory of `sum`.
        defer { withExtendedLifetime(sum) {} }
        let whole = PixelRect(x: 0, y: 0, width: width, height: height)
        let part = croppedToInstancesExtent ? Self.extent(of: sum, width: width, height: height) : whole
        guard let part else { return nil }
        let crop = Rectangle(
            x: Double(part.x) / Double(width), y: Double(part.y) / Double(height),
            width: Double(part.width) / Double(width), height: Double(part.height) / Double(height))
        guard let region = part == whole ? .identity : FrameTransform.crop(crop).inverse else { return nil }
        do throws(MaskWriterError) {
            return try Mask(format: mask.view.format, width: part.width, height: part.height) {
                mask throws(MaskWriterError) in
                try MaskWriter().write(
                    UnsafeBufferPointer(sum.values), width: sum.width, height: sum.height, region: region,
                    into: mask)
            }
        } catch { return nil }
    }

    /// Returns the box around the visible parts of some labels, in pixels of an image of `width` x `height`;
    /// nil without any.
    package func extent(of labels: some Sequence<Int>, width: Int, height: Int) -> PixelRect? {
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
        for label in Set(labels) where masks.indices.contains(label - 1) {
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
