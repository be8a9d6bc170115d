/// Finds the motion of an image since the one before, along the edges of a mask.
///
/// The method is block matching by full search: each point of a grid moves like the 8x8 pixels around it, to
/// the place with the least sum of absolute differences. A parabola through the neighbouring sums gives
/// fractions of a pixel.
package final class BlockMatcher {
    /// The range and precision of the motion search.
    package enum Precision: Sendable {
        /// Up to 3 pixels, 1 % of an image of 256 pixels, for streams whose faster motion need not be
        /// followed.
        case near
        /// Up to 18 pixels: first at half the size, then 2 pixels around the results for the point and its
        /// neighbours.
        ///
        /// If edges move by more than a pixel on average, they are matched again by large blocks, whose
        /// pixels are weighted by the mask's coverage: edges move with the covered thing. Points that are not
        /// near edges count as lost where the image changes.
        case far
    }

    /// Distance between points of the grid in pixels: half a block, so that blocks overlap.
    private static let spacing = BlockSearch.side / 2
    /// Reach of the search in pixels: in an image alone, and around the result at half the size, where it reaches as far
    /// as it can.
    private static let (reach, refinement) = (3, 2)
    /// Maximum sum of differences of a block, 16 of 255 per pixel; with more, the block shows something else
    /// than before.
    private static let largestDifference: Float = 16 * 64
    /// Maximum difference of mask values without an edge between them.
    private static let softness: Float = 0.04

    /// The motion from the image before to the last one.
    package let motion = MotionField()
    /// The share of the points along the last mask's edges that were lost on the way to the last image;
    /// 1 where images cannot be compared.
    package private(set) var lostShare = 1.0

    /// Minimum mean distance, in pixels, of edges that move fast.
    ///
    /// Below it, blocks with equal weights are more exact: with weights by the mask, the error of the
    /// green-screen clip grows by 2 %, its flicker by 8 %.
    private static let fastDistance = 1.0

    private let precision: Precision
    private var search = BlockSearch(isLarge: true)
    private var halvedSearch = BlockSearch()
    private let halved = FloatImage()
    /// The motion at half the size, in its pixels; `unknown` where nothing was searched for.
    private let (halvedAcross, halvedDown) = (FloatImage(), FloatImage())
    private static let unknown = Float.infinity
    private let edges = FloatImage()
    /// The motion before the medians are taken.
    private let (foundAcross, foundDown) = (FloatImage(), FloatImage())
    private let morphology = MorphologyFilter()

    /// Creates a matcher that has seen no image.
    package init(_ precision: Precision = .near) { self.precision = precision }

    /// Takes the next image, and finds the motion to it along the edges of a mask.
    ///
    /// - Parameters:
    ///   - mask: a mask of the image before; nil if there is none that could move.
    ///   - brightness: brightness of the next image, 0...1.
    package func follow(_ mask: FloatImage?, to brightness: FloatImage) {
        advance(to: brightness)
        lostShare = mask.map { match(alongEdgesOf: $0) } ?? 1
    }

    /// Takes the next image.
    ///
    /// - Parameter brightness: brightness of the next image, 0...1.
    package func advance(to brightness: FloatImage) {
        search.advance(to: brightness)
        let (columns, rows) = (brightness.width / Self.spacing, brightness.height / Self.spacing)
        edges.resize(width: columns, height: rows)
        motion.rest(columns: columns, rows: rows, width: brightness.width, height: brightness.height)
        guard precision == .far else { return }
        halved.copy(halfOf: brightness)
        halvedSearch.advance(to: halved)
    }

    /// Finds the motion of all points near edges of `mask`, which belongs to the image before; all other
    /// points stay.
    ///
    /// - Parameter other: a mask whose edges count as well.
    /// - Returns: the share of these points that moved too far or look different; 1 where images cannot be
    ///   compared.
    @discardableResult
    package func match(alongEdgesOf mask: FloatImage, and other: FloatImage? = nil) -> Double {
        guard search.isReady, mask.count > 0 else { return 1 }
        edges.fill(0)
        markEdges(of: mask)
        if let other { markEdges(of: other) }
        // The blocks of these points, or the compared blocks, may reach an edge.
        morphology.dilate(edges, radius: 2)
        let lost = matchEdges()
        guard precision == .far, isFast else { return lost }
        search.weigh(by: mask)
        halvedSearch.weigh(by: mask)
        return matchEdges()
    }

    /// Finds the motion of all points near edges, and returns the share of lost points.
    private func matchEdges() -> Double {
        motion.rest(like: motion)
        if precision == .far { matchHalved() }
        var (near, lost) = (0, 0)
        for y in 0..<edges.height {
            for x in 0..<edges.width {
                let isNear = edges.row(y)[x] > 0
                let isFound = isNear ? match(x, y) : stays(x, y)
                if !isFound { motion.lost.row(y)[x] = 1 }
                guard isNear else { continue }
                near += 1
                if !isFound { lost += 1 }
            }
        }
        if precision == .far { takeMedians() }
        return near == 0 ? 0 : Double(lost) / Double(near)
    }

    /// Returns the mean of values of the grid at the points near edges of the last mask; 0 without any.
    package func meanAlongEdges(_ values: FloatImage) -> Double {
        guard values.count == edges.count else { return 1 }
        var (near, sum) = (0, Float(0))
        for i in 0..<edges.count where edges.base[i] > 0 {
            near += 1
            sum += values.base[i]
        }
        return near == 0 ? 0 : Double(sum) / Double(near)
    }

    /// Returns the share of the points near edges of the last mask for which `isIncluded` is true; 0 without
    /// any.
    ///
    /// - Parameter isIncluded: receives the index of the point in the grid.
    package func shareAlongEdges(where isIncluded: (Int) -> Bool) -> Double {
        var (near, included) = (0, 0)
        for i in 0..<edges.count where edges.base[i] > 0 {
            near += 1
            if isIncluded(i) { included += 1 }
        }
        return near == 0 ? 0 : Double(included) / Double(near)
    }

    /// Whether edges of the last mask have moved by more than a pixel, on average.
    package var isFast: Bool { meanDistance > Self.fastDistance }

    /// The mean distance that the points near edges of the last mask have moved, in pixels; lost points do
    /// not count.
    package var meanDistance: Double {
        var (near, sum) = (0, Float(0))
        let (across, down, lost) = (motion.across.base, motion.down.base, motion.lost.base)
        for i in 0..<edges.count where edges.base[i] > 0 && lost[i] == 0 {
            near += 1
            sum += (across[i] * across[i] + down[i] * down[i]).squareRoot()
        }
        return near == 0 ? 0 : Double(sum) / Double(near)
    }

    private func markEdges(of mask: FloatImage) {
        for y in 0..<edges.height {
            let rows = Self.part(y, of: edges.height, in: mask.height)
            let marks = edges.row(y)
            for x in 0..<edges.width where marks[x] == 0 {
                let columns = Self.part(x, of: edges.width, in: mask.width)
                marks[x] = mask.difference(rows, columns) > Self.softness ? 1 : 0
            }
        }
    }

    /// Returns a cell's part of a longer side, and one value of the next cell.
    private static func part(_ cell: Int, of cells: Int, in count: Int) -> Range<Int> {
        let (first, end) = (cell * count / cells, (cell + 1) * count / cells)
        return first..<max(first, min(end + 1, count))
    }

    /// Returns the upper left pixel of the block around a point of the grid.
    private static func corner(_ cell: Int) -> Int { cell * spacing + (spacing - BlockSearch.side) / 2 }

    /// Whether a point that is not near edges looks as before.
    private func stays(_ column: Int, _ row: Int) -> Bool {
        precision == .near
            || search.difference(Self.corner(column), Self.corner(row)) <= Self.largestDifference
    }

    /// Finds the motion of one point; returns false when the point is lost.
    private func match(_ column: Int, _ row: Int) -> Bool {
        let (x, y) = (Self.corner(column), Self.corner(row))
        let found =
            switch precision {
            case .near: search.find(x, y, reach: Self.reach)
            case .far: search.find(x, y, around: start(column, row), reach: Self.refinement)
            }
        motion.across.row(row)[column] = found.across
        motion.down.row(row)[column] = found.down
        return !(precision == .near && found.isAtBorder) && found.difference <= Self.largestDifference
    }
}

// MARK: - Medians

extension BlockMatcher {
    /// Replaces the motion of each point by the vector median of its own and its neighbours' motion.
    ///
    /// Blocks without texture match by chance anywhere, and such errors would add up along a path.
    private func takeMedians() {
        foundAcross.copy(motion.across)
        foundDown.copy(motion.down)
        for y in 0..<edges.height {
            for x in 0..<edges.width where edges.row(y)[x] > 0 {
                let vector = medianVector(x, y)
                motion.across.row(y)[x] = vector.x
                motion.down.row(y)[x] = vector.y
            }
        }
    }

    /// Returns the vector nearest to all others, among the vectors of a point and its neighbours near edges.
    private func medianVector(_ column: Int, _ row: Int) -> SIMD2<Float> {
        var (acrosses, downs, count) = (SIMD16<Float>.zero, SIMD16<Float>.zero, 0)
        for y in max(0, row - 1)...min(row + 1, edges.height - 1) {
            for x in max(0, column - 1)...min(column + 1, edges.width - 1) where edges.row(y)[x] > 0 {
                (acrosses[count], downs[count]) = (foundAcross.row(y)[x], foundDown.row(y)[x])
                count += 1
            }
        }
        var (best, least) = (0, Float.infinity)
        for i in 0..<count {
            var sum: Float = 0
            for k in 0..<count { sum += abs(acrosses[i] - acrosses[k]) + abs(downs[i] - downs[k]) }
            if sum < least { (best, least) = (i, sum) }
        }
        return SIMD2(acrosses[best], downs[best])
    }
}

// MARK: - Half the size

extension BlockMatcher {
    /// Finds the motion of the points near edges at half the size.
    private func matchHalved() {
        let (columns, rows) = (halved.width / Self.spacing, halved.height / Self.spacing)
        for plane in [halvedAcross, halvedDown] {
            plane.resize(width: columns, height: rows)
            plane.fill(Self.unknown)
        }
        for y in 0..<edges.height {
            for x in 0..<edges.width where edges.row(y)[x] > 0 {
                let (column, row) = (min(x / 2, columns - 1), min(y / 2, rows - 1))
                guard column >= 0, row >= 0, halvedAcross.row(row)[column] == Self.unknown else { continue }
                let found = halvedSearch.find(
                    Self.corner(column), Self.corner(row), reach: BlockSearch.maximumReach)
                halvedAcross.row(row)[column] = found.across
                halvedDown.row(row)[column] = found.down
            }
        }
    }

    /// Returns the start of the search for a point: the candidate that looks most like the point.
    ///
    /// Candidates are the results at half the size of the point and its neighbours, and no motion. Distant
    /// candidates must look more like the point than near ones.
    private func start(_ column: Int, _ row: Int) -> SIMD2<Int> {
        let (x, y) = (Self.corner(column), Self.corner(row))
        var (best, least) = (SIMD2<Int>.zero, search.difference(x, y))
        let (middleX, middleY) = (column / 2, row / 2)
        for v in max(0, middleY - 1)...max(0, min(middleY + 1, halvedAcross.height - 1)) {
            for u in max(0, middleX - 1)...max(0, min(middleX + 1, halvedAcross.width - 1)) {
                let (across, down) = (halvedAcross.row(v)[u], halvedDown.row(v)[u])
                guard across != Self.unknown else { continue }
                let start = SIMD2(Int((2 * across).rounded()), Int((2 * down).rounded()))
                guard start != best else { continue }
                let difference = search.difference(x, y, at: start) + BlockSearch.penalty(of: start)
                if difference < least { (best, least) = (start, difference) }
            }
        }
        return best
    }
}

extension FloatImage {
    /// Returns the largest difference between two values of a part.
    fileprivate func difference(_ rows: Range<Int>, _ columns: Range<Int>) -> Float {
        var (low, high) = (Float.infinity, -Float.infinity)
        for y in rows {
            let row = row(y)
            for x in columns { (low, high) = (min(low, row[x]), max(high, row[x])) }
        }
        return high - low
    }
}
