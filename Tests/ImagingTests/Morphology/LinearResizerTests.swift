import Imaging
import TestSupport
import Testing

@Suite struct LinearResizerTests {
    @Test func resizingIsLinearInterpolation() {
        var images = RandomImages()
        let resizer = LinearResizer()
        for (width, height) in awkwardSizes {
            let source = images.random(width, height)
            for (wide, high) in [(2 * width, 2 * height), (2 * width + 3, height), (max(1, width / 2), 5)] {
                resizer.begin(source, width: wide, height: high)
                var rows: [Float] = []
                for y in 0..<high { rows += (0..<wide).map { [row = resizer.row(y, of: source)] in row[$0] } }
                #expect(
                    distance(rows, source.resized(wide, high).array) < 1e-5,
                    "\(width)x\(height) at \(wide)x\(high)")
            }
        }
    }

    @Test func resizesIntoAnotherImage() {
        var images = RandomImages()
        let (source, target) = (images.random(13, 9), FloatImage(31, 4))
        LinearResizer().resize(source, into: target)
        #expect(distance(target.array, source.resized(31, 4).array) < 1e-5)
    }
}
