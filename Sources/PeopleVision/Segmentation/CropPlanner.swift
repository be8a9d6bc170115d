package import Imaging

/// Chooses what part of the frame a heavy model looks at, and holds on to it.
///
/// A crop that moved with every frame would make the mask shimmer; one that never moved would lose
/// people. It stays while the people keep within it and fill it well.
package final class CropPlanner {
    /// Space around people, as a share of their size.
    private static let margin = 0.05
    /// People must keep this share of the crop's size away from its edges.
    private static let leeway = 0.03
    /// A crop that people fill less than this, in width or height, is too large.
    private static let fill = 0.6
    /// A larger crop gives way to the whole frame: MODNet understands people better in their surroundings,
    /// and finds no wall between them.
    private static let largest = 0.6
    /// How far a crop that cuts somebody off moves its edge out, as a share of its size.
    private static let step = 0.3

    /// The crop, in the upright frame's unit square; the whole frame when people fill it or are none.
    package private(set) var crop = Rectangle.unit
    private var tight: Rectangle?
    private var isGroup = false

    /// Whether the crop was made for one person.
    package var isOnePerson: Bool { tight != nil && !isGroup }

    /// A planner that has seen nobody.
    package init() {}

    /// The next frame shows another scene.
    package func reset() { tight = nil }

    /// Takes note of where the people are.
    ///
    /// - Parameters:
    ///   - people: the smallest rectangle around all of them; nil for nobody.
    ///   - isGroup: whether they are more than one.
    ///   - matte: what the last matte covered.
    package func update(people: Rectangle?, isGroup: Bool = false, matte: Rectangle? = nil) {
        guard let people else { return forget() }
        let box = matte.map(people.union) ?? people
        self.isGroup = isGroup
        if let tight, Self.fits(box, tight) { return }
        choose(box.grown(by: Self.margin))
    }

    /// Makes the crop larger at sides where it cuts somebody off.
    package func widen(_ edges: CropEdges) {
        let margin = Margin(
            top: edges.contains(.top) ? Self.step : 0, left: edges.contains(.left) ? Self.step : 0,
            right: edges.contains(.right) ? Self.step : 0, bottom: edges.contains(.bottom) ? Self.step : 0)
        choose(crop.grown(by: margin))
    }

    private func choose(_ wanted: Rectangle) {
        tight = wanted
        crop = wanted.width * wanted.height < Self.largest ? wanted : .unit
    }

    private func forget() {
        tight = nil
        crop = .unit
    }

    private static func fits(_ box: Rectangle, _ crop: Rectangle) -> Bool {
        let horizontal = fits(box.x, box.width, crop.x, crop.width)
        return horizontal && fits(box.y, box.height, crop.y, crop.height)
    }

    /// Whether an extent keeps within another, which may end at the frame's edges.
    private static func fits(_ start: Double, _ length: Double, _ from: Double, _ extent: Double) -> Bool {
        let gap = leeway * extent
        let isAfter = from <= 0 || start >= from + gap
        let isBefore = from + extent >= 1 || start + length <= from + extent - gap
        return isAfter && isBefore && length >= fill * extent
    }
}

/// Space around a box, as shares of its size.
private struct Margin {
    let top: Double
    let left: Double
    let right: Double
    let bottom: Double
}

extension Rectangle {
    /// The extent of a part of a mask of `width` x `height`, in its unit square.
    init(_ part: ConnectedComponents.Component, width: Int, height: Int) {
        let (w, h) = (Double(width), Double(height))
        self.init(
            x: Double(part.left) / w, y: Double(part.top) / h, width: Double(part.right - part.left) / w,
            height: Double(part.bottom - part.top) / h)
    }

    /// The smallest rectangle around both.
    func union(_ other: Rectangle) -> Rectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        let right = max(x + width, other.x + other.width)
        let bottom = max(y + height, other.y + other.height)
        return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Larger by a share of its size on all sides, within the unit square.
    func grown(by share: Double) -> Rectangle {
        grown(by: Margin(top: share, left: share, right: share, bottom: share))
    }

    /// Larger by `margin`, within the unit square.
    fileprivate func grown(by margin: Margin) -> Rectangle {
        let (left, top) = (max(0, x - margin.left * width), max(0, y - margin.top * height))
        let right = min(1, x + (1 + margin.right) * width)
        let bottom = min(1, y + (1 + margin.bottom) * height)
        return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Its size in pixels of a `frame`, in whose unit square it lies.
    func size(in frame: Size) -> Size {
        Size(width: width * frame.width, height: height * frame.height)
    }

    /// Whether it reaches the unit square's edges, but for rounding.
    var reachesRight: Bool { x + width > 1 - 1e-9 }
    var reachesBottom: Bool { y + height > 1 - 1e-9 }

    /// Grown about its centre to an `aspect` (of unit squares), as far as the unit square allows.
    func widened(to aspect: Double) -> Rectangle {
        let (wide, high) = (min(1, max(width, height * aspect)), min(1, max(height, width / aspect)))
        let (left, top) = (max(0, x - (wide - width) / 2), max(0, y - (high - height) / 2))
        return Rectangle(x: min(left, 1 - wide), y: min(top, 1 - high), width: wide, height: high)
    }
}
