import Imaging
import PeopleVision
import Testing

struct LostTracksTests {
    private let here = Rectangle(x: 0, y: 0, width: 10, height: 10)
    private let there = Rectangle(x: 50, y: 0, width: 10, height: 10)

    @Test func aTrackFoundAgainInItsPlaceKeepsItsId() {
        var lost = LostTracks()
        #expect(lost.id { $0 == here } == 1)
        #expect(lost.id { $0 == there } == 2)
        lost.add(id: 1, box: here)
        lost.add(id: 2, box: there)
        lost.age(by: 0.9)
        #expect(lost.id { $0 == there } == 2)
        // A lost track is found only once.
        #expect(lost.id { $0 == there } == 3)
        lost.age(by: 0.2)
        #expect(lost.id { $0 == here } == 4)
    }

    @Test func idsGoOnAfterAResetOnly() {
        var lost = LostTracks()
        lost.add(id: lost.id { _ in false }, box: here)
        lost.reset()
        #expect(lost.id { _ in true } == 2)
        lost.restart()
        #expect(lost.id { _ in true } == 1)
    }

    @Test func lostTracksTakeTurns() {
        var lost = LostTracks()
        #expect(lost.takeTurn()?.id == nil)
        for id in 0..<3 { lost.add(id: id, box: here) }
        #expect((0..<4).map { _ in lost.takeTurn()?.id } == [0, 1, 2, 0])
    }
}
