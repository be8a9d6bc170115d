import Imaging

/// Components that are too small to be anything.
struct Specks: Equatable, Sendable {
    /// Share of the frame's area; they are smaller than this, and than `shareOfLargest`.
    let shareOfFrame: Double
    /// Share of the largest component's area.
    let shareOfLargest: Double

    /// Values that a component needs not to be one, beside one of `largest` values in an image of `count`.
    func smallestArea(beside largest: Int, of count: Int) -> Int {
        let share = min(shareOfLargest * Double(largest), shareOfFrame * Double(count))
        return max(1, Int(share.rounded(.up)))
    }
}

extension Rectangle {
    /// The extent of a component of an image of `width` x `height`, in its unit square.
    init(_ component: ConnectedComponents.Component, width: Int, height: Int) {
        let (w, h) = (Double(width), Double(height))
        self.init(
            x: Double(component.left) / w, y: Double(component.top) / h,
            width: Double(component.right - component.left) / w,
            height: Double(component.bottom - component.top) / h)
    }
}
