import Imaging
import TestSupport
import Testing

@Suite struct MaskWriterTests {
    /// Returns the model's value at a point of its unit square: linear between centres, 0 outside.
    private func reference(_ values: [Float], _ width: Int, _ height: Int, at point: Point) -> Float {
        guard (0...1).contains(point.x), (0...1).contains(point.y) else { return 0 }
        let x = min(max(point.x * Double(width) - 0.5, 0), Double(width - 1))
        let y = min(max(point.y * Double(height) - 0.5, 0), Double(height - 1))
        var sum = 0.0
        for row in 0..<height {
            for column in 0..<width {
                let weight = max(0, 1 - abs(x - Double(column))) * max(0, 1 - abs(y - Double(row)))
                sum += weight * Double(values[row * width + column])
            }
        }
        return Float(sum)
    }

    private func randomValues(_ count: Int) -> [Float] {
        var generator = SeededGenerator(seed: 4)
        return (0..<count).map { _ in Float(generator.number(0...1)) }
    }

    private func check(
        _ writer: MaskWriter, _ format: MaskFormat, model: (Int, Int), mask size: (Int, Int),
        region: FrameTransform
    ) throws {
        let values = randomValues(model.0 * model.1)
        let mask = TestMask(format, size.0, size.1)
        try values.withUnsafeBufferPointer {
            try writer.write($0, width: model.0, height: model.1, region: region, into: mask.mutableView)
        }
        let inverse = try #require(region.inverse)
        var worst: Float = 0
        for (y, row) in mask.values.enumerated() {
            for (x, value) in row.enumerated() {
                let frame = Point(
                    x: (Double(x) + 0.5) / Double(size.0), y: (Double(y) + 0.5) / Double(size.1))
                let expected = reference(values, model.0, model.1, at: inverse.map(frame))
                worst = max(worst, abs(value - expected))
            }
        }
        let step: Float = format == .gray8 ? 0.5 / 255 : format == .f16 ? 0x1p-11 : 0
        #expect(worst <= step + 1e-5, "\(model) \(size) \(region)")
        #expect(mask.canariesAreIntact)
    }

    @Test(arguments: MaskFormat.allCases, ImageOrientation.allCases)
    func mapsBackAndResizes(format: MaskFormat, orientation: ImageOrientation) throws {
        let writer = MaskWriter()
        let upright = FrameTransform.orientation(orientation)
        let crop = FrameTransform.crop(Rectangle(x: 0.21, y: -0.13, width: 0.63, height: 0.9))
        // A crop larger than the frame, as for a wide frame in a square model.
        let letterbox = FrameTransform.crop(Rectangle(x: 0, y: -0.39, width: 1, height: 1.78))
        for model in [(1, 1), (4, 3), (17, 9)] {
            for size in [(1, 1), (3, 4), (17, 9), (9, 17), (40, 30)] {
                for region in [upright, crop.followed(by: upright), letterbox.followed(by: upright)] {
                    try check(writer, format, model: model, mask: size, region: region)
                }
            }
        }
    }

    @Test func keepsValuesOfTheSameSize() throws {
        let values = randomValues(6)
        let mask = TestMask(.f32, 3, 2)
        try values.withUnsafeBufferPointer {
            try MaskWriter().write($0, width: 3, height: 2, into: mask.mutableView)
        }
        #expect(mask.values == [Array(values[..<3]), Array(values[3...])])
    }

    @Test func refusesTooFewValuesAndFlatRegions() {
        let mask = TestMask(.gray8, 3, 2)
        let values = randomValues(6)
        values.withUnsafeBufferPointer { values in
            #expect(throws: MaskWriterError.tooFewValues(width: 4, height: 2, found: 6)) {
                try MaskWriter().write(values, width: 4, height: 2, into: mask.mutableView)
            }
            let turned = RotatedRectangle(center: Point(x: 0.5, y: 0.5), width: 1, height: 1, angle: 0.1)
            for region in [
                FrameTransform.crop(turned, frame: Size(width: 3, height: 2)),
                .crop(Rectangle(x: 0, y: 0, width: 0, height: 1)),
                .crop(Rectangle(x: 0, y: 1e200, width: 1e-300, height: 1)),
                .crop(Rectangle(x: .nan, y: 0, width: 1, height: 1)),
            ] {
                #expect(throws: MaskWriterError.unsupportedRegion) {
                    try MaskWriter().write(
                        values, width: 3, height: 2, region: region, into: mask.mutableView)
                }
            }
        }
    }
}
