import Imaging
import TestSupport
import Testing

@Suite struct TensorSamplerTests {
    /// The parameters of a test, chosen at random.
    private struct Case {
        var input: TensorInput
        var region: FrameTransform
        var colorimetry: Colorimetry
    }

    private func run(_ input: TensorInput, _ image: TestImage, _ region: FrameTransform) throws -> [Float] {
        let canary: Float = -12345
        var tensor = [Float](repeating: canary, count: input.valueCount + 16)
        let sampler = try TensorSampler(input)
        try tensor.withUnsafeMutableBufferPointer { try sampler.sample(image.view, region: region, into: $0) }
        #expect(tensor[input.valueCount...].allSatisfy { $0 == canary }, "wrote past the tensor")
        return [Float](tensor[..<input.valueCount])
    }

    /// Returns the largest difference from `expected`, in units of 1 / 255 of the value range.
    private func worst(
        _ tensor: [Float], _ input: TensorInput, expected: (_ x: Int, _ y: Int) -> [Double]
    ) -> Double {
        var worst = 0.0
        for y in 0..<input.height {
            for x in 0..<input.width {
                let rgb = expected(x, y)
                for channel in 0..<3 {
                    let value = Double(tensor[input.offset(x: x, y: y, channel: channel)])
                    let level = 255 * (value - Double(input.low)) / Double(input.high - input.low)
                    worst = max(worst, abs(level - rgb[channel]))
                }
            }
        }
        return worst
    }

    private func randomCase(_ generator: inout SeededGenerator, filter: TensorSampler.Filter) -> Case {
        let sizes = [(1, 1), (5, 3), (16, 9), (70, 50)]
        let (width, height) = sizes.randomElement(using: &generator) ?? (1, 1)
        let (low, high) =
            [(Float(0), Float(1)), (-1, 1), (0, 255)].randomElement(using: &generator) ?? (0, 1)
        let crop = Rectangle(
            x: generator.number(-0.5...0.8), y: generator.number(-0.5...0.8),
            width: generator.number(0.05...2), height: generator.number(0.05...2))
        let orientation = ImageOrientation.allCases.randomElement(using: &generator) ?? .up
        let region = Bool.random(using: &generator) ? FrameTransform.identity : .crop(crop)
        return Case(
            input: TensorInput(
                width: width, height: height, layout: Bool.random(using: &generator) ? .nhwc : .nchw,
                low: low, high: high, filter: filter,
                border: Bool.random(using: &generator) ? .replicate : .black),
            region: FrameTransform.orientation(orientation).followed(by: region),
            colorimetry: testColorimetries.randomElement(using: &generator) ?? Colorimetry())
    }

    @Test(arguments: PixelFormat.allCases, [TensorSampler.Filter.bilinear, .area])
    func uprightRegionsMatchTheReference(format: PixelFormat, filter: TensorSampler.Filter) throws {
        var generator = SeededGenerator(seed: 7)
        for size in testSizes {
            for _ in 0..<12 {
                let test = randomCase(&generator, filter: filter)
                let image = TestImage.random(format, size, colorimetry: test.colorimetry)
                let reference = ReferenceSampler(image: image, border: test.input.border)
                let map = pixelMap(test, image)
                let tensor = try run(test.input, image, test.region)
                let box = filter == .area ? boxSize(map) : (0, 0)
                let difference = worst(tensor, test.input) { x, y in
                    let position = map.map(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
                    return reference.rgb(x: position.x, y: position.y, boxWidth: box.0, boxHeight: box.1)
                }
                #expect(difference < 0.01, "\(format) \(size) \(test)")
            }
        }
    }

    /// The tensor's rows are at fifths, halves and quarters of the image's, for which bytes are combined in
    /// integers.
    @Test(arguments: PixelFormat.allCases, [(80, 45), (40, 30), (24, 18)])
    func plainRatiosMatchTheReference(format: PixelFormat, size: (Int, Int)) throws {
        let image = TestImage.random(format, size)
        for border in [TensorSampler.Border.replicate, .black] {
            for region in [FrameTransform.identity, .orientation(.down)] {
                let input = TensorInput(width: 16, height: 9, low: 0, high: 255, border: border)
                let test = Case(input: input, region: region, colorimetry: image.view.colorimetry)
                let reference = ReferenceSampler(image: image, border: border)
                let map = pixelMap(test, image)
                let difference = worst(try run(input, image, region), input) { x, y in
                    let position = map.map(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
                    return reference.rgb(x: position.x, y: position.y)
                }
                #expect(difference < 0.01, "\(region)")
            }
        }
    }

    private func pixelMap(_ test: Case, _ image: TestImage) -> FrameTransform {
        FrameTransform.pixels(
            Size(width: 1 / Double(test.input.width), height: 1 / Double(test.input.height))
        )
        .followed(by: test.region)
        .followed(by: .pixels(Size(width: image.view.width, height: image.view.height)))
    }

    private func boxSize(_ map: FrameTransform) -> (Double, Double) {
        (abs(map.xx) + abs(map.xy), abs(map.yx) + abs(map.yy))
    }

    @Test(arguments: PixelFormat.allCases, [TensorSampler.Border.replicate, .black])
    func turnedRegionsMatchTheReference(format: PixelFormat, border: TensorSampler.Border) throws {
        var generator = SeededGenerator(seed: 3)
        for size in testSizes {
            for _ in 0..<6 {
                let turned = RotatedRectangle(
                    center: Point(x: generator.number(-0.2...1.2), y: generator.number(-0.2...1.2)),
                    width: generator.number(0.1...1.5),
                    height: generator.number(0.1...1.5), angle: generator.number(-4...4))
                let test = Case(
                    input: TensorInput(width: 13, height: 10, low: -1, high: 1, border: border),
                    region: .crop(turned, frame: Size(width: size.0, height: size.1)),
                    colorimetry: testColorimetries.randomElement(using: &generator) ?? Colorimetry())
                let image = TestImage.random(format, size, colorimetry: test.colorimetry)
                let reference = ReferenceSampler(image: image, border: border)
                let map = pixelMap(test, image)
                let difference = worst(try run(test.input, image, test.region), test.input) { x, y in
                    let position = map.map(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
                    return reference.rgb(x: position.x, y: position.y)
                }
                #expect(difference < 0.02, "\(format) \(size) \(turned)")
            }
        }
    }

    /// A slow ramp has the same average over any small area, rotated or not.
    @Test(arguments: PixelFormat.allCases)
    func turnedAreaAveragesShrunkenPixels(format: PixelFormat) throws {
        let image = TestImage(format, 64, 64, colorimetry: Colorimetry(range: .full, chromaSite: .jpeg))
        // Stripes of one pixel on a ramp: point samples would alias, areas give grey.
        image.paint { x, y in
            let level = UInt8(clamping: 60 + x + y + ((x / 2) % 2 == 0 ? 40 : -40))
            return RGBColor(red: level, green: level, blue: level)
        }
        let turned = RotatedRectangle(center: Point(x: 0.5, y: 0.5), width: 0.6, height: 0.6, angle: 0.5)
        let region = FrameTransform.crop(turned, frame: Size(width: 64, height: 64))
        let input = TensorInput(width: 5, height: 5, low: 0, high: 255, filter: .area)
        let tensor = try run(input, image, region)
        let difference = worst(tensor, input) { x, y in
            let point = region.map(Point(x: (Double(x) + 0.5) / 5, y: (Double(y) + 0.5) / 5))
            return [Double](repeating: 60 + 64 * (point.x + point.y) - 1, count: 3)
        }
        #expect(difference < 9)
    }

    @Test func areaEqualsBilinearWhenEnlarging() throws {
        let image = TestImage.random(.i420, (17, 9))
        let bilinear = TensorInput(width: 70, height: 50, filter: .bilinear)
        let area = TensorInput(width: 70, height: 50, filter: .area)
        #expect(try run(bilinear, image, .identity) == run(area, image, .identity))
    }

    @Test func greyGivesEqualChannels() throws {
        let image = TestImage.random(.gray8, (17, 9), colorimetry: Colorimetry(range: .full))
        let input = TensorInput(width: 17, height: 9, low: 0, high: 255)
        let tensor = try run(input, image, .identity)
        for y in 0..<9 {
            for x in 0..<17 {
                for channel in 0..<3 {
                    #expect(tensor[input.offset(x: x, y: y, channel: channel)] == Float(image[0, x, y]))
                }
            }
        }
    }

    @Test func oneSamplerServesChangingFrames() throws {
        let input = TensorInput(width: 16, height: 9, filter: .area)
        let sampler = try TensorSampler(input)
        for format in PixelFormat.allCases {
            for size in testSizes {
                for region in [FrameTransform.identity, .orientation(.left)] {
                    let image = TestImage.random(format, size)
                    var reused = [Float](repeating: 0, count: input.valueCount)
                    try reused.withUnsafeMutableBufferPointer {
                        try sampler.sample(image.view, region: region, into: $0)
                    }
                    #expect(try reused == run(input, image, region))
                    #expect(image.canariesAreIntact)
                }
            }
        }
    }

    @Test func refusesInvalidSizesAndMemory() throws {
        #expect(throws: SamplingError.sizeOutOfRange(width: 0, height: 5)) {
            try TensorSampler(TensorInput(width: 0, height: 5))
        }
        let sampler = try TensorSampler(TensorInput(width: 4, height: 4))
        let image = TestImage.random(.rgb, (3, 5))
        var tensor = [Float](repeating: 7, count: 48)
        tensor.withUnsafeMutableBufferPointer { tensor in
            let short = UnsafeMutableBufferPointer(rebasing: tensor[..<47])
            #expect(throws: SamplingError.tensorTooSmall(needed: 48, found: 47)) {
                try sampler.sample(image.view, into: short)
            }
            for wrong in [Double.nan, .infinity, 1e300] {
                let region = FrameTransform.crop(Rectangle(x: wrong, y: 0, width: 1, height: 1))
                #expect(throws: SamplingError.regionOutOfRange) {
                    try sampler.sample(image.view, region: region, into: tensor)
                }
            }
        }
        #expect(tensor.allSatisfy { $0 == 7 })
    }

    @Test(arguments: [FrameTransform.identity, .orientation(.right)])
    func survivesExtremeRegions(orientation: FrameTransform) throws {
        let image = TestImage.random(.nv12, (17, 9))
        for (center, size, angle) in [(1e5, 1, 0), (0.5, 1e6, 0), (0.5, 1e-9, 0.3), (-1e5, 1e4, 0.3)] {
            let rectangle = RotatedRectangle(
                center: Point(x: center, y: center), width: size, height: size, angle: angle)
            for filter in [TensorSampler.Filter.bilinear, .area] {
                let input = TensorInput(width: 5, height: 3, filter: filter, border: .black)
                let region = orientation.followed(by: .crop(rectangle, frame: Size(width: 17, height: 9)))
                #expect(try run(input, image, region).allSatisfy { (0...1).contains($0) })
            }
        }
    }
}
