import Imaging
import TestSupport
import Testing

@Suite struct CropResizerTests {
    @Test(arguments: [
        Rectangle.unit, Rectangle(x: 0.2, y: 0.4, width: 0.5, height: 0.3),
        Rectangle(x: -0.25, y: 0.5, width: 1.5, height: 0.75),
    ])
    func aPartIsInterpolatedLinearly(_ crop: Rectangle) {
        var images = RandomImages()
        let resizer = CropResizer()
        for (width, height) in awkwardSizes {
            let (source, target) = (images.random(width, height), FloatImage(13, 8))
            resizer.resize(crop, of: source, into: target)
            let expected = FloatImage(13, 8) { x, y in
                source.value(
                    atX: (crop.x + (Double(x) + 0.5) / 13 * crop.width) * Double(width) - 0.5,
                    y: (crop.y + (Double(y) + 0.5) / 8 * crop.height) * Double(height) - 0.5)
            }
            #expect(distance(target.array, expected.array) < 1e-5, "\(width)x\(height)")
        }
    }

    @Test func anEmptyImageHasNothing() {
        let target = FloatImage(3, 2) { _, _ in 1 }
        CropResizer().resize(.unit, of: FloatImage(), into: target)
        #expect(target.array.allSatisfy { $0 == 0 })
    }
}
