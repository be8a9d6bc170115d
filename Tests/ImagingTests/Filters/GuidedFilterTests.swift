import Imaging
import TestSupport
import Testing

@Suite struct GuidedFilterTests {
    @Test(arguments: [1, 2]) func guidedFilterSolvesTheLinearModel(radius: Int) {
        var images = RandomImages()
        let filter = GuidedFilter(radius: radius, flatness: 0.01)
        for (width, height) in awkwardSizes {
            let guide = images.random(2 * width, 2 * height)
            let (mask, coarse) = (images.random(width, height), FloatImage())
            coarse.copy(halfOf: guide)
            let result = FloatImage()
            filter.refine(mask, coarse: coarse, guide: guide, into: result)
            let plain = plainGuided(mask, coarse, guide, radius: radius, flatness: 0.01)
            #expect(distance(result.array, plain.array) < 1e-4, "\(width)x\(height)")
        }
    }

    private func plainGuided(
        _ mask: FloatImage, _ coarse: FloatImage, _ guide: FloatImage, radius: Int, flatness: Float
    ) -> FloatImage {
        let (width, height) = (mask.width, mask.height)
        let squares = FloatImage(width, height) { coarse[$0, $1] * coarse[$0, $1] }
        let products = FloatImage(width, height) { coarse[$0, $1] * mask[$0, $1] }
        let slope = FloatImage(width, height) { x, y in
            let mean = coarse.mean(x, y, radius: radius)
            let covariance = products.mean(x, y, radius: radius) - mean * mask.mean(x, y, radius: radius)
            return covariance / (squares.mean(x, y, radius: radius) - mean * mean + flatness)
        }
        let offset = FloatImage(width, height) { x, y in
            mask.mean(x, y, radius: radius) - slope[x, y] * coarse.mean(x, y, radius: radius)
        }
        return FloatImage(guide.width, guide.height) { x, y in
            let (u, v) = ((Double(x) + 0.5) / 2 - 0.5, (Double(y) + 0.5) / 2 - 0.5)
            return slope.value(atX: u, y: v) * guide[x, y] + offset.value(atX: u, y: v)
        }
    }
}
