import Imaging
import TestSupport
import Testing

@Suite struct HoleFilterTests {
    /// Returns the raised floor by the definition: low coverage is flooded from each of its values.
    ///
    /// A flooded area is a hole if it is small enough and inside the region.
    private func raised(
        _ floor: FloatImage, _ mask: FloatImage, _ region: FloatImage, below level: Float, largest: Int,
        within: Float
    ) -> [Float] {
        var values = floor.array
        for hole in floodedRegions(mask.width, mask.height, { mask.base[$0] < level }) {
            let mean = hole.map { region.base[$0] }.reduce(0, +) / Float(hole.count)
            guard hole.count <= largest, mean > within else { continue }
            for place in hole { values[place] = max(values[place], region.base[place]) }
        }
        return values
    }

    @Test(arguments: [0, 1, 3, 1000]) func holesAreThoseOfFlooding(largest: Int) {
        var images = RandomImages()
        let filter = HoleFilter()
        for (width, height) in awkwardSizes + [(64, 48)] {
            for share in [0.1, 0.25, 0.5] {
                let mask = images.speckled(width, height, share: share)
                for i in 0..<mask.count { mask.base[i] = 0.9 - 0.8 * mask.base[i] }
                let (region, floor) = (images.random(width, height), images.random(width, height))
                for i in 0..<floor.count { floor.base[i] *= 0.5 }
                let plain = raised(floor, mask, region, below: 0.5, largest: largest, within: 0.45)
                let limits = HoleFilter.Limits(
                    level: 0.5, largest: (Double(largest) + 0.5) / Double(mask.count), within: 0.45)
                filter.raise(floor, inHolesOf: mask, within: region, limits)
                #expect(floor.array == plain, "\(width)x\(height), \(share)")
            }
        }
    }

    @Test func aHoleIsRaisedToTheRegion() {
        let mask = FloatImage(20, 14) { x, y in (6..<12).contains(x) && (4..<10).contains(y) ? 0.2 : 1 }
        let region = FloatImage(20, 14) { x, _ in x < 18 ? 0.96 : 0 }
        let floor = FloatImage(20, 14) { x, _ in x == 7 ? 1 : 0 }
        HoleFilter().raise(
            floor, inHolesOf: mask, within: region, .init(level: 0.9, largest: 0.2, within: 0.95))
        let expected = FloatImage(20, 14) { x, y in
            x == 7 ? 1 : (6..<12).contains(x) && (4..<10).contains(y) ? 0.96 : 0
        }
        #expect(floor.array == expected.array)
    }

    @Test func areasThatLeaveTheRegionAreNoHoles() {
        let mask = FloatImage(20, 14) { x, _ in (6..<12).contains(x) ? 0 : 1 }
        let region = FloatImage(20, 14) { _, y in y < 11 ? 1 : 0 }
        let floor = FloatImage(20, 14)
        HoleFilter().raise(
            floor, inHolesOf: mask, within: region, .init(level: 0.9, largest: 1, within: 0.95))
        #expect(floor.array.allSatisfy { $0 == 0 })
    }
}
