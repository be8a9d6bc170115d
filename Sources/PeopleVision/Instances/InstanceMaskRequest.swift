import Imaging

/// A request that finds instances of an image, people or other subjects, each with a mask of its own.
///
/// Instances keep their `id` through a stream.
public protocol InstanceMaskRequest: MaskRequest where Observation == InstanceMaskObservation {}

/// The treatment of instances beyond the maximum number of masks.
public enum InstanceOverflow: String, CaseIterable, Sendable {
    /// They share one more label.
    case merge
    /// They are background in the label map, and have no mask.
    case background
}

extension InstanceMaskRequest {
    /// The possible numbers of instances with masks of their own.
    public static var possibleInstances: ClosedRange<Int> { 1...12 }

    /// The label that instances beyond the maximum share; nil without any.
    public var crowdLabel: Int? { masks.crowdLabel }

    /// Number of instances in the last frame, including those without a label.
    public var totalCount: Int { masks.totalCount }

    /// Finds the instances of `frame`, with new masks.
    public func perform(on frame: InputFrame) throws(VisionError) -> InstanceMaskObservation {
        let instances = try find(in: frame)
        let layout = masks.layout
        let mask = try Mask.make(layout, masks.writeMask)
        let labels = try Mask.make(layout.labels, masks.writeLabels)
        var parts: [Mask] = []
        for label in 1..<(1 + instances.count + (crowdLabel == nil ? 0 : 1)) {
            let part = try Mask.make(layout) { part throws(VisionError) in
                try masks.writeMask(of: label, into: part)
            }
            parts.append(part)
        }
        return InstanceMaskObservation(
            mask: mask, labels: labels, instances: instances, crowdLabel: crowdLabel,
            totalCount: totalCount, revision: masks.revision, masks: parts)
    }

    /// Returns `maximum` and `overflow` as limits of the separation.
    static func limits(_ maximum: Int, _ overflow: InstanceOverflow) -> InstanceSeparator.Limits {
        let possible = possibleInstances
        return InstanceSeparator.Limits(
            maximumCount: min(max(maximum, possible.lowerBound), possible.upperBound), overflow: overflow)
    }
}

extension MaskLayout {
    /// The layout of the label map beside masks of this layout.
    package var labels: MaskLayout { MaskLayout(width: width, height: height, format: .gray8) }
}
