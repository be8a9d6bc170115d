import Imaging
import TestSupport
import Testing

@Suite struct BrightnessTests {
    /// The stored pixel at an upright place, 0...1 both ways.
    private func stored(
        _ u: Double, _ v: Double, _ orientation: ImageOrientation, _ image: TestImage
    ) -> Float {
        let at = FrameTransform.orientation(orientation).map(Point(x: u, y: v))
        let x = min(max(Int(at.x * Double(image.view.width)), 0), image.view.width - 1)
        let y = min(max(Int(at.y * Double(image.view.height)), 0), image.view.height - 1)
        let layout = image.view.format.layout
        let part = layout.component(layout.model == .rgb ? 1 : 0)
        return Float(image.view.plane(part.plane).row(y)[part.offset + x * part.pixelStride])
    }

    @Test(arguments: PixelFormat.allCases) func isTheMeanOfTwoStoredSamples(format: PixelFormat) {
        let image = TestImage(format, 37, 23)
        image.fillRandomly(seed: 3)
        let pyramid = BrightnessPyramid()
        for orientation in ImageOrientation.allCases {
            pyramid.update(image.view, orientation: orientation, width: 9, height: 7)
            let fine = MaskGrid(18, 14) { x, y in
                let upper = stored((Double(x) + 0.25) / 18, (Double(y) + 0.25) / 14, orientation, image)
                let lower = stored((Double(x) + 0.75) / 18, (Double(y) + 0.75) / 14, orientation, image)
                return (upper + lower) / 510
            }
            let coarse = MaskGrid(9, 7) { x, y in
                let left = fine[2 * x, 2 * y] + fine[2 * x, 2 * y + 1]
                return (left + fine[2 * x + 1, 2 * y] + fine[2 * x + 1, 2 * y + 1]) / 4
            }
            #expect(distance(pyramid.fine.array, fine.array) < 1e-6, "\(orientation)")
            #expect(distance(pyramid.coarse.array, coarse.array) < 1e-6, "\(orientation)")
        }
    }
}
