import Imaging
import TestSupport
import Testing

@Suite struct FeatheredPasteTests {
    @Test func aPastedCropFadesAtItsInnerEdgesOnly() {
        let values = [Float](repeating: 1, count: 12 * 9)
        let mask = FloatImage(60, 40)
        values.withUnsafeBufferPointer {
            FeatheredPaste().add(
                $0, width: 12, height: 9, crop: Rectangle(x: 0, y: 0.25, width: 0.5, height: 0.5), to: mask)
        }
        #expect(mask[0, 20] == 1 && mask[15, 20] == 1)
        #expect(mask[29, 20] < 1 && mask[30, 20] == 0 && mask[15, 9] == 0 && mask[15, 30] == 0)
    }

    @Test func aPasteIsLinearInterpolation() {
        var images = RandomImages()
        let (values, crop) = (images.random(11, 7), Rectangle(x: -0.1, y: 0, width: 1.2, height: 1))
        let mask = FloatImage(23, 19)
        FeatheredPaste().add(
            UnsafeBufferPointer(values.values), width: 11, height: 7, crop: crop, to: mask)
        let plain = FloatImage(23, 19) { x, y in
            let u = ((Double(x) + 0.5) / 23 - crop.x) / crop.width * 11 - 0.5
            return values.value(atX: u, y: (Double(y) + 0.5) / 19 * 7 - 0.5)
        }
        #expect(distance(mask.array, plain.array) < 1e-5)
    }
}
