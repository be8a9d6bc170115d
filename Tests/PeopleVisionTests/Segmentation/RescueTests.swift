import Imaging
import PeopleVision
import TestSupport
import Testing

/// People of whom the matte holds too little.
struct RescueTests {
    /// A person of 40x40 in 60x50, as the small model gives it.
    private let person = FloatImage(60, 50) { x, y in (10..<50).contains(x) && y >= 10 ? 1 : 0 }

    /// A matte that holds the person's upper `rows` rows of 40, and what becomes of it.
    private func rescued(rows: Int, stature: Double) -> (matte: FloatImage, rescued: FloatImage) {
        let matte = FloatImage(60, 50) { x, y in y < 10 + rows ? person[x, y] : 0 }
        let rescued = FloatImage()
        rescued.copy(matte)
        let rescue = MatteRescue()
        rescue.begin(matte, .init(width: 60, height: 50))
        rescue.add(person, stature: stature)
        rescue.finish(rescued)
        return (matte, rescued)
    }

    @Test(arguments: [0, 4, 12, 20]) func aPersonHalfHeldIsFilled(rows: Int) {
        #expect(distance(rescued(rows: rows, stature: 1).rescued.array, person.array) == 0)
        #expect(distance(rescued(rows: rows, stature: 0.6).rescued.array, person.array) == 0)
    }

    @Test(arguments: [26, 32, 40]) func aPersonWellHeldStays(rows: Int) {
        let (matte, rescued) = rescued(rows: rows, stature: 1)
        #expect(distance(rescued.array, matte.array) == 0)
    }

    @Test(arguments: [21, 22, 23, 24, 25]) func inBetweenThePersonComesInByDegrees(rows: Int) {
        let rescued = rescued(rows: rows, stature: 1).rescued
        #expect(abs(rescued[30, 48] - (0.65 - Float(rows) / 40) / 0.15) < 1e-4)
        #expect(rescued[30, 12] == 1 && rescued[5, 48] == 0)
    }

    @Test func someoneSmallComesInOnlyWithATrace() {
        for rows in [0, 4] {
            let (matte, rescued) = rescued(rows: rows, stature: 0.59)
            #expect(distance(rescued.array, matte.array) == 0)
        }
        for rows in 5...7 {
            let rescued = rescued(rows: rows, stature: 0.59).rescued
            #expect(abs(rescued[30, 48] - (Float(rows) / 40 - 0.1) / 0.1) < 1e-4)
        }
        #expect(distance(rescued(rows: 8, stature: 0.59).rescued.array, person.array) == 0)
        let (matte, whole) = rescued(rows: 26, stature: 0.59)
        #expect(distance(whole.array, matte.array) == 0)
    }

    @Test(arguments: awkwardSizes) func severalPeopleEqualThePlainDefinition(width: Int, height: Int) {
        var images = RandomImages(seed: 11)
        let rescue = MatteRescue()
        for (wide, high) in [(width, height), (2 * width + 3, height + 1), (2 * width, 2 * height)] {
            let matte = images.random(wide, high)
            let people = [(1.0, images.random(width, height)), (0.3, images.random(width, height))]
            let expected = plainlyRescued(matte, people, width, height)
            rescue.begin(matte, .init(width: width, height: height))
            for (stature, mask) in people { rescue.add(mask, stature: stature) }
            rescue.finish(matte)
            #expect(distance(matte.array, expected.array) < 1e-4, "at \(wide)x\(high)")
        }
    }

    private func plainlyRescued(
        _ matte: FloatImage, _ people: [(Double, FloatImage)], _ width: Int, _ height: Int
    ) -> FloatImage {
        let held = matte.resized(width, height)
        let filling = FloatImage(width, height)
        for (stature, mask) in people {
            let coverage = mask.array.map { min(max(($0 - 0.55) * 1.5 + 0.5, 0), 1) }
            let inside = coverage.indices.filter { coverage[$0] > 0.5 }
            guard !inside.isEmpty else { continue }
            let share = inside.map { held.base[$0] }.reduce(0, +) / Float(inside.count)
            let missing = 1 - min(max((share - 0.5) / 0.15, 0), 1)
            let trace = stature < 0.6 ? min(max((share - 0.1) / 0.1, 0), 1) : 1
            for i in coverage.indices {
                filling.base[i] = max(filling.base[i], missing * trace * coverage[i])
            }
        }
        let raised = filling.resized(matte.width, matte.height)
        return FloatImage(matte.width, matte.height) { x, y in max(matte[x, y], raised[x, y]) }
    }
}
