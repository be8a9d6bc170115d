import PeopleVision
import Testing

@Suite struct BodySearchScheduleTests {
    /// Returns the turns that are searched in `seconds` of 30 frames each.
    private func turns(seconds: Int, interval: Double?, isAnyoneThere: Bool) -> [Int] {
        var schedule = BodySearchSchedule()
        return (0..<30 * seconds).compactMap { _ in
            schedule.advance(by: 1.0 / 30)
            return schedule.due(interval: interval, isAnyoneThere: isAnyoneThere)
        }
    }

    @Test func searchesByTheStreamsTime() {
        #expect(turns(seconds: 10, interval: 0.5, isAnyoneThere: true).count == 20)
        #expect(turns(seconds: 10, interval: 0.1, isAnyoneThere: true).count == 100)
        #expect(turns(seconds: 10, interval: nil, isAnyoneThere: true).isEmpty)
    }

    @Test func everyTurnIsSearched() {
        let busy = turns(seconds: 20, interval: 0.5, isAnyoneThere: true)
        #expect(busy.filter { $0 == 0 }.count == 30 && Set(busy) == Set(0..<8))
        let empty = turns(seconds: 20, interval: 0.5, isAnyoneThere: false)
        #expect(empty.filter { $0 == 0 }.count == 20 && Set(empty) == Set(0..<8))
    }

    @Test func aLostPersonIsSearchedForAtOnce() {
        for searches in 0..<6 {
            var schedule = BodySearchSchedule()
            for _ in 0..<searches {
                schedule.advance(by: 1)
                _ = schedule.due(interval: 0.5, isAnyoneThere: false)
            }
            schedule.makeDue()
            let turns = (0..<2).map { _ in schedule.due(interval: 0.5, isAnyoneThere: false) }
            #expect(turns == [0, nil])
        }
    }
}
