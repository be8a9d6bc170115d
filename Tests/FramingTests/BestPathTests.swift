import Foundation
import Framing
import Imaging
import Testing

struct BestPathTests {
    @Test func restsWhilePeopleHardlyMove() {
        let swaying = Simulation(seconds: 15) { (0.9 + 0.04 * sin(2 * $0), 0.4, 0.06) }
        #expect(Motion(swaying.best()).shareAtRest >= 0.98)
        #expect(swaying.shareInside(swaying.best()) == 1)
    }

    @Test(arguments: [9.0 / 16, 1, 16.0 / 9])
    func pansSteadilyWithWhoWalks(_ output: Double) {
        let walk = Simulation(seconds: 12, output: output, .upperBody) {
            (0.3 + min(1.2, max(0, $0 - 3) * 0.3), 0.4, 0.05)
        }
        let (shots, motion) = (walk.best(), Motion(walk.best()))
        #expect(walk.shareInside(shots) == 1)
        #expect(motion.speed < 0.36)
        #expect(motion.acceleration < 0.5 * Motion(walk.live()).acceleration)
        // The pan has one speed for most of its time.
        let pan = shots[110...190].map(\.x)
        let speeds = zip(pan.dropFirst(), pan).map { ($0 - $1) * Simulation.rate }
        #expect((speeds.max() ?? 1) - (speeds.min() ?? 0) < 0.06, "\(speeds)")
    }

    /// As no path in one pass can, the best path begins to move before a person does.
    @Test func looksAhead() {
        let jump = Simulation(seconds: 8, .face) { ($0 < 4 ? 0.6 : 1.0, 0.4, 0.05) }
        #expect(jump.shareInside(jump.best()) == 1)
    }

    @Test func passesGapsEvenly() {
        let gap = Simulation(seconds: 9) { $0 > 3 && $0 < 6 ? nil : ($0 < 4 ? 0.6 : 1.2, 0.4, 0.05) }
        let shots = gap.best()
        #expect(gap.shareInside(shots) == 1)
        #expect(Motion(shots).speed < 0.5)
    }

    /// Someone who leaves and comes back is found in some frames on the way only, at last where the frame ends.
    @Test func reachesWhoIsSeenForAMomentWithoutAJump() {
        let space = ShotSpace(frameAspect: 16.0 / 9, outputAspect: 9.0 / 16)
        let glimpses: [(frames: Range<Int>, x: Double)] = [
            (0..<52, 0.89), (55..<57, 1.14), (65..<67, 1.64), (133..<135, 1.73), (145..<147, 1.13),
            (152..<200, 0.89),
        ]
        var wanted = [WantedShot?](repeating: nil, count: 200)
        for (frames, x) in glimpses {
            let heads = Rectangle(x: x - 0.085, y: 0.3, width: 0.17, height: 0.2)
            for frame in frames {
                wanted[frame] = WantedShot(shot: space.inside(Shot(x: x, y: 0.5, height: 1)), heads: heads)
            }
        }
        let shots = BestPath.shots(for: wanted, rate: 25, in: space)
        let motion = Motion(shots)
        // Begun elsewhere, the search ended with 52.
        #expect(motion.acceleration < 6, "\(motion)")
        #expect(
            wanted.indices.allSatisfy { index in
                wanted[index].map { abs(shots[index].x - $0.heads.center.x) < 0.3 } ?? true
            })
    }

    @Test func showsEverythingWithoutPeople() {
        let nobody = Simulation(seconds: 1) { _ in nil }
        #expect(nobody.best() == nobody.people.map { _ in nobody.space.widest })
        #expect(BestPath.shots(for: [], rate: 25, in: nobody.space).isEmpty)
    }

    @Test(arguments: 1...6)
    func takesClipsOfFewFrames(_ count: Int) {
        let short = Simulation(seconds: Double(count) / Simulation.rate) { _ in (0.9, 0.4, 0.05) }
        #expect(short.best().count == short.people.count)
        #expect(short.shareInside(short.best()) == 1)
    }

    /// The wanted shots of two people in an upright output.
    private func shots(_ count: Int, _ people: (Double) -> [(x: Double, radius: Double)]) -> [Shot] {
        let space = ShotSpace(frameAspect: 16.0 / 9, outputAspect: 9.0 / 16)
        var settings = ShotSettings()
        (settings.framing, settings.largestZoom) = (.everyone, 1)
        let wanted = (0..<count).map { frame in
            WantedShot(
                of: people(Double(frame) / 25).map {
                    FramedPerson(id: nil, head: Point(x: $0.x, y: 0.35), radius: $0.radius)
                }, settings, in: space)
        }
        return BestPath.shots(for: wanted, rate: 25, in: space)
    }

    @Test func whoWalksPastDragsNothingAlong() {
        let shots = shots(200) { [(0.89, 0.085), (0.14 + 0.18 * $0, 0.05)] }
        let motion = Motion(shots)
        #expect(motion.speed < 0.5 && motion.acceleration < 2 && motion.jerk < 40)
        for shot in shots { #expect(abs(shot.x - 0.89) <= 0.28 - 0.085 + 1e-6) }
    }

    @Test func whoStaysBesideIsShown() {
        let shots = shots(500) { [(0.8, 0.06)] + ($0 < 5 ? [] : [(1.15, 0.06)]) }
        for shot in shots.suffix(300) { #expect(shot.x - 0.28 <= 0.75 && shot.x + 0.28 >= 1.2, "\(shot)") }
        #expect(Motion(shots).acceleration < 2)
    }
}
