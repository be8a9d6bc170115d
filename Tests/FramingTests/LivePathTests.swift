import Foundation
import Framing
import Imaging
import Testing

struct LivePathTests {
    @Test func restsWhilePeopleHardlyMove() {
        let still = Simulation(seconds: 20) { _ in (0.9, 0.4, 0.06) }
        #expect(Motion(still.live()).shareAtRest == 1)
        // Within 5 % of the frame's width.
        let swaying = Simulation(seconds: 20) { (0.9 + 0.04 * sin(2 * $0), 0.4 + 0.01 * cos($0), 0.06) }
        #expect(Motion(swaying.live()).shareAtRest >= 0.98)
        #expect(swaying.shareInside(swaying.live()) == 1)
    }

    @Test(arguments: FramingChoice.allCases)
    func followsWhoWalks(_ framing: FramingChoice) {
        let walk = Simulation(seconds: 12, framing) { (0.3 + min(1.2, max(0, $0 - 2) * 0.3), 0.4, 0.05) }
        let shots = walk.live()
        #expect(walk.shareInside(shots) == 1)
        // At rest before the walk, and again after it.
        #expect(Motion(Array(shots[..<55])).shareAtRest == 1)
        #expect(Motion(Array(shots[270...])).shareAtRest == 1)
    }

    @Test func restsSoonAfterAStop() {
        let walk = Simulation(seconds: 6, .upperBody) { (0.4 + 0.3 * min($0, 3), 0.4, 0.05) }
        let shots = walk.live()
        #expect(Motion(Array(shots[113...])).shareAtRest == 1)
        #expect(walk.shareInside(shots) == 1)
    }

    /// A move of minimum jerk of duration T has at most 15/8 way / T of speed; moves that begin at a speed v together have at
    /// most v of speed, 15/4 v / T of acceleration and 23.1 v / T^2 of jerk.
    @Test(arguments: [0.5, 1, 3])
    func speedAccelerationAndJerkAreBounded(_ speed: Double) {
        var noise = Noise()
        var place = (x: 0.9, y: 0.4, radius: 0.05)
        var wild = Simulation(seconds: 60) { _ in
            // Somebody jumps about, is lost, and comes back elsewhere.
            if noise.next() > 1.5 {
                place = (0.9 + 0.4 * noise.next(), 0.5 + 0.2 * noise.next(), 0.05 + 0.01 * noise.next())
            }
            return noise.next() > 1 ? nil : place
        }
        wild.settings.speed = speed
        let motion = Motion(wild.live())
        let (largest, time) = (1.2 * speed, 0.55 / speed)
        #expect(motion.speed > 0.3 * largest && motion.speed <= 1.02 * largest)
        #expect(motion.acceleration <= 1.05 * 3.75 * largest / time)
        #expect(motion.jerk <= 1.05 * 23.1 * largest / (time * time))
    }

    @Test(arguments: [16.0 / 9, 9.0 / 16, 1, 4])
    func neverLeavesTheFrame(_ output: Double) {
        var noise = Noise()
        let simulation = Simulation(seconds: 60, output: output, .face) { _ in
            (0.9 + noise.next(), 0.5 + noise.next(), 0.05 + abs(0.05 * noise.next()))
        }
        for shot in simulation.live() {
            let part = simulation.space.crop(shot)
            #expect(
                part.x >= 0 && part.y >= 0 && part.x + part.width <= 1 + 1e-9
                    && part.y + part.height <= 1 + 1e-9)
            let shape = part.width * simulation.space.frameAspect / part.height
            #expect(abs(shape / output - 1) < 1e-9)
        }
    }

    @Test func doesNotOvershoot() {
        let step = Simulation(seconds: 8) { ($0 < 2 ? 0.5 : 1.2, 0.4, 0.05) }
        let xs = step.live(noise: 0).map(\.x)
        #expect(xs.min() == xs.first)
        // Room ahead of the motion is given back once it ends.
        #expect((xs.max() ?? 0) - (xs.last ?? 0) < 0.002)
    }

    @Test func holdsAndThenWidensWithoutPeople() {
        var lost = Simulation(seconds: 30) { $0 < 2 ? (0.9, 0.4, 0.05) : nil }
        let shots = lost.live()
        // Two seconds as before.
        #expect(Motion(Array(shots[..<118])).shareAtRest == 1)
        #expect(shots.last == lost.space.widest)
        #expect(Motion(shots).speed < 0.3)
        lost.settings.lost = .hold
        #expect(Motion(lost.live()).shareAtRest == 1)
    }

    @Test func cutsToTheFirstShotOfAScene() {
        let simulation = Simulation(seconds: 2) { _ in (0.5, 0.4, 0.05) }
        let wanted = simulation.wanted(noise: 0)
        var path = LivePath(in: simulation.space)
        // Some frames pass until the person is found.
        let before = (0..<5).map { _ in path.shot(for: nil, simulation.settings, after: 0.033) }
        #expect(before.allSatisfy { $0 == simulation.space.widest })
        let first = path.shot(for: wanted[0], simulation.settings, after: 0.033)
        #expect(first == wanted[0]?.shot)
        path.cut()
        let other = WantedShot(
            of: [FramedPerson(id: 2, head: Point(x: 1.3, y: 0.6), radius: 0.08)], simulation.settings,
            in: simulation.space)
        let next = path.shot(for: other, simulation.settings, after: 0.033)
        #expect(next == other?.shot)
    }

    /// People who come later are shown by a move.
    @Test func movesToWhoComesLater() {
        let late = Simulation(seconds: 8) { $0 < 3 ? nil : (0.5, 0.4, 0.05) }
        let shots = late.live()
        #expect(shots[89] == late.space.widest)
        #expect(Motion(shots).speed <= 1.25)
        #expect((shots.last?.height ?? 1) < 0.4)
    }

    @Test func makesRoomWhereAPersonLooks() throws {
        let simulation = Simulation(seconds: 1) { _ in (0.9, 0.4, 0.06) }
        var path = LivePath(in: simulation.space)
        var shot = simulation.space.widest
        for _ in 0..<200 {
            var person = FramedPerson(id: 1, head: Point(x: 0.9, y: 0.4), radius: 0.04)
            person.gaze = 1
            var settings = simulation.settings
            settings.lead = 1
            shot = path.shot(
                for: WantedShot(of: [person], settings, in: simulation.space), settings, after: 1 / 30)
        }
        #expect(shot.x > 0.92)
        let part = shot.rectangle(aspect: 16.0 / 9)
        #expect(part.x <= 0.86 && part.y <= 0.36 && part.y + part.height >= 0.44)
    }

    /// The same motion at any frame rate, and at rates that change.
    @Test func doesNotDependOnTheFrameRate() {
        let ends = [10.0, 30, 240].map { rate -> Double in
            let space = ShotSpace(frameAspect: 16.0 / 9, outputAspect: 16.0 / 9)
            var (path, shot) = (LivePath(in: space), space.widest)
            for index in 0..<Int(2.5 * rate) {
                let x = Double(index) / rate < 1 ? 0.5 : 1.2
                let wanted = WantedShot(
                    of: [FramedPerson(id: 1, head: Point(x: x, y: 0.4), radius: 0.05)], ShotSettings(),
                    in: space)
                shot = path.shot(for: wanted, ShotSettings(), after: 1 / rate)
            }
            return shot.x
        }
        #expect(abs(ends[0] - ends[2]) < 0.06 && abs(ends[1] - ends[2]) < 0.03, "\(ends)")
    }
}
