import Imaging
import TestSupport
import Testing

@Suite struct StillnessMapTests {
    @Test func detectsMotionButNotNoise() {
        var images = RandomImages()
        let map = StillnessMap()
        func image(_ object: Range<Int>) -> FloatImage {
            let noise = images.random(32, 24)
            return FloatImage(32, 24) { x, y in
                let shown: Float = object.contains(x) && (8..<16).contains(y) ? 0.8 : 0.3
                return shown + (noise[x, y] - 0.5) * 0.03
            }
        }
        #expect(!map.update(image(4..<10)))
        #expect(map.update(image(4..<10)))
        #expect(map.grid.array.min() ?? 0 > 0.6)
        #expect(map.update(image(14..<20)))
        #expect(map.grid[7, 12] == 0 && map.grid[17, 12] == 0)
        #expect(map.grid[28, 3] > 0.6)
    }

    @Test func colourCountsWhereBrightnessStays() {
        let (gray, color) = (StillnessMap(), StillnessMap(planes: 3))
        let (grayGrid, colorGrid) = (FloatImage(24, 18), FloatImage(24, 54))
        /// Returns a blue object in front of orange of the same brightness.
        func image(_ left: Int) -> [Float] {
            (0..<(24 * 18)).flatMap { i in
                (left..<(left + 6)).contains(i % 24) ? [0.1, 0.3, 0.8] as [Float] : [0.5, 0.208, 0.24]
            }
        }
        for left in [4, 5] {
            image(left).withUnsafeBufferPointer {
                grayGrid.fill(brightnessOf: $0, in: TensorInput(width: 24, height: 18))
                colorGrid.fill(planesOf: $0, in: TensorInput(width: 24, height: 18))
            }
            #expect(gray.update(grayGrid) == (left == 5))
            #expect(color.update(colorGrid) == (left == 5))
        }
        #expect(gray.grid.array.allSatisfy { $0 > 0.9 })
        #expect((0..<18).allSatisfy { color.grid[4, $0] == 0 && color.grid[10, $0] == 0 })
        #expect((0..<18).allSatisfy { color.grid[7, $0] == 1 && color.grid[20, $0] == 1 })
    }

    @Test func startsAgainAfterCutsAndResets() {
        let map = StillnessMap()
        let (one, other) = (FloatImage(16, 16) { _, _ in 0.1 }, FloatImage(16, 16) { _, _ in 0.9 })
        #expect(!map.update(one))
        #expect(!map.update(other))
        #expect(map.update(other))
        map.reset()
        #expect(!map.update(other))
        #expect(map.grid.array.allSatisfy { $0 == 0 })
    }
}
