/// When a stream is searched for people, and at which turn of the frame.
///
/// It follows the stream's own time, so that a recording gives the same people on every machine.
package struct BodySearchSchedule {
    /// Seconds since the last search.
    private var waited = 0.0
    private var searches = 0

    package init() {}

    /// Starts anew, as right after a search of all turns.
    package mutating func reset() { self = BodySearchSchedule() }

    /// Goes on by `seconds`.
    package mutating func advance(by seconds: Double) {
        if seconds > 0 { waited += seconds }
    }

    /// Makes a search of the upright frame due at once: a person was lost.
    package mutating func makeDue() {
        waited = .infinity
        if searches.isMultiple(of: 2) { return }
        searches &+= 1
    }

    /// The turn to search now, a number in `BodySearch.turns`; nil when no search is due.
    ///
    /// Most cameras and people are upright: another turn is searched in every second search while no person is followed,
    /// and in every fourth otherwise.
    ///
    /// - Parameter interval: seconds from search to search; nil for none.
    package mutating func due(interval: Double?, isAnyoneThere: Bool) -> Int? {
        // Rounding is not to put a search off by a picture.
        guard let interval, waited >= interval * (1 - 1e-6) else { return nil }
        waited = 0
        searches &+= 1
        let round = isAnyoneThere ? 4 : 2
        return searches.isMultiple(of: round) ? 1 + (searches / round) % (BodySearch.turns.count - 1) : 0
    }
}
