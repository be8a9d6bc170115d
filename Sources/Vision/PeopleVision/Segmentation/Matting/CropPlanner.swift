package import Imaging

/// Places a crop around the prominent people of a stream, and keeps it while it fits.
///
/// A crop that moved with every frame would make the mask shimmer; one that never moved would lose people.
package struct CropPlanner {
    /// Space around the people, as a share of their extent.
    private static let margin = 0.05
    /// Minimum extent of people as a share of the crop, in width and height; with less, the crop is
    /// replaced.
    ///
    /// A crop of more than this share of the frame's area becomes the whole frame, whose surroundings
    /// help the model: otherwise a man of the packaged clip loses half of his body (12.8 s at `balanced`), MAE of
    /// twelve made-up clips of groups grows by 14 %, and what the woman of the packaged portrait holds dissolves.
    private static let fill = 0.6
    /// Distance by which an edge that cuts a person moves outwards, as a share of the crop.
    private static let step = 0.3

    /// The crop, in the upright frame's unit square; the whole frame when people fill it.
    package private(set) var crop = Rectangle.unit
    /// Whether the crop contains several people.
    package private(set) var isGroup = false

    /// The extent that the crop was made for, before it was replaced by the whole frame.
    private var extent: Rectangle?

    /// Creates a planner that has seen no people.
    package init() {}

    /// Forgets the crop, as the next frame shows another scene.
    package mutating func reset() { extent = nil }

    /// Replaces the crop when it no longer fits the people.
    ///
    /// - Parameters:
    ///   - people: the people of the frame; their boxes follow motion with some delay.
    ///   - mask: extent of the last frame's mask, which follows motion at once; nil without one.
    package mutating func update(_ people: [TrackedPerson], mask: Rectangle? = nil) {
        var (box, count): (Rectangle?, Int) = (nil, 0)
        for person in people where person.isProminent {
            box = box?.union(person.box) ?? person.box
            count += 1
        }
        isGroup = count > 1
        guard MaskRule.crop.isOn, var box else {
            (extent, crop) = (nil, .unit)
            return
        }
        if MaskRule.cropMask.isOn, let mask { box = box.union(mask) }
        if MaskRule.cropKept.isOn, let extent, fits(box, extent) { return }
        lay(box.grown(by: Self.margin))
    }

    /// Moves the edges at which the crop cuts a person outwards.
    package mutating func widen(_ edges: CropEdges) { lay(crop.grown(by: Self.step, at: edges)) }

    /// Returns a crop around one person; nil where the model sees the person nearly as large in `crop`.
    package func crop(around person: Rectangle) -> Rectangle? {
        let own = person.grown(by: Self.margin)
        return own.area < Self.fill * crop.area ? own : nil
    }

    private mutating func lay(_ wanted: Rectangle) {
        extent = wanted
        let isLarge = wanted.width * wanted.height >= Self.fill
        crop = isLarge && MaskRule.cropFill.isOn ? .unit : wanted
    }

    private func fits(_ box: Rectangle, _ crop: Rectangle) -> Bool {
        fits(box.x, box.width, crop.x, crop.width) && fits(box.y, box.height, crop.y, crop.height)
    }

    /// Whether a side of a box lies within that of the crop, with a gap unless the crop ends at the frame's
    /// edge, and fills it.
    private func fits(_ start: Double, _ length: Double, _ from: Double, _ extent: Double) -> Bool {
        // People must not lie in the feather.
        let gap = FeatheredPaste.feather * extent
        let fitsBefore = from <= 0 || start >= from + gap
        let fitsAfter = from + extent >= 1 || start + length <= from + extent - gap
        return fitsBefore && fitsAfter && length >= Self.fill * extent
    }
}

extension Rectangle {
    /// Returns the smallest rectangle around both.
    func union(_ other: Rectangle) -> Rectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        let right = max(x + width, other.x + other.width)
        let bottom = max(y + height, other.y + other.height)
        return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Returns the rectangle enlarged by a share of its size at `edges`, within the unit square.
    func grown(by share: Double, at edges: CropEdges = [.left, .right, .top, .bottom]) -> Rectangle {
        func step(_ edge: CropEdges, _ size: Double) -> Double { edges.contains(edge) ? share * size : 0 }
        let (left, top) = (max(0, x - step(.left, width)), max(0, y - step(.top, height)))
        let right = min(1, x + width + step(.right, width))
        let bottom = min(1, y + height + step(.bottom, height))
        return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Returns the size in pixels of a `frame`, whose unit square the rectangle is in.
    func size(in frame: Size) -> Size {
        Size(width: width * frame.width, height: height * frame.height)
    }

    /// Whether the rectangle reaches the unit square's right edge, except for rounding.
    var reachesRight: Bool { x + width > 1 - 1e-9 }
    /// Whether the rectangle reaches the unit square's lower edge, except for rounding.
    var reachesBottom: Bool { y + height > 1 - 1e-9 }

    /// Returns the rectangle enlarged about its centre to an `aspect` (of unit squares), as far as the unit
    /// square allows.
    func widened(to aspect: Double) -> Rectangle {
        let (wide, high) = (min(1, max(width, height * aspect)), min(1, max(height, width / aspect)))
        let (left, top) = (max(0, x - (wide - width) / 2), max(0, y - (high - height) / 2))
        return Rectangle(x: min(left, 1 - wide), y: min(top, 1 - high), width: wide, height: high)
    }
}

/// Sides of a crop.
package struct CropEdges: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let left = CropEdges(rawValue: 1)
    package static let right = CropEdges(rawValue: 2)
    package static let top = CropEdges(rawValue: 4)
    package static let bottom = CropEdges(rawValue: 8)

    /// Minimum coverage that counts as a person.
    private static let person: Float = 0.5

    /// Finds the sides at which a matte of a crop is cut off.
    ///
    /// - Parameters:
    ///   - values: `width` x `height` values, row by row.
    ///   - crop: the crop in the unit square of the frame; at the frame's own edges nothing is cut off.
    package init(cutting values: UnsafeBufferPointer<Float>, width: Int, height: Int, crop: Rectangle) {
        self = []
        guard let base = values.baseAddress, width > 0, height > 0, values.count >= width * height else {
            return
        }
        func covered(from first: Int, step: Int, count: Int) -> Bool {
            var persons: Float = 0
            for i in 0..<count where base[first + i * step] > Self.person { persons += 1 }
            // Less is a stray hair.
            return persons >= max(2, Float(CoverageLimits.outlineTolerance) * Float(count))
        }
        if crop.x > 0, covered(from: 0, step: width, count: height) { insert(.left) }
        if !crop.reachesRight, covered(from: width - 1, step: width, count: height) { insert(.right) }
        if crop.y > 0, covered(from: 0, step: 1, count: width) { insert(.top) }
        if !crop.reachesBottom, covered(from: (height - 1) * width, step: 1, count: width) {
            insert(.bottom)
        }
    }
}
