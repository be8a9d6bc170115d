import Imaging
import TestSupport
import Testing

@Suite struct FloatImageTests {
    @Test func theCornerOfLongerRowsIsCopied() {
        let source: [Float] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
        let corner = FloatImage(2, 2) { _, _ in 0 }
        Array(source[..<5]).withUnsafeBufferPointer { corner.copy(cornerOf: $0, width: 3) }
        #expect(corner.array == [0, 0, 0, 0])
        source.withUnsafeBufferPointer { corner.copy(cornerOf: $0, width: 3) }
        #expect(corner.array == [1, 2, 4, 5])
    }

    @Test func halvingTakesTheMeanOfFourValues() {
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

    /// Colours from 0 to 1, red above green above blue, and their brightness, whatever the tensor's layout.
    @Test(arguments: [TensorInput.Layout.nhwc, .nchw], [(0, 1), (-1, 1), (0, 255)] as [(Float, Float)])
    func readsTheColoursOfATensor(_ layout: TensorInput.Layout, _ range: (low: Float, high: Float)) {
        var images = RandomImages()
        let (width, height) = (7, 5)
        let (colors, count) = (images.random(width, 3 * height), width * height)
        let values = (0..<(3 * count)).map { i in
            let (pixel, plane) = layout == .nhwc ? (i / 3, i % 3) : (i % count, i / count)
            return range.low + colors.values[plane * count + pixel] * (range.high - range.low)
        }
        let tensor = TensorInput(
            width: width, height: height, layout: layout, low: range.low, high: range.high)
        let (planes, brightness) = (
            FloatImage(width, 3 * height) { _, _ in 9 }, FloatImage(width, height) { _, _ in 9 }
        )
        values.withUnsafeBufferPointer {
            planes.fill(planesOf: $0, in: tensor)
            brightness.fill(brightnessOf: $0, in: tensor)
        }
        #expect(distance(planes.array, colors.array) < 1e-5)
        let plain = FloatImage(width, height) { x, y in
            0.299 * colors[x, y] + 0.587 * colors[x, y + height] + 0.114 * colors[x, y + 2 * height]
        }
        #expect(distance(brightness.array, plain.array) < 1e-5)
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

    @Test func copiesAMirrorImage() {
        let image = FloatImage(3, 2) { _, _ in 9 }
        let other: [Float] = [8, 4, 2, 6, 1, 0]
        other.prefix(5).withUnsafeBufferPointer { image.copy(mirrored: $0) }
        #expect(Array(image.values) == [9, 9, 9, 9, 9, 9])
        other.withUnsafeBufferPointer { image.copy(mirrored: $0) }
        #expect(Array(image.values) == [2, 4, 8, 0, 1, 6])
    }

    @Test func averagesWithAMirrorImage() {
        let image = FloatImage(3, 2) { x, y in Float(x + 3 * y) }
        let other: [Float] = [8, 4, 2, 6, 1, 0]
        other.prefix(5).withUnsafeBufferPointer { image.average(mirrored: $0) }
        #expect(Array(image.values) == [0, 1, 2, 3, 4, 5])
        other.withUnsafeBufferPointer { image.average(mirrored: $0) }
        #expect(Array(image.values) == [1, 2.5, 5, 1.5, 2.5, 5.5])
    }

    @Test func theExtentEnclosesAllValuesAboveALevel() {
        let image = FloatImage(20, 10) { x, y in (3..<8).contains(x) && (2..<5).contains(y) ? 0.6 : 0.5 }
        image.row(7)[15] = 0.7
        #expect(image.extent(above: 0.5) == Rectangle(x: 0.15, y: 0.2, width: 0.65, height: 0.6))
        #expect(image.extent(above: 0.7) == nil)
        #expect(FloatImage(4, 4) { _, _ in .nan }.extent(above: 0.5) == nil)
    }
}
