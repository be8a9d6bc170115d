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

    /// The feather is 0.03 of the crop, at each edge that is not an edge of the frame.
    @Test func aPasteIsWeightedTowardsItsEdges() {
        var images = RandomImages()
        let paste = FeatheredPaste()
        let crops = [
            Rectangle(x: 0.21, y: 0.13, width: 0.5, height: 0.6),
            Rectangle(x: 0.4, y: 0, width: 0.6, height: 0.3),
            Rectangle(x: -0.3, y: 0.5, width: 0.7, height: 0.9), .unit,
        ]
        for (width, height) in awkwardSizes {
            for crop in crops {
                let (values, mask) = (images.random(width, height), images.random(61, 47))
                let plain = FloatImage(61, 47) { x, y in
                    let u = ((Double(x) + 0.5) / 61 - crop.x) / crop.width
                    let v = ((Double(y) + 0.5) / 47 - crop.y) / crop.height
                    let weight = weight(u, crop.x, crop.width) * weight(v, crop.y, crop.height)
                    let value = values.value(atX: u * Double(width) - 0.5, y: v * Double(height) - 0.5)
                    return max(mask[x, y], value * Float(weight))
                }
                paste.add(
                    UnsafeBufferPointer(values.values), width: width, height: height, crop: crop, to: mask)
                #expect(distance(mask.array, plain.array) < 1e-4, "\(width)x\(height) at \(crop)")
            }
        }
    }

    private func weight(_ position: Double, _ origin: Double, _ extent: Double) -> Double {
        let low = origin <= 0 ? 1 : position / 0.03
        let high = origin + extent >= 1 ? 1 : (1 - position) / 0.03
        return min(max(min(low, high), 0), 1)
    }

    @Test func invalidSizesAndCropsChangeNothing() {
        let mask = FloatImage(9, 7)
        let values = [Float](repeating: 1, count: 12)
        for (width, height, crop) in [
            (4, 4, Rectangle.unit), (0, 3, .unit), (4, 3, Rectangle(x: 0, y: 0, width: 0, height: 1)),
            (4, 3, Rectangle(x: 0, y: 0, width: .nan, height: 1)),
            (4, 3, Rectangle(x: 2, y: 0, width: 1, height: 1)),
        ] {
            values.withUnsafeBufferPointer {
                FeatheredPaste().add($0, width: width, height: height, crop: crop, to: mask)
            }
        }
        #expect(mask.array.allSatisfy { $0 == 0 })
    }
}
