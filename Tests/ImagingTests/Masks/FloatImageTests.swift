import Imaging
import TestSupport
import Testing

@Suite struct FloatImageTests {
    @Test func halfIsTheMeanOfSquares() {
        var images = RandomImages()
        for (width, height) in awkwardSizes {
            let source = images.random(width, height)
            let half = FloatImage()
            half.copy(halfOf: source)
            let plain = FloatImage((width + 1) / 2, (height + 1) / 2) { x, y in
                let (right, lower) = (min(2 * x + 1, width - 1), min(2 * y + 1, height - 1))
                let upper = source[2 * x, 2 * y] + source[right, 2 * y]
                return (upper + source[2 * x, lower] + source[right, lower]) / 4
            }
            #expect(distance(half.array, plain.array) < 1e-6, "\(width)x\(height)")
        }
    }
}
