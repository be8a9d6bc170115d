import Imaging
import PeopleVision
import TestSupport
import Testing

struct MedianEnsembleTests {
    private func mattes(_ count: Int, seed: UInt64) -> [FloatImage] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            FloatImage(37, 11) { _, _ in Float.random(in: 0...1, using: &random) }
        }
    }

    /// The second of two frames must not depend on the first.
    @Test(arguments: [1, 3, 5, 7]) func isTheMedianOfEachValue(count: Int) {
        let ensemble = MedianEnsemble()
        for seed in 1...2 {
            let mattes = mattes(count, seed: UInt64(seed))
            let result = FloatImage()
            ensemble.begin()
            for matte in mattes { ensemble.add(matte) }
            ensemble.median(into: result)
            // Only the first five count.
            let counted = mattes.prefix(5)
            for y in 0..<11 {
                for x in 0..<37 {
                    let sorted = counted.map { $0[x, y] }.sorted()
                    #expect(result[x, y] == sorted[counted.count / 2])
                }
            }
        }
    }

    @Test func takesTheGreaterOfTheFirstTwo() throws {
        let ensemble = MedianEnsemble()
        let mattes = mattes(5, seed: 3)
        ensemble.begin()
        ensemble.add(mattes[0])
        #expect(ensemble.greaterOfFirstTwo() == nil)
        for matte in mattes[1...] { ensemble.add(matte) }
        let greater = try #require(ensemble.greaterOfFirstTwo())
        for y in 0..<11 {
            for x in 0..<37 { #expect(greater[x, y] == max(mattes[0][x, y], mattes[1][x, y])) }
        }
    }
}
