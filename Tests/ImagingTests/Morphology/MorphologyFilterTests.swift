import Imaging
import TestSupport
import Testing

/// Returns the extreme of a square window that is cut off at the edges, by the definition.
@Suite struct MorphologyFilterTests {
    private func extreme(_ image: FloatImage, _ radius: Int, _ choose: ([Float]) -> Float?) -> [Float] {
        FloatImage(image.width, image.height) { x, y in
            var window: [Float] = []
            for v in max(0, y - radius)...min(image.height - 1, y + radius) {
                for u in max(0, x - radius)...min(image.width - 1, x + radius) { window.append(image[u, v]) }
            }
            return choose(window) ?? -1
        }.array
    }

    /// The last radius is larger than every image.
    @Test(arguments: [1, 2, 3, 4, 7, 40]) func dilationTakesTheLargestValue(radius: Int) {
        var images = RandomImages()
        let filter = MorphologyFilter()
        for (width, height) in awkwardSizes {
            let image = images.random(width, height)
            let plain = extreme(image, radius) { $0.max() }
            filter.dilate(image, radius: radius)
            #expect(image.array == plain, "\(width)x\(height)")
        }
    }

    @Test(arguments: [1, 2, 3, 4, 7, 40]) func erosionTakesTheSmallestValue(radius: Int) {
        var images = RandomImages()
        let filter = MorphologyFilter()
        for (width, height) in awkwardSizes {
            let image = images.random(width, height)
            let plain = extreme(image, radius) { $0.min() }
            filter.erode(image, radius: radius)
            #expect(image.array == plain, "\(width)x\(height)")
        }
    }

    @Test(arguments: [0, -3]) func aRadiusThatIsNotPositiveChangesNothing(radius: Int) {
        var images = RandomImages()
        let image = images.random(9, 6)
        let before = image.array
        MorphologyFilter().dilate(image, radius: radius)
        MorphologyFilter().erode(image, radius: radius)
        #expect(image.array == before)
    }
}
