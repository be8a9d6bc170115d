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
