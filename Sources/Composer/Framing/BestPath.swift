import Imaging

/// The motion of the output over frames that are all known, without a cut between them: parts at rest, of constant speed
/// and of constant acceleration.
///
/// The sum of speeds, accelerations and jerks is the least that keeps the head of the one who is followed in the output, and
/// the wanted shot near its middle (Grundmann, Kwatra and Essa, "Auto-Directed Video Stabilization with Robust L1 Optimal
/// Camera Paths", CVPR 2011). Others are shown unless motion costs more: who walks past does not drag the output along.
package enum BestPath {
    /// Half the size of the zone in which the wanted shot may be, in widths and heights of the output.
    private static let zone = (x: 0.16, y: 0.16)
    /// Change of the wanted height that the output need not follow.
    private static let zoom = 1.25

    /// Returns the shot of each frame.
    ///
    /// - Parameters:
    ///   - wanted: the wanted shot of each frame; nil where nobody is seen.
    ///   - rate: frames per second.
    package static func shots(for wanted: [WantedShot?], rate: Double, in space: ShotSpace) -> [Shot] {
        guard wanted.contains(where: { $0 != nil }) else { return wanted.map { _ in space.widest } }
        let heights = path(
            wanted.map { wanted in
                wanted.map {
                    let wish = Wish($0.shot.height, $0.shot.height / zoom, $0.shot.height * zoom)
                    return $0.first == $0.heads ? wish : wish.softened(to: (1e-3, space.largestHeight))
                }
            }, in: wanted.map { _ in (1e-3, space.largestHeight) }, rate: rate)
        let halves = heights.map { (x: $0 * space.outputAspect / 2, y: $0 / 2) }
        let xs = path(
            wanted, \.x, halves: halves.map(\.x), zone.x, end: space.frameAspect, rate: rate
        ) { $0.left...$0.right }
        let ys = path(wanted, \.y, halves: halves.map(\.y), zone.y, end: 1, rate: rate) { $0.top...$0.bottom }
        return wanted.indices.map { space.inside(Shot(x: xs[$0], y: ys[$0], height: heights[$0])) }
    }

    /// Returns one coordinate of the output's centre at each frame.
    ///
    /// - Parameters:
    ///   - halves: half the extent of the output at each frame.
    ///   - zone: half the extent of the zone in which the wanted shot may be, as a share of the output's.
    ///   - end: the extent of the frame.
    ///   - extent: the extent of a box.
    private static func path(
        _ wanted: [WantedShot?], _ coordinate: KeyPath<Shot, Double>, halves: [Double], _ zone: Double,
        end: Double, rate: Double, _ extent: (Box) -> ClosedRange<Double>
    ) -> [Double] {
        let wishes = zip(wanted, halves).map { wanted, half in
            wanted.map {
                let wish = Wish(
                    $0.shot[keyPath: coordinate], 2 * zone * half, containing: extent(Box($0.heads)), half)
                guard $0.first != $0.heads else { return wish }
                let first = extent(Box($0.first))
                return wish.softened(to: (first.upperBound - half, first.lowerBound + half))
            }
        }
        return path(wishes, in: halves.map { ($0, end - $0) }, rate: rate)
    }

    private static func path(_ wishes: [Wish?], in bounds: [(Double, Double)], rate: Double) -> [Double] {
        let wishes = zip(wishes, bounds).map { wish, bounds in wish?.limited(to: bounds) }
        return LeastMotion(bridged(wishes, bounds), rate: rate).path
    }

    /// Returns the wishes with free ones where there are none, on straight lines from one to the next.
    ///
    /// The search for the best path begins at these values. Begun elsewhere, it would not reach a place that a person
    /// shows for a frame or two only.
    private static func bridged(_ wishes: [Wish?], _ bounds: [(Double, Double)]) -> [Wish] {
        var (bridged, last): ([Wish], Int?) = ([], nil)
        bridged.reserveCapacity(wishes.count)
        for (index, wish) in wishes.enumerated() {
            guard let wish else { continue }
            let start = last.map { bridged[$0] } ?? wish
            let first = bridged.count
            for gap in first..<index {
                let share = Double(gap - first + 1) / Double(index - first + 1)
                bridged.append(Wish(free: start.value + share * (wish.value - start.value), in: bounds[gap]))
            }
            bridged.append(wish)
            last = index
        }
        for gap in bridged.count..<wishes.count {
            let (low, high) = bounds[gap]
            bridged.append(Wish(free: last.map { bridged[$0].value } ?? (low + high) / 2, in: bounds[gap]))
        }
        return bridged
    }
}

/// The wished value of one coordinate at one frame, and the values that are allowed.
struct Wish {
    var value, low, high: Double
    /// The better ones of the allowed values; nil if all are as good.
    var preferred: ClosedRange<Double>?
    /// The importance of the value itself; 0 for none.
    var weight = 1.0

    init(_ value: Double, _ low: Double, _ high: Double, weight: Double = 1) {
        (self.value, self.low, self.high, self.weight) = (value, low, high, weight)
    }

    /// Allows values within `reach` for which the output, `half` to both sides, contains a range if it can.
    init(_ value: Double, _ reach: Double, containing range: ClosedRange<Double>, _ half: Double) {
        let (low, high) = (range.upperBound - half, range.lowerBound + half)
        let center = Framing.limited(value, low, high)
        self.init(center, min(max(low, center - reach), center), max(min(high, center + reach), center))
    }

    /// Returns the wish with its allowed values only preferred, among those within other bounds.
    func softened(to bounds: (low: Double, high: Double)) -> Wish {
        var wish = self
        wish.preferred = low...max(low, high)
        (wish.low, wish.high) = (min(low, bounds.low), max(high, bounds.high))
        return wish
    }

    /// Allows all values within bounds, and prefers none.
    init(free value: Double, in bounds: (low: Double, high: Double)) {
        self.init(Framing.limited(value, bounds.low, bounds.high), bounds.low, bounds.high, weight: 0)
    }

    func limited(to bounds: (low: Double, high: Double)) -> Wish {
        let value = Framing.limited(value, bounds.low, bounds.high)
        var wish = self
        (wish.value, wish.low, wish.high) = (
            value, min(max(low, bounds.low), value), max(min(high, bounds.high), value)
        )
        return wish
    }
}

/// The path of one coordinate with the least sum of speeds, accelerations and jerks inside of bounds.
///
/// Solved by the alternating direction method of multipliers (Boyd et al. 2011): each round solves one system of linear
/// equations, whose matrix has three diagonals on either side and is factored once, and shrinks differences towards zero.
struct LeastMotion {
    /// Importance of the first to third differences between frames at 25 frames per second, in the paper's ratio of 10, 1 and
    /// 100; the first number is for the values themselves.
    private static let weights = [0, 0.1, 0.01, 1]
    /// Frames per second that the weights are for.
    private static let usualRate = 25.0
    /// Importance of the wished values, which is to decide only where motion does not matter.
    private static let attraction = 0.001
    /// Importance of preferred values, as a multiple: somebody beside the one who is followed for some seconds is shown.
    private static let preference = 8.0
    /// Number of rounds: with four times as many, paths across a frame change by less than a thousandth of its height.
    private static let rounds = 600
    /// Difference between frames that is no motion: a fiftieth of a pixel of 1080 rows.
    private static let invisible = 2e-5
    /// Factor of over-relaxation, within the 1.5 to 1.8 that Boyd and others advise.
    private static let relaxation = 1.6
    /// Penalties of the method for values and the first to third differences, which are smaller each.
    private static let penalties = [1.0, 10, 100, 1000]

    /// The value at each frame.
    let path: [Double]

    init(_ wishes: [Wish], rate: Double) {
        let count = wishes.count
        guard count > 3 else {
            path = wishes.map { _ in wishes.reduce(0) { $0 + $1.value } / Double(max(1, count)) }
            return
        }
        let penalties = Self.penalties
        let matrix = BandedMatrix(count: count, penalties)
        let pace = Self.pace(rate)
        let weights = zip(Self.weights, [1, 1, pace, pace * pace]).map(*)
        var values = wishes.map(\.value)
        var targets = (0...3).map { Self.differences(values, $0) }
        var duals = targets.map { $0.map { _ in 0.0 } }
        for _ in 0..<Self.rounds {
            var right = [Double](repeating: 0, count: count)
            for order in 0...3 {
                Self.addTransposed(
                    zip(targets[order], duals[order]).map { ($0 - $1) * penalties[order] }, order, to: &right)
            }
            values = matrix.solve(right)
            for order in 0...3 {
                let now = Self.differences(values, order)
                for index in now.indices {
                    // Half as far again as the solution goes: fewer rounds are needed.
                    let relaxed = Self.relaxation * now[index] + (1 - Self.relaxation) * targets[order][index]
                    let wanted = relaxed + duals[order][index]
                    let target =
                        if order == 0 {
                            Self.attracted(wanted, to: wishes[index], by: Self.attraction / penalties[0])
                        } else {
                            Self.shrunk(wanted, by: weights[order] / penalties[order])
                        }
                    targets[order][index] = target
                    duals[order][index] += relaxed - target
                }
            }
        }
        path = zip(Self.resting(values, speeds: targets[1]), wishes).map { min(max($0, $1.low), $1.high) }
    }

    /// Returns the values with their parts at rest as such: what the last round has left of motion there is spread over the
    /// parts between.
    private static func resting(_ values: [Double], speeds: [Double]) -> [Double] {
        let rests = rests(values, speeds)
        var path = values
        var last: (end: Int, correction: Double)?
        for rest in rests {
            let mean = values[rest].reduce(0, +) / Double(rest.count)
            let correction = mean - values[rest.lowerBound]
            let start = last ?? (-1, correction)
            let way = Double(rest.lowerBound - start.end)
            for index in (start.end + 1)..<rest.lowerBound {
                path[index] +=
                    start.correction + (correction - start.correction) * Double(index - start.end) / way
            }
            for index in rest { path[index] = mean }
            last = (rest.upperBound - 1, mean - values[rest.upperBound - 1])
        }
        guard let last else { return path }
        for index in (last.end + 1)..<path.count { path[index] += last.correction }
        return path
    }

    /// Returns the ranges of values that are equal but for what cannot be seen.
    private static func rests(_ values: [Double], _ speeds: [Double]) -> [Range<Int>] {
        var (rests, start): ([Range<Int>], Int?) = ([], nil)
        for index in speeds.indices {
            if speeds[index] == 0 || abs(values[index + 1] - values[index]) < invisible {
                start = start ?? index
            } else if let first = start {
                rests.append(first..<(index + 1))
                start = nil
            }
        }
        if let first = start { rests.append(first..<values.count) }
        return rests
    }

    /// Returns the factor by which a difference between two frames of the usual rate is larger.
    private static func pace(_ rate: Double) -> Double {
        rate.isFinite && rate > 0 ? min(max(rate / usualRate, 0.2), 10) : 1
    }

    private static func shrunk(_ value: Double, by amount: Double) -> Double {
        value > amount ? value - amount : value < -amount ? value + amount : 0
    }

    private static func attracted(_ value: Double, to wish: Wish, by amount: Double) -> Double {
        var moved = wish.value + shrunk(value - wish.value, by: amount * wish.weight)
        if let preferred = wish.preferred {
            let nearest = min(max(moved, preferred.lowerBound), preferred.upperBound)
            moved = nearest + shrunk(moved - nearest, by: amount * preference)
        }
        return min(max(moved, wish.low), wish.high)
    }

    /// Returns the differences of an order, 0 to 3, between neighbours.
    static func differences(_ values: [Double], _ order: Int) -> [Double] {
        var values = values
        for _ in 0..<order { values = zip(values.dropFirst(), values).map { $0 - $1 } }
        return values
    }

    /// Adds the product of the transposed matrix of differences and `values`.
    private static func addTransposed(_ values: [Double], _ order: Int, to sums: inout [Double]) {
        let factors = [[1], [-1, 1], [1, -2, 1], [-1, 3, -3, 1]][order]
        for (index, value) in values.enumerated() {
            for (offset, factor) in factors.enumerated() { sums[index + offset] += Double(factor) * value }
        }
    }
}

/// A positive definite matrix with three diagonals on either side, factored into L D L^T.
struct BandedMatrix {
    /// The diagonals of L below the main one, nearest first, and D.
    private var lower: [[Double]]
    private var diagonal: [Double]

    /// Makes the sum of the squared matrices of differences of order 0 to 3, each times its factor.
    init(count: Int, _ factors: [Double]) {
        var bands = [[Double]](repeating: [Double](repeating: 0, count: count), count: 4)
        for (order, weights) in [[1.0], [-1, 1], [1, -2, 1], [-1, 3, -3, 1]].enumerated() {
            for start in 0..<max(0, count - order) {
                for row in 0...order {
                    for column in 0...row {
                        bands[row - column][start + row] += factors[order] * weights[row] * weights[column]
                    }
                }
            }
        }
        (diagonal, lower) = (bands[0], [])
        var factor = [[Double]](repeating: [Double](repeating: 0, count: count), count: 3)
        for row in 0..<count {
            for distance in stride(from: min(3, row), to: 0, by: -1) {
                let column = row - distance
                var value = bands[distance][row]
                for earlier in (max(0, row - 3)..<column) where column - earlier <= 3 {
                    value -=
                        factor[row - earlier - 1][row] * factor[column - earlier - 1][column]
                        * diagonal[earlier]
                }
                factor[distance - 1][row] = value / diagonal[column]
            }
            for earlier in max(0, row - 3)..<row {
                let value = factor[row - earlier - 1][row]
                diagonal[row] -= value * value * diagonal[earlier]
            }
        }
        lower = factor
    }

    /// Returns the solution for a right-hand side.
    func solve(_ right: [Double]) -> [Double] {
        var values = right
        for row in values.indices {
            for distance in 1...3 where row >= distance {
                values[row] -= lower[distance - 1][row] * values[row - distance]
            }
        }
        for row in values.indices { values[row] /= diagonal[row] }
        for row in values.indices.reversed() {
            for distance in 1...3 where row + distance < values.count {
                values[row] -= lower[distance - 1][row + distance] * values[row + distance]
            }
        }
        return values
    }
}
