import PeopleVision
import Testing

/// Tests of the times and views of the search in streams of several rates.
struct SearchScheduleTests {
    /// Frame rates of cameras and videos.
    private static let rates = [10.0, 15, 24, 25, 30, 60]
    private static let tiles = 6

    /// Returns the views that are searched in each image.
    private func views(
        _ schedule: SearchSchedule, rate: Double, tiles: Int = tiles, frames: Int
    ) -> [[SearchSchedule.View]] {
        var schedule = schedule
        return (0..<frames).map { _ in
            schedule.advance(by: 1 / rate, tileCount: tiles)
            var views: [SearchSchedule.View] = []
            // Three views would be one too many.
            while let view = schedule.due, views.count < 3 {
                views.append(view)
                schedule.finish()
            }
            return views
        }
    }

    @Test(arguments: rates)
    func aLargeFaceWaitsForTheIntervalAtMost(rate: Double) {
        let searched = views(SearchSchedule(interval: 0.1), rate: rate, frames: Int(5 * rate)).enumerated()
            .filter { $0.element.contains(.upright) }.map(\.offset)
        let longest = zip(searched, searched.dropFirst()).map { $1 - $0 }.max() ?? .max
        // A face that appears right after a search waits one image less than the gap between searches.
        #expect(Double(longest - 1) / rate <= 0.1 + 1e-9, "\(searched)")
    }

    @Test(arguments: rates.dropFirst(2))
    func everyTileIsSearchedWithinASecond(rate: Double) {
        let all = views(SearchSchedule(), rate: rate, frames: Int(5 * rate))
        for tile in 0..<Self.tiles {
            let searched = [0] + all.indices.filter { all[$0].contains(.tile(tile)) }
            let longest = zip(searched, searched.dropFirst()).map { $1 - $0 }.max() ?? .max
            #expect(Double(longest - 1) / rate <= 1 + 1e-9, "tile \(tile): \(searched)")
        }
    }

    @Test(arguments: rates + [1, 0.2, 500])
    func noFrameSearchesMoreThanTwoViews(rate: Double) {
        let all = views(SearchSchedule(), rate: rate, frames: 300)
        #expect(all.allSatisfy { $0.count <= 2 })
        #expect(all.allSatisfy { Set($0.map { $0 == .upright }).count == $0.count })
    }

    @Test func everyTurnIsSearched() {
        let all = Set(views(SearchSchedule(), rate: 30, frames: 30 * 8).flatMap { $0 }.map { "\($0)" })
        let turns: [SearchSchedule.View] = [
            .upright, .rotated(1), .rotated(2), .rotated(3), .farRotated(1), .farRotated(2), .farRotated(3),
        ]
        #expect(all.isSuperset(of: turns.map { "\($0)" }))
    }

    @Test func anImageWithoutTilesIsSearchedAtOnce() {
        let all = views(SearchSchedule(), rate: 30, tiles: 0, frames: 60).flatMap { $0 }
        #expect(all.contains(.far))
    }

    @Test func nothingIsSearchedWithoutAnInterval() {
        #expect(views(SearchSchedule(interval: nil), rate: 30, frames: 100).allSatisfy { $0.isEmpty })
    }

    @Test func timeThatStandsStillOrRunsBackSearchesNothing() {
        var schedule = SearchSchedule()
        for seconds in [0, -1, Double.nan] {
            schedule.advance(by: seconds, tileCount: Self.tiles)
            #expect(schedule.due == nil)
        }
    }
}
