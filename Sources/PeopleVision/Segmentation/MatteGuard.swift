package import Imaging

/// Drops what is nobody: MODNet also mattes chairs, statues, animals and patterns on walls.
package final class MatteGuard {
    /// A part in which the small model sees less than this, on average, is nobody.
    private static let nobody: Float = 0.15
    /// How far haze may reach from what is certain, as a share of the longer side.
    private static let haze = 0.025

    /// How far a person may reach beyond what the small model sees, as a share of the longer side: hair
    /// and hands.
    private static let reach = 0.015
    /// What the small model must see there.
    private static let somebody = LinearStep(from: 0.1, to: 0.4)

    /// What the last matte covered, in its unit square; nil when that was nothing.
    package private(set) var extent: Rectangle?

    private let parts = ConnectedComponents()
    private let extremum = MorphologyFilter()
    private let near = FloatImage()
    private let seen = FloatImage()
    private let stretch = LinearResizer()

    /// Nothing guarded yet.
    package init() {}

    /// Clears strays in `matte`; `people` is the small model's mask.
    package func dropStrays(from matte: FloatImage, people: FloatImage) {
        seen.resize(width: matte.width, height: matte.height)
        stretch.resize(people, into: seen)
        parts.find(in: matte, above: Scout.certain)
        parts.measure(seen)
        let smallest = Scout.smallestArea(parts.largestArea, of: matte.count)
        func isSomebody(_ part: ConnectedComponents.Component) -> Bool {
            part.area >= smallest && part.sum >= Self.nobody * Float(part.area)
        }
        let distance = Int(Self.haze * Double(max(matte.width, matte.height)))
        parts.keep(distance: distance, in: matte, where: isSomebody)
        extent = nil
        parts.forEach { part in
            guard isSomebody(part) else { return }
            let box = Rectangle(part, width: matte.width, height: matte.height)
            extent = extent?.union(box) ?? box
        }
    }

    /// Clears `matte` where nobody is near; `people` are the close looks at everybody.
    package func confine(_ matte: FloatImage, to people: FloatImage) {
        near.copy(people, tone: Self.somebody)
        extremum.dilate(near, radius: Int(Self.reach * Double(max(near.width, near.height))))
        stretch.begin(near, width: matte.width, height: matte.height)
        for y in 0..<matte.height { matte.lower(row: y, to: stretch.row(y, of: near)) }
    }

    /// The next matte does not follow the last.
    package func reset() { extent = nil }
}
