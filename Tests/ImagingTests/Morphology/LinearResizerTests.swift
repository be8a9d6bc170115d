import Imaging
import TestSupport
import Testing

@Suite struct LinearResizerTests {
    @Test func stretch() {
        var images = RandomImages()
        let stretch = LinearResizer()
        for (width, height) in awkwardSizes {
            let source = images.random(width, height)
            for (wide, high) in [(2 * width, 2 * height), (2 * width + 3, height), (max(1, width / 2), 5)] {
                stretch.begin(source, width: wide, height: high)
                var rows: [Float] = []
                for y in 0..<high { rows += (0..<wide).map { [row = stretch.row(y, of: source)] in row[$0] } }
                #expect(
                    distance(rows, source.resized(wide, high).array) < 1e-5,
                    "\(width)x\(height) at \(wide)x\(high)")
            }
        }
    }
}
