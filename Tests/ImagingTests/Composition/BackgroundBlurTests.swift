import Glibc
import Imaging
import TestSupport
import Testing

@Suite struct BackgroundBlurTests {
    private let compositor = MaskCompositor()

    private func blur(_ image: TestImage, radius: Double, mask: TestMask? = nil) throws {
        let mask = mask ?? TestMask(.gray8, 8, 8)
        let composition = Composition(source: .original, effects: [.blur(Blur(radius: radius))])
        try compositor.composite(image.mutableView, mask: mask.view, composition)
        #expect(image.canariesAreIntact)
    }

    private func grey(_ level: UInt8) -> RGBColor { RGBColor(red: level, green: level, blue: level) }

    @Test(arguments: PixelFormat.allCases)
    func constantPicturesStayConstant(format: PixelFormat) throws {
        let color = RGBColor(red: 200, green: 90, blue: 40)
        for size in testSizes + [(130, 70)] {
            for radius in [0.01, 0.05, 0.2, 0.5, 7] {
                let image = TestImage(format, size.0, size.1)
                try compositor.cover(image.mutableView, Composition(source: .color(color)))
                let before = image.bytes
                try blur(image, radius: radius, mask: .blobs(.f32, 20, 11))
                #expect(image.bytes == before, "\(size) \(radius)")
            }
        }
    }

    @Test(arguments: [0, -1, 0.0001, Double.nan, -Double.infinity])
    func blursThatCannotBeSeenChangeNothing(radius: Double) throws {
        let image = TestImage.random(.i420, (64, 48))
        let before = image.bytes
        try blur(image, radius: radius)
        #expect(image.bytes == before)
    }

    /// Returns the largest difference of two images of one format; `column` may choose another column for
    /// comparison.
    private func worst(
        _ image: TestImage, _ other: TestImage, column: (_ x: Int, _ width: Int) -> Int = { x, _ in x }
    ) -> Int {
        var worst = 0
        for index in 0..<image.view.format.layout.colorCount {
            let part = image.view.format.layout.component(index)
            let width = part.sampleWidth(image.view.width)
            for y in 0..<part.sampleHeight(image.view.height) {
                for x in 0..<width {
                    let difference = Int(image[index, x, y]) - Int(other[index, column(x, width), y])
                    worst = max(worst, abs(difference))
                }
            }
        }
        return worst
    }

    /// Returns each component's exact Gaussian blur, mirrored at the edges.
    private func gaussian(_ image: TestImage, _ index: Int, sigma: Double) -> [[Double]] {
        let part = image.view.format.layout.component(index)
        let (width, height) = (part.sampleWidth(image.view.width), part.sampleHeight(image.view.height))
        let across = kernel(width, sigma / Double(1 << part.widthShift))
        let down = kernel(height, sigma / Double(1 << part.heightShift))
        let rows = (0..<height).map { y in
            (0..<width).map { x in
                (0..<width).reduce(0.0) { $0 + across[x][$1] * Double(image[index, $1, y]) }
            }
        }
        return (0..<height).map { y in
            (0..<width).map { x in (0..<height).reduce(0.0) { $0 + down[y][$1] * rows[$1][x] } }
        }
    }

    /// Returns the weights of all inputs for each output, with those of mirror images added.
    private func kernel(_ count: Int, _ sigma: Double) -> [[Double]] {
        (0..<count).map { center in
            var weights = [Double](repeating: 0, count: count)
            for source in (-2 * count)..<(3 * count) {
                let inside = (source + 2 * count) % (2 * count)
                let distance = Double(source - center) / sigma
                weights[min(inside, 2 * count - 1 - inside)] += exp(-0.5 * distance * distance)
            }
            let sum = weights.reduce(0, +)
            return weights.map { $0 / sum }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func approximatesAGaussian(format: PixelFormat) throws {
        // Sigma is 4.8, 9.6 and 19.2 pixels, which gives cells of 2, 6 and 8 pixels.
        for radius in [0.1, 0.2, 0.4] {
            let image = TestImage(format, 64, 48)
            image.paint { x, y in
                RGBColor(
                    red: x < 25 ? 20 : 220, green: UInt8(y * 5),
                    blue: (x - 32) * (x - 32) + (y - 24) * (y - 24) < 225 ? 240 : 30)
            }
            let expected = (0..<format.layout.colorCount).map { gaussian(image, $0, sigma: radius * 48) }
            try blur(image, radius: radius)
            for index in 0..<format.layout.colorCount {
                var largest = 0.0
                for (y, row) in expected[index].enumerated() {
                    for (x, value) in row.enumerated() {
                        largest = max(largest, abs(Double(image[index, x, y]) - value))
                    }
                }
                // The limit is about 4 % of the steepest edge, where the boxes fit sigma worst.
                #expect(largest < 0.04 * Double(format.layout.maximum), "radius \(radius) component \(index)")
            }
        }
    }

    /// The blur of a still image is reused while its revision stays, so a change of its samples has no
    /// effect.
    @Test(arguments: PixelFormat.allCases)
    func stillPicturesAreBlurredOnce(format: PixelFormat) throws {
        let (still, other) = (TestImage.random(format, (64, 48)), TestImage.random(format, (64, 48), seed: 2))
        let picture = TestImage.random(format, (64, 48))
        let mask = TestMask.blobs(.f32, 20, 11)
        let show = { (picture: TestImage, revision: UInt64?, radius: Double) in
            let frame = TestImage.random(format, (64, 48), seed: 3)
            let source = BackgroundSource.picture(picture.view, revision: revision)
            let composition = Composition(
                source: source,
                effects: [.blur(Blur(radius: radius)), .halo(Halo(color: .white, width: 0.03))],
                lightWrap: 0.5)
            try compositor.composite(frame, mask, composition)
            #expect(frame.canariesAreIntact)
            return frame.bytes
        }
        let plain = try show(still, nil, 0.1)
        #expect(try show(picture, 1, 0.1) == plain)
        picture.fillRandomly(seed: 2)
        for _ in 0..<5 { #expect(try show(picture, 1, 0.1) == plain) }
        // The samples are read again for another revision, for another blur, and without a revision.
        #expect(try show(picture, 2, 0.1) == show(other, nil, 0.1))
        #expect(try show(picture, 2, 0.2) == show(other, nil, 0.2))
        picture.fillRandomly(seed: 1)
        #expect(try show(picture, nil, 0.2) == show(still, nil, 0.2))
        #expect(try show(picture, 2, 0.1) == plain)
    }

    @Test(arguments: PixelFormat.allCases)
    func subjectColorsDoNotBleed(format: PixelFormat) throws {
        let image = TestImage(format, 96, 64)
        let isSubject = { (x: Int, y: Int) in (32..<64).contains(x) && (16..<64).contains(y) }
        image.paint { x, y in isSubject(x, y) ? RGBColor(red: 255, green: 0, blue: 0) : self.grey(128) }
        let before = TestImage(format, 96, 64)
        before.paint { x, y in isSubject(x, y) ? RGBColor(red: 255, green: 0, blue: 0) : self.grey(128) }
        let mask = TestMask(.gray8, 96, 64)
        // The mask reaches one pixel beyond the subject, as soft edges do, so that chroma pairs are inside.
        mask.fill { x, y in (30..<66).contains(x) && (14..<64).contains(y) ? 1 : 0 }
        for radius in [0.05, 0.1, 0.4] {
            try blur(image, radius: radius, mask: mask)
            // Pixels of the subject have a weight of 1 / 256, so that there is a colour even if all is
            // subject.
            #expect(worst(image, before) <= max(1, format.layout.maximum / 400), "radius \(radius)")
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func mirroredFramesGiveMirroredResults(format: PixelFormat) throws {
        let (width, height) = (64, 48)
        let color = { (x: Int, y: Int) in
            RGBColor(
                red: UInt8((x / 4 * 37 + y / 2 * 11) % 256), green: x < 20 ? 10 : 240, blue: UInt8(y * 5))
        }
        let (image, mirrored) = (TestImage(format, width, height), TestImage(format, width, height))
        image.paint { color($0 & ~3, $1) }
        mirrored.paint { color((width - 1 - $0) & ~3, $1) }
        for radius in [0.03, 0.1, 0.3] {
            try blur(image, radius: radius)
            try blur(mirrored, radius: radius)
            #expect(worst(image, mirrored) { x, width in width - 1 - x } <= 1, "radius \(radius)")
        }
    }

    /// Brightness that the blur takes from the middle must appear around it.
    @Test func brightnessIsKept() throws {
        for radius in [0.03, 0.06] {
            let image = TestImage(.gray8, 160, 160)
            image.paint { x, y in self.grey((60..<100).contains(x) && (70..<90).contains(y) ? 235 : 100) }
            let before = image.bytes.reduce(0) { $0 + Int($1) }
            try blur(image, radius: radius)
            let after = image.bytes.reduce(0) { $0 + Int($1) }
            #expect(abs(after - before) < image.bytes.count / 4)
        }
    }

    /// Blocks or facets would appear as steps; a Gaussian edge is nowhere steeper than height / (sigma *
    /// sqrt(2 pi)).
    @Test(arguments: [0.1, 0.2, 0.4])
    func strongBlursAreSmooth(radius: Double) throws {
        let image = TestImage(.gray8, 320, 240, colorimetry: Colorimetry(range: .full))
        image.paint { x, _ in self.grey(x < 160 ? 0 : 255) }
        try blur(image, radius: radius)
        let steepest = 255 / (radius * 240 * 2.5066)
        for y in [0, 119, 239] {
            for x in 1..<320 {
                let step = Double(image[0, x, y]) - Double(image[0, x - 1, y])
                #expect(step >= 0 && step <= 1.1 * steepest + 1, "\(x)")
            }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func subjectsAreUntouched(format: PixelFormat) throws {
        let mask = TestMask(.f16, 10, 10)
        mask.fill { _, _ in 1 }
        let image = TestImage.random(format, (64, 48))
        let before = image.bytes
        try blur(image, radius: 0.1, mask: mask)
        #expect(image.bytes == before)
    }

    /// If no background is known, the frame's own colours are used: no division by zero, no holes.
    @Test func doubtfulMasksStillBlur() throws {
        let mask = TestMask(.f32, 10, 10)
        mask.fill { _, _ in 0.998 }
        let image = TestImage(.gray8, 64, 48)
        image.paint { _, _ in self.grey(77) }
        let before = image.bytes
        try blur(image, radius: 0.1, mask: mask)
        #expect(image.bytes == before)
    }
}
