/// A user's adjustments of a finished mask; none by default.
public struct MaskControls: Sendable, Equatable {
    /// The value at which coverage steps from 0 to 1, softly, over a tenth; 0 leaves coverage unchanged.
    public var threshold: Float = 0
    /// Width of a blur of the outline, as a share of the mask's shorter side.
    public var feather: Float = 0
    /// Distance by which the outline moves outwards (inwards when negative), as a share of the shorter side.
    public var expand: Float = 0
    /// Minimum area of connected parts, as a share of the mask; smaller parts are dropped.
    public var minimumArea: Float = 0

    /// Creates neutral settings.
    public init() {}

    /// Whether the settings change nothing.
    package var isNeutral: Bool { self == MaskControls() }
}

/// Applies a user's settings to the masks of a stream.
package final class MaskControlFilter {
    /// Minimum coverage that counts when areas are measured.
    private static let level: Float = 0.5
    /// The largest radius, as a share of the shorter side.
    private static let limit: Float = 0.25

    private let components = ConnectedComponents()
    private let morphology = MorphologyFilter()
    private let box = BoxMean()
    private let spare = FloatImage()

    /// Creates a filter without scratch memory.
    package init() {}

    /// Applies `controls` to `mask`: areas, threshold, expansion, feather.
    package func apply(_ controls: MaskControls, to mask: FloatImage) {
        dropSmall(controls.minimumArea, mask)
        step(controls.threshold, mask)
        expand(Self.radius(controls.expand, mask), mask)
        feather(Self.radius(controls.feather, mask), mask)
    }

    private static func radius(_ share: Float, _ mask: FloatImage) -> Int {
        let bounded = share.isFinite ? min(max(share, -limit), limit) : 0
        return Int((bounded * Float(min(mask.width, mask.height))).rounded())
    }

    private func dropSmall(_ share: Float, _ mask: FloatImage) {
        guard share > 0 else { return }
        components.find(in: mask, above: Self.level)
        let area = Int((min(share, 1) * Float(mask.count)).rounded(.up))
        components.keep(distance: max(mask.width, mask.height) / 40, in: mask) { $0.area >= area }
    }

    private func step(_ threshold: Float, _ mask: FloatImage) {
        guard threshold > 0 else { return }
        let (values, count) = (mask.base, mask.count)
        for i in 0..<count { values[i] = MaskCoding.clamped((values[i] - threshold) * 10 + 0.5) }
    }

    private func expand(_ radius: Int, _ mask: FloatImage) {
        if radius > 0 {
            morphology.dilate(mask, radius: radius)
        } else {
            morphology.erode(mask, radius: -radius)
        }
    }

    /// Feathers the mask with two box means, which together are a triangle without visible corners.
    private func feather(_ width: Int, _ mask: FloatImage) {
        guard width > 0 else { return }
        spare.resize(width: mask.width, height: mask.height)
        let radius = (width + 1) / 2
        box.apply(mask.base, width: mask.width, height: mask.height, radius: radius, into: spare.base)
        box.apply(spare.base, width: mask.width, height: mask.height, radius: radius, into: mask.base)
    }
}
