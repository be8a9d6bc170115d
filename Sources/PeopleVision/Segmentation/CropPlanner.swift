package import Imaging

/// Chooses what part of the frame a heavy model looks at, and holds on to it.
///
/// A crop that moved with every frame would make the mask shimmer; one that never moved would lose
/// people. It stays while the people keep within it and fill it well.
package final class CropPlanner {
    /// Space around people, as shares of their size: MODNet needs some above their heads.
    private static let margin = Margin(top: 0.14, side: 0.08, bottom: 0.05)
    /// Larger margins for people who have just outgrown a crop: they are likely to do so again.
    private static let movingMargin = Margin(top: 0.18, side: 0.12, bottom: 0.1)
    /// People must keep this share of the crop's size away from its edges.
    private static let leeway = 0.03
    /// A crop that people fill less than this, in width or height, is too large.
    private static let fill = 0.6
    /// One crop is better than two when it is not this much larger than both together.
    private static let joinCost = 1.5
    /// Crops per frame.
    private static let most = 2
    /// Parts that are looked at, largest first.
    private static let mostParts = 8

    /// The crops, in the upright frame's unit square.
    package private(set) var crops: [Rectangle] = []
    private var boxes: [Rectangle] = []
    private var areas: [Int] = []

    /// A planner that has seen nobody.
    package init() {
        crops.reserveCapacity(Self.most)
        boxes.reserveCapacity(Self.mostParts + 1)
        areas.reserveCapacity(Self.mostParts + 1)
    }

    /// The next frame shows another scene.
    package func reset() { crops.removeAll(keepingCapacity: true) }

    /// Takes note of where the people are.
    ///
    /// - Parameters:
    ///   - parts: of a mask of `width` x `height`.
    ///   - area: smaller parts are left out.
    package func update(_ parts: MaskParts, width: Int, height: Int, atLeast area: Int) {
        collect(parts, width: width, height: height, atLeast: area)
        join()
        guard !stillFit else { return }
        let margin = crops.isEmpty ? Self.margin : Self.movingMargin
        crops.removeAll(keepingCapacity: true)
        for box in boxes { crops.append(box.grown(by: margin)) }
    }

    private func collect(_ parts: MaskParts, width: Int, height: Int, atLeast area: Int) {
        boxes.removeAll(keepingCapacity: true)
        areas.removeAll(keepingCapacity: true)
        parts.forEach { part in
            guard part.area >= area else { return }
            let place = areas.firstIndex { $0 < part.area } ?? areas.count
            areas.insert(part.area, at: place)
            boxes.insert(Rectangle(part, width: width, height: height), at: place)
            if boxes.count > Self.mostParts {
                boxes.removeLast()
                areas.removeLast()
            }
        }
    }

    /// Joins boxes that are too many, or better looked at together.
    private func join() {
        while boxes.count > 1, let (one, other, cost) = cheapestPair(),
            boxes.count > Self.most || cost < Self.joinCost
        {
            boxes[one] = boxes[one].union(boxes[other])
            boxes.remove(at: other)
        }
    }

    private func cheapestPair() -> (Int, Int, cost: Double)? {
        var best: (Int, Int, cost: Double)?
        for one in boxes.indices {
            for other in boxes.indices where other > one {
                let both = boxes[one].area + boxes[other].area
                let cost = boxes[one].union(boxes[other]).area / max(both, .leastNormalMagnitude)
                if cost < best?.cost ?? .infinity { best = (one, other, cost) }
            }
        }
        return best
    }

    private var stillFit: Bool {
        guard crops.count == boxes.count else { return false }
        return boxes.indices.allSatisfy { Self.fits(boxes[$0], crops[$0]) }
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
    let side: Double
    let bottom: Double
}

extension Rectangle {
    /// The extent of a part of a mask of `width` x `height`, in its unit square.
    fileprivate init(_ part: MaskParts.Part, width: Int, height: Int) {
        let (w, h) = (Double(width), Double(height))
        self.init(
            x: Double(part.left) / w, y: Double(part.top) / h, width: Double(part.right - part.left) / w,
            height: Double(part.bottom - part.top) / h)
    }

    fileprivate var area: Double { width * height }

    /// The smallest rectangle around both.
    fileprivate func union(_ other: Rectangle) -> Rectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        let right = max(x + width, other.x + other.width)
        let bottom = max(y + height, other.y + other.height)
        return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Larger by `margin`, within the unit square.
    fileprivate func grown(by margin: Margin) -> Rectangle {
        let (left, top) = (max(0, x - margin.side * width), max(0, y - margin.top * height))
        let right = min(1, x + (1 + margin.side) * width)
        let bottom = min(1, y + (1 + margin.bottom) * height)
        return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
    }
}
