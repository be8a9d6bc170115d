/// What a picture of a stream may cost, in milliseconds of one core of the processor that docs/benchmarks.md names.
///
/// It adds up a table of costs instead of looking at a clock: what is found must not depend on how busy the machine
/// is.
package struct FrameBudget {
    /// A piece of work, with what it costs, sampling included (`people-bench`).
    package enum Work: Double {
        /// The lite landmark model.
        case liteLandmarks = 1.7
        /// The full landmark model.
        case landmarks = 5.4
        /// The detector of near faces.
        case near = 1.9
        /// The detector of far faces.
        case far = 4.2
    }

    /// For all work on a picture: a third of its time at 30 pictures a second.
    private static let whole = 11.6
    /// What is left for the search at least, however many faces are followed: enough for any one piece of work.
    private static let least = 5.5

    /// Milliseconds that are left.
    package private(set) var left: Double

    /// A budget from which the cost of following `count` faces has been taken.
    package init(following count: Int, _ work: Work) {
        left = max(Self.whole - Double(count) * work.rawValue, Self.least)
    }

    /// Spends what `work` costs; returns false, and spends nothing, where less than that is left.
    package mutating func spend(_ work: Work) -> Bool {
        guard left >= work.rawValue else { return false }
        left -= work.rawValue
        return true
    }
}
