import Glibc
package import Imaging

/// Overlapping squares that cover a frame, in which small things are large enough for a detector.
package struct FrameTiles {
    private let size: Size
    private let side: Double
    private let angle: Double
    /// The size of the upright box around the frame as the tiles see it.
    private let rotated: Size
    private let columns: Int
    private let rows: Int

    /// Overlap of neighbouring tiles, as a share of a side; a thing smaller than this lies whole in one tile.
    private static let overlap = 0.25
    /// Largest side of a tile, as a share of the frame's longer side; a larger tile shows little less than
    /// the whole frame.
    private static let largestShare = 0.75

    /// Divides a frame into tiles.
    ///
    /// - Parameters:
    ///   - share: share of the frame's longer side that a tile shows.
    ///   - smallest: side in pixels below which a tile would only magnify.
    ///   - angle: rotation of the tiles, clockwise.
    package init(_ size: Size, share: Double, smallest: Int, angle: Double = 0) {
        let longer = max(size.width, size.height)
        let side = max(longer * share, Double(smallest))
        self.size = size
        self.side = side
        self.angle = angle
        rotated = size.rotated(by: angle)
        let isUseful = longer.isFinite && side > 0 && side < Self.largestShare * longer
        columns = isUseful ? Self.count(rotated.width, side) : 0
        rows = isUseful ? Self.count(rotated.height, side) : 0
    }

    /// Number of tiles; 0 when they would show little less than the whole frame.
    package var count: Int { columns * rows }

    /// Returns the centre of a tile, 0..<`count`, in pixels.
    package func center(_ index: Int) -> Point {
        let x = Self.center(index % max(1, columns), of: columns, rotated.width, side) - rotated.width / 2
        let y = Self.center(index / max(1, columns), of: rows, rotated.height, side) - rotated.height / 2
        let (cosine, sine) = (cos(angle), sin(angle))
        return Point(
            x: size.width / 2 + cosine * x - sine * y, y: size.height / 2 + sine * x + cosine * y)
    }

    /// Whether a tile shows part of the frame; tiles of a rotated grid may lie beside it.
    package func showsFrame(_ index: Int) -> Bool {
        let center = center(index)
        let (x, y) = (max(-center.x, center.x - size.width, 0), max(-center.y, center.y - size.height, 0))
        return hypot(x, y) < side / 2
    }

    /// Returns the views in which a detector sees `places`, boxes in pixels of the frame; without places, all
    /// tiles.
    ///
    /// A place that is small relative to a tile has a view of its own, centred on it and of a tile's size.
    package func views(of places: [Rectangle]?) -> [RotatedSquare] {
        guard count > 0 else { return [] }
        guard let places else { return (0..<count).filter(showsFrame).map(view) }
        let isSmall = { (place: Rectangle) in max(place.width, place.height) <= side * Self.overlap }
        let large = places.filter { !isSmall($0) }
        let tiles = (0..<count).map(view).filter { tile in large.contains { tile.bounds.touches($0) } }
        return tiles
            + places.filter(isSmall).map { RotatedSquare(center: $0.center, side: side, angle: angle) }
    }

    /// Returns the tile `index` as a view for a detector.
    func view(_ index: Int) -> RotatedSquare {
        RotatedSquare(center: center(index), side: side, angle: angle)
    }

    private static func count(_ length: Double, _ side: Double) -> Int {
        guard length > side else { return 1 }
        return 1 + Int(((length - side) / (side * (1 - overlap))).rounded(.up))
    }

    /// Returns the centre of one of `count` tiles along a `length`; the first and the last touch the edges.
    private static func center(_ index: Int, of count: Int, _ length: Double, _ side: Double) -> Double {
        guard count > 1 else { return length / 2 }
        return side / 2 + (length - side) * Double(index) / Double(count - 1)
    }
}
