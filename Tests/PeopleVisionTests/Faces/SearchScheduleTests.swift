import PeopleVision
import Testing

/// When streams of several rates are searched, and where.
struct SearchScheduleTests {
    /// Pictures a second of cameras and films.
    private static let rates = [10.0, 15, 24, 25, 30, 60]
    private static let tiles = 6

    /// The views of each picture.
    private func views(
        _ schedule: SearchSchedule, rate: Double, tiles: Int = tiles, pictures: Int
    ) -> [[SearchSchedule.View]] {
        var schedule = schedule
        return (0..<pictures).map { _ in
            schedule.advance(by: 1 / rate, tileCount: tiles)
            var views: [SearchSchedule.View] = []
            // Three would be one too many.
            while let view = schedule.due, views.count < 3 {
                views.append(view)
                schedule.finish()
            }
            return views
        }
    }

    @Test(arguments: rates)
    func aLargeFaceWaitsForTheIntervalAtMost(rate: Double) {
        let searched = views(SearchSchedule(interval: 0.1), rate: rate, pictures: Int(5 * rate)).enumerated()
            .filter { $0.element.contains(.upright) }.map(\.offset)
        let longest = zip(searched, searched.dropFirst()).map { $1 - $0 }.max() ?? .max
        // What comes right after a search waits for one picture less than there are to the next.
        #expect(Double(longest - 1) / rate <= 0.1 + 1e-9, "\(searched)")
    }

    @Test(arguments: rates.dropFirst(2))
    func everyTileIsSearchedWithinASecond(rate: Double) {
        let all = views(SearchSchedule(), rate: rate, pictures: Int(5 * rate))
        for tile in 0..<Self.tiles {
            let searched = [0] + all.indices.filter { all[$0].contains(.tile(tile)) }
            let longest = zip(searched, searched.dropFirst()).map { $1 - $0 }.max() ?? .max
            #expect(Double(longest - 1) / rate <= 1 + 1e-9, "tile \(tile): \(searched)")
        }
    }

    @Test(arguments: rates + [1, 0.2, 500])
    func noPictureBearsMoreThanTwoViews(rate: Double) {
        let all = views(SearchSchedule(), rate: rate, pictures: 300)
        #expect(all.allSatisfy { $0.count <= 2 })
        #expect(all.allSatisfy { Set($0.map { $0 == .upright }).count == $0.count })
    }

    @Test func allTurnsComeRound() {
        let all = Set(views(SearchSchedule(), rate: 30, pictures: 30 * 8).flatMap { $0 }.map { "\($0)" })
        for view in [
            SearchSchedule.View.upright, .turned(1), .turned(2), .turned(3), .farTurned(1), .farTurned(2),
            .farTurned(3),
        ] { #expect(all.contains("\(view)"), "\(view)") }
    }

    @Test func aPictureWithoutTilesIsSearchedAtOnce() {
        let all = views(SearchSchedule(), rate: 30, tiles: 0, pictures: 60).flatMap { $0 }
        #expect(all.contains(.far))
    }

    @Test func nothingIsSearchedWithoutAnInterval() {
        #expect(views(SearchSchedule(interval: nil), rate: 30, pictures: 100).allSatisfy { $0.isEmpty })
    }

    @Test func timeThatStandsStillOrRunsBackSearchesNothing() {
        var schedule = SearchSchedule()
        for seconds in [0, -1, Double.nan] {
            schedule.advance(by: seconds, tileCount: Self.tiles)
            #expect(schedule.due == nil)
        }
    }
}
