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

    /// Returns `maximum` and `overflow` as limits of the separation.
    static func limits(_ maximum: Int, _ overflow: InstanceOverflow) -> InstanceSeparator.Limits {
        let possible = possibleInstances
        return InstanceSeparator.Limits(
            maximumCount: min(max(maximum, possible.lowerBound), possible.upperBound), overflow: overflow)
    }
}

extension InstanceMaskObservation {
    /// Copies the masks of a frame.
    init(_ found: InstanceMasks) throws(VisionError) {
        let mask = try Mask.make(found.layout, found.writeMask)
        let labels = try Mask.make(found.layout.labels, found.writeLabels)
        var parts: [Mask] = []
        for label in 1..<(1 + found.instances.count + (found.crowdLabel == nil ? 0 : 1)) {
            let part = try Mask.make(found.layout) { part throws(VisionError) in
                try found.writeMask(of: label, into: part)
            }
            parts.append(part)
        }
        self.init(
            mask: mask, labels: labels, instances: found.instances, crowdLabel: found.crowdLabel,
            totalCount: found.totalCount, revision: found.revision, masks: parts)
    }
}

extension MaskLayout {
    /// The layout of the label map beside masks of this layout.
    package var labels: MaskLayout { MaskLayout(width: width, height: height, format: .gray8) }
}
