import Imaging
import TestSupport
import Testing

struct NearestLabelTests {
    /// Returns a label in about `share` of the positions, -1 elsewhere.
    private func labels(_ width: Int, _ height: Int, share: Double, seed: UInt64) -> FloatImage {
        var images = RandomImages(seed: seed)
        let (places, numbers) = (images.speckled(width, height, share: share), images.random(width, height))
        return FloatImage(width, height) { x, y in places[x, y] > 0 ? (numbers[x, y] * 9).rounded() : -1 }
    }

    @Test(arguments: awkwardSizes, [0.02, 0.2]) func takesANearestOne(size: (Int, Int), share: Double) {
        let (width, height) = size
        let given = labels(width, height, share: share, seed: 3)
        let spread = FloatImage()
        spread.copy(given)
        NearestLabel().spread(spread)
        let places = (0..<height).flatMap { y in (0..<width).map { ($0, y) } }.filter {
            given[$0.0, $0.1] >= 0
        }
        for y in 0..<height {
            for x in 0..<width {
                let distances = places.map { (max(abs($0.0 - x), abs($0.1 - y)), given[$0.0, $0.1]) }
                guard let minimum = distances.map(\.0).min() else {
                    #expect(spread[x, y] == -1)
                    continue
                }
                #expect(distances.contains { $0.0 == minimum && $0.1 == spread[x, y] }, "\(x), \(y)")
            }
        }
    }
}
