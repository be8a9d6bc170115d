import Imaging
import TestSupport
import Testing

@Suite struct HoleFilterTests {
    /// The definition: background is flooded from each of its values; what never reaches an edge is a hole.
    private func filled(_ mask: FloatImage, below level: Float, largest: Int) -> [Float] {
        let (width, height) = (mask.width, mask.height)
        var values = mask.array
        var isSeen = [Bool](repeating: false, count: mask.count)
        for start in 0..<mask.count where !isSeen[start] && mask.base[start] < level {
            var (pending, hole, touchesEdge) = ([start], [Int](), false)
            isSeen[start] = true
            while let place = pending.popLast() {
                hole.append(place)
                let (x, y) = (place % width, place / width)
                if x == 0 || y == 0 || x == width - 1 || y == height - 1 { touchesEdge = true }
                for v in max(0, y - 1)...min(height - 1, y + 1) {
                    for u in max(0, x - 1)...min(width - 1, x + 1) {
                        let next = v * width + u
                        guard !isSeen[next], mask.base[next] < level else { continue }
                        isSeen[next] = true
                        pending.append(next)
                    }
                }
            }
            if !touchesEdge, hole.count <= largest { for place in hole { values[place] = 1 } }
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
                let plain = filled(mask, below: 0.5, largest: largest)
                filter.fill(mask, below: 0.5, largest: largest)
                #expect(mask.array == plain, "\(width)x\(height), \(share)")
            }
        }
    }

    @Test func aRingIsFilledAndAnOpenRingIsNot() {
        func ring(_ gap: Range<Int>) -> FloatImage {
            FloatImage(20, 14) { x, y in
                let isInner = (6..<12).contains(x) && (4..<10).contains(y)
                return gap.contains(x) && y < 4 || isInner || x < 2 || y < 2 ? 0 : 1
            }
        }
        let (closed, open) = (ring(0..<0), ring(8..<9))
        for mask in [closed, open] { HoleFilter().fill(mask, below: 0.5, largest: 36) }
        #expect(closed[8, 6] == 1 && closed[0, 0] == 0)
        #expect(open[8, 6] == 0)
    }
}
