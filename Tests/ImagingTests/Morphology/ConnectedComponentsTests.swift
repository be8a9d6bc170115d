import Imaging
import TestSupport
import Testing

@Suite struct ConnectedComponentsTests {
    /// Labels by flooding, with corners connected, and the areas of the labels.
    private func flooded(_ mask: FloatImage, above level: Float) -> (labels: [Int], areas: [Int]) {
        let regions = floodedRegions(mask.width, mask.height) { mask.base[$0] > level }
        var labels = [Int](repeating: -1, count: mask.count)
        for (label, region) in regions.enumerated() { for place in region { labels[place] = label } }
        return (labels, regions.map(\.count))
    }

    @Test(arguments: [0.1, 0.3, 0.5, 0.9]) func areasAreThoseOfFlooding(share: Double) {
        var images = RandomImages()
        let parts = ConnectedComponents()
        for (width, height) in awkwardSizes + [(64, 48)] {
            let mask = images.speckled(width, height, share: share)
            parts.find(in: mask, above: 0.5)
            var areas: [Int] = []
            parts.forEach { areas.append($0.area) }
            let plain = flooded(mask, above: 0.5).areas
            #expect(areas.sorted() == plain.sorted(), "\(width)x\(height)")
            #expect(parts.largestArea == plain.max() ?? 0)
        }
    }

    /// The masks of photographs are tall; parts at the top must not leave no room for parts at the bottom.
    @Test func findsTheLowerPartOfLargeImages() {
        let mask = FloatImage(128, 2048) { x, _ in x % 8 == 0 ? 1 : 0 }
        let parts = ConnectedComponents()
        parts.find(in: mask, above: 0.5)
        var areas: [Int] = []
        parts.forEach { areas.append($0.area) }
        #expect(areas == [Int](repeating: 2048, count: 16))
    }

    @Test(arguments: [1, 2, 5]) func keepsValuesNearLargeParts(distance reach: Int) {
        var images = RandomImages()
        let parts = ConnectedComponents()
        for (width, height) in awkwardSizes + [(64, 48)] {
            let mask = images.speckled(width, height, share: 0.25)
            for i in 0..<mask.count { mask.base[i] = max(0.25, mask.base[i]) }
            let before = mask.array
            let (labels, areas) = flooded(mask, above: 0.5)
            let plain = FloatImage(width, height) { x, y in
                for v in max(0, y - reach)...min(height - 1, y + reach) {
                    for u in max(0, x - reach)...min(width - 1, x + reach) {
                        let label = labels[v * width + u]
                        if label >= 0, areas[label] >= 4 { return before[y * width + x] }
                    }
                }
                return 0
            }
            parts.find(in: mask, above: 0.5)
            parts.keep(distance: reach, in: mask) { $0.area >= 4 }
            #expect(mask.array == (areas.isEmpty ? before : plain.array), "\(width)x\(height)")
        }
    }

    @Test func findsOnlyPartsThatReachThePeak() {
        let mask = FloatImage(30, 10) { x, y in x < 10 ? 0.5 : x < 12 ? 0 : x < 20 ? 0.45 : 0 }
        mask.row(3)[15] = 0.9
        let parts = ConnectedComponents()
        parts.find(in: mask, above: 0.4, reaching: 0.6)
        var lefts: [Int] = []
        parts.forEach { lefts.append($0.left) }
        #expect(lefts == [12] && parts.largestArea == 80)
        parts.keep(distance: 1, in: mask) { $0.area >= 1 }
        #expect(mask[5, 5] == 0 && mask[13, 5] == 0.45)
    }

    @Test func boxesEncloseTheirParts() {
        let mask = FloatImage(20, 10) { x, y in (3..<7).contains(x) && (2..<9).contains(y) ? 1 : 0 }
        let parts = ConnectedComponents()
        parts.find(in: mask, above: 0.5)
        parts.forEach { part in
            #expect(part.area == 28)
            #expect([part.left, part.right, part.top, part.bottom] == [3, 7, 2, 9])
        }
        #expect(parts.largestArea == 28)
    }

    @Test func measuresAndPaintsEachPart() {
        let mask = FloatImage(12, 6) { x, _ in x < 4 || x > 8 ? 1 : 0 }
        let other = FloatImage(12, 6) { x, _ in x < 4 ? 0.5 : 0.25 }
        let parts = ConnectedComponents()
        parts.find(in: mask, above: 0.5)
        parts.measure(other)
        var means: [Float] = []
        parts.forEach { means.append($0.sum / Float($0.area)) }
        #expect(means.sorted() == [0.25, 0.5])
        let painted = FloatImage(12, 6)
        parts.paint(on: painted) { $0.sum / Float($0.area) }
        #expect(painted.array == FloatImage(12, 6) { x, y in mask[x, y] * other[x, y] }.array)
    }

    @Test func valuesThatAreNoNumbersBelongToNoPart() {
        let parts = ConnectedComponents()
        parts.find(in: FloatImage(8, 8) { x, _ in x < 4 ? .nan : 0 }, above: 0.5)
        #expect(parts.largestArea == 0)
    }
}
