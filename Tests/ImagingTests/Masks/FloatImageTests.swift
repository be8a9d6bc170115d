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

    /// Whole blocks are averaged, so that no side is longer than 512.
    @Test(arguments: [(5, 3, 1), (512, 7, 1), (513, 3, 2), (1025, 6, 3), (4, 1100, 3)], [false, true])
    func aMaskIsAveragedDown(size: (width: Int, height: Int, block: Int), invert: Bool) {
        var images = RandomImages()
        let (source, copy) = (images.random(size.width, size.height), FloatImage())
        let mask = TestMask(.f32, size.width, size.height)
        mask.fill { source[$0, $1] }
        copy.copy(mask.view, invert: invert)
        let block = size.block
        let plain = FloatImage((size.width + block - 1) / block, (size.height + block - 1) / block) { x, y in
            var (sum, count) = (0.0, 0.0)
            for v in (y * block)..<min((y + 1) * block, size.height) {
                for u in (x * block)..<min((x + 1) * block, size.width) {
                    sum += Double(source[u, v])
                    count += 1
                }
            }
            return Float(invert ? 1 - sum / count : sum / count)
        }
        #expect(distance(copy.array, plain.array) < 1e-5)
    }

    @Test func theMeanWithAMirrorImage() {
        let image = FloatImage(3, 2) { x, y in Float(x + 10 * y) }
        let other: [Float] = [8, 4, 2, 6, 1, 0]
        other.withUnsafeBufferPointer { image.average(mirrored: $0) }
        #expect(Array(image.values) == [1, 2.5, 5, 5, 6, 9])
        other.prefix(5).withUnsafeBufferPointer { image.average(mirrored: $0) }
        #expect(Array(image.values) == [1, 2.5, 5, 5, 6, 9])
    }

    @Test func anExtentHoldsAllThatIsAboveALevel() {
        let image = FloatImage(20, 10) { x, y in (3..<8).contains(x) && (2..<5).contains(y) ? 0.6 : 0.5 }
        image.row(7)[15] = 0.7
        #expect(image.extent(above: 0.5) == Rectangle(x: 0.15, y: 0.2, width: 0.65, height: 0.6))
        #expect(image.extent(above: 0.7) == nil)
        #expect(FloatImage(4, 4) { _, _ in .nan }.extent(above: 0.5) == nil)
    }
}
