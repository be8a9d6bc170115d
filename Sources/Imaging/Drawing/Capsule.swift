/// All points within a radius of a segment: a line with round ends, or a disc where both ends are one.
///
/// Positions are continuous pixel positions: pixel (x, y) covers [x, x + 1) by [y, y + 1).
struct Capsule {
    private let start: Point
    private let along: Point
    private let squaredLength: Double
    /// Half a pixel beyond the edge; coverage is 0 from here on.
    private let reach: Double

    /// Farther ends are not drawn: positions must stay exact and fit integers.
    private static let farthest = 1e6
    /// A thinner line would miss pixels' centres.
    private static let thinnest = 0.5

    /// - Returns: nil where a number is not finite or too large.
    init?(from start: Point, to end: Point, radius: Double) {
        let numbers = SIMD4(start.x, start.y, end.x, end.y)
        guard radius.isFinite, radius <= Self.farthest,
            (0..<4).allSatisfy({ abs(numbers[$0]) <= Self.farthest })
        else { return nil }
        self.start = start
        along = Point(x: end.x - start.x, y: end.y - start.y)
        squaredLength = along.x * along.x + along.y * along.y
        reach = max(radius, Self.thinnest) + 0.5
    }

    /// The share of pixel (x, y) that is covered, 0...1, by the distance of its centre from the edge.
    func coverage(_ x: Int, _ y: Int) -> Double {
        let (dx, dy) = (Double(x) + 0.5 - start.x, Double(y) + 0.5 - start.y)
        let projection = (dx * along.x + dy * along.y) / max(squaredLength, .leastNormalMagnitude)
        let nearest = min(max(projection, 0), 1)
        let (ex, ey) = (dx - nearest * along.x, dy - nearest * along.y)
        return min(max(reach - (ex * ex + ey * ey).squareRoot(), 0), 1)
    }

    /// The rows with covered pixels, within 0..<`height`.
    func rows(height: Int) -> Range<Int> {
        let (low, high) = (min(start.y, start.y + along.y), max(start.y, start.y + along.y))
        return Self.pixels(low - reach, high + reach, count: height)
    }

    /// Columns, within 0..<`width`, outside of which no pixel of the rows `rows` is covered.
    func columns(rows: Range<Int>, width: Int) -> Range<Int> {
        let (top, bottom) = (Double(rows.lowerBound) - reach, Double(rows.upperBound) + reach)
        var (first, last) = (0.0, 1.0)
        if abs(along.y) > 1e-9 {
            let (a, b) = ((top - start.y) / along.y, (bottom - start.y) / along.y)
            (first, last) = (max(first, min(a, b)), min(last, max(a, b)))
            guard first <= last else { return 0..<0 }
        }
        let (a, b) = (start.x + first * along.x, start.x + last * along.x)
        return Self.pixels(min(a, b) - reach, max(a, b) + reach, count: width)
    }

    private static func pixels(_ low: Double, _ high: Double, count: Int) -> Range<Int> {
        let first = Int(min(max(low.rounded(.down), 0), Double(count)))
        return first..<max(first, Int(min(max(high.rounded(.up), 0), Double(count))))
    }
}
