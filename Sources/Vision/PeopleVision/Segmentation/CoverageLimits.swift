import Imaging

/// Limits of coverage that several rules share.
///
/// Chosen on portraits with true mattes, street photos (Clothing Co-Parsing) and everyday photos (COCO); a value was kept only
/// where no set got worse. Shares of a side refer to the longer side of the image that a limit applies to.
enum CoverageLimits {
    /// Possible presence of a person, from not at all to fully.
    static let possible = LinearStep(from: 0.1, to: 0.4)
    /// Certain presence of a person.
    static let certain = LinearStep(from: 0.6, to: 0.95)
    /// The outline of a person in the coarse coverage, which is too soft, made as sharp as a mask's.
    static let outline = LinearStep(from: possible.low, to: certain.high)
    /// The outline of a person in MobileSAM's coverage.
    ///
    /// The coverage is less than 1 far inside people, who would be see-through without this step.
    static let figure = LinearStep(from: possible.middle, to: certain.middle)
    /// Minimum supporting fraction.
    ///
    /// It applies to the part of a box that a face is, to the certain part of a person's possible coverage, and to a third model's part of the
    /// coverage on which two models agree. Higher values outvote coverage that is right, from 0.45 on.
    static let minimumPart = 0.3
    /// Limits of components of the coarse coverage that show no person, and of holes and regions that the
    /// matte misses wrongly.
    ///
    /// Holes are compared with the frame, pieces with the area of the people.
    static let smallComponents = SmallComponents(shareOfFrame: 0.02, shareOfLargest: 0.1)
    /// Tolerance of outlines of coarse coverage, as a share of a side.
    ///
    /// Hair and hands lie beyond the outlines; gaps between legs, or between an arm and a body, within.
    /// Chosen among 0.01 to 0.06.
    static let outlineTolerance = 0.015

    /// Returns the tolerance of outlines, in values of `image`.
    static func outlineTolerance(of image: FloatImage) -> Double {
        outlineTolerance * Double(max(image.width, image.height))
    }
}

/// Limits of components that are treated as noise.
struct SmallComponents: Equatable, Sendable {
    /// Share of the frame's area; noise is smaller than this, and than `shareOfLargest`.
    let shareOfFrame: Double
    /// Share of the largest component's area.
    let shareOfLargest: Double

    /// Returns the smallest area that is not treated as noise, next to one of `largest` values in an image of
    /// `count`.
    func smallestArea(beside largest: Int, of count: Int) -> Int {
        let share = min(shareOfLargest * Double(largest), shareOfFrame * Double(count))
        return max(1, Int(share.rounded(.up)))
    }
}

extension Rectangle {
    /// Creates the extent of a component of an image of `width` x `height`, in its unit square.
    init(_ component: ConnectedComponents.Component, width: Int, height: Int) {
        let (w, h) = (Double(width), Double(height))
        self.init(
            x: Double(component.left) / w, y: Double(component.top) / h,
            width: Double(component.right - component.left) / w,
            height: Double(component.bottom - component.top) / h)
    }
}
