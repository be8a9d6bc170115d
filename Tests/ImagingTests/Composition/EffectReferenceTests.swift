import Imaging
import TestSupport
import Testing

/// Every effect, sample by sample, compared with its definition in doubles.
@Suite struct EffectReferenceTests {
    private let compositor = MaskCompositor()
    private let mask = TestMask.blobs(.f32, 32, 18)

    private static let cases = PixelFormat.allCases.flatMap { format in
        [(31, 17), (64, 48)].map { (format, $0) }
    }
    private static let tallCases = PixelFormat.allCases.map { ($0, (100, 900)) }

    /// Composes a random frame, and returns the largest error of its samples.
    private func worst(
        _ format: PixelFormat, _ size: (Int, Int), _ composition: Composition,
        _ expected: (TestImage, SamplePlace, _ alpha: Double) -> Double
    ) throws -> Double {
        let (frame, original) = (TestImage.random(format, size), TestImage.random(format, size))
        try compositor.composite(frame, mask, composition)
        #expect(frame.canariesAreIntact)
        let alpha = ReferenceMask(mask, frame: frame.view)
        return frame.worst { expected(original, $0, alpha[$0]) }
    }

    private func mix(_ back: Double, _ front: Double, _ alpha: Double) -> Double {
        back + (front - back) * alpha
    }

    @Test(arguments: cases)
    func blurEqualsItsReference(format: PixelFormat, size: (Int, Int)) throws {
        // The cells have 2, 4 and 8 pixels.
        for radius in [0.03, 0.1, 0.3] {
            let original = TestImage.random(format, size)
            let reference = ReferenceBlur(
                Blur(radius: radius), of: original, mask: ReferenceMask(mask, frame: original.view))
            let composition = Composition(source: .original, effects: [.blur(Blur(radius: radius))])
            let worst = try worst(format, size, composition) { original, place, alpha in
                mix(reference.value(at: place), original[place], alpha)
            }
            #expect(worst <= twoRoundings(format), "\(radius)")
        }
    }

    @Test(arguments: cases)
    func pixelationEqualsItsReference(format: PixelFormat, size: (Int, Int)) throws {
        // Squares of one cell of 2 to 8 pixels, and of several.
        for side in [0.05, 0.2, 0.6] {
            let pixelation = Pixelation(side: side)
            let reference = ReferencePixelation(pixelation, of: TestImage.random(format, size))
            let composition = Composition(source: .original, effects: [.pixelate(pixelation)])
            let worst = try worst(format, size, composition) { original, place, alpha in
                mix(reference.value(at: place), original[place], alpha)
            }
            #expect(worst <= twoRoundings(format), "\(side)")
        }
    }

    @Test func pixelationShowsNothingOfASquareButItsMean() throws {
        let frame = TestImage.random(.i420, (48, 32))
        let nobody = TestMask(.gray8, 4, 4)
        try compositor.composite(
            frame, nobody, Composition(source: .original, effects: [.pixelate(Pixelation(side: 0.5))]))
        for component in 0..<3 {
            let (width, side) = (component == 0 ? 48 : 24, component == 0 ? 16 : 8)
            for y in 0..<(component == 0 ? 32 : 16) {
                for x in 0..<width {
                    #expect(frame[component, x, y] == frame[component, x / side * side, y / side * side])
                }
            }
        }
    }

    @Test(arguments: cases)
    func shadowEqualsItsReference(format: PixelFormat, size: (Int, Int)) throws {
        let picture = TestImage.random(format, size, seed: 2)
        let color = ReferenceColor(format: format, colorimetry: picture.view.colorimetry)
        for radius in [0.02, 0.1] {
            let shadow = Shadow(opacity: 0.7, x: 0.13, y: -0.06, radius: radius)
            let shade = ReferenceLayers(mask: mask, frame: picture.view).shadow(shadow)
            let composition = Composition(source: .picture(picture.view), effects: [.shadow(shadow)])
            let worst = try worst(format, size, composition) { original, place, alpha in
                mix(mix(picture[place], color.code(.black, place.part), shade[place]), original[place], alpha)
            }
            #expect(worst <= twoRoundings(format), "\(radius)")
        }
    }

    @Test(arguments: cases)
    func haloEqualsItsReference(format: PixelFormat, size: (Int, Int)) throws {
        let picture = TestImage.random(format, size, seed: 2)
        let yellow = RGBColor(red: 250, green: 220, blue: 10)
        let color = ReferenceColor(format: format, colorimetry: picture.view.colorimetry)
        let halo = Halo(color: yellow, width: 0.08)
        let ring = ReferenceLayers(mask: mask, frame: picture.view).halo(halo)
        let composition = Composition(source: .picture(picture.view), effects: [.halo(halo)])
        let worst = try worst(format, size, composition) { original, place, alpha in
            let laid = color.code(yellow, place.part).rounded()
            return mix(mix(picture[place], laid, ring(place)), original[place], alpha)
        }
        #expect(worst <= twoRoundings(format))
    }

    @Test(arguments: cases + tallCases)
    func decontaminationEqualsItsReference(format: PixelFormat, size: (Int, Int)) throws {
        let picture = TestImage.random(format, size, seed: 2)
        let original = TestImage.random(format, size)
        let foreground = ReferenceForeground(original, ReferenceMask(mask, frame: original.view))
        let composition = Composition(source: .picture(picture.view), decontaminate: true)
        let worst = try worst(format, size, composition) { original, place, alpha in
            // Pixels that are certainly subject or background keep their colours.
            let certain = 0.5 / original.maximum
            guard alpha > certain, alpha < 1 - certain else {
                return mix(picture[place], original[place], alpha)
            }
            return mix(picture[place], foreground.value(at: place), alpha)
        }
        #expect(worst <= twoRoundings(format) + original.maximum / 2000)
    }

    @Test(arguments: cases)
    func lightWrapEqualsItsReference(format: PixelFormat, size: (Int, Int)) throws {
        let color = ReferenceColor(format: format, colorimetry: Colorimetry())
        let edge = ReferenceLayers(mask: mask, frame: TestImage.random(format, size).view).edgeLight(
            strength: 0.6)
        let composition = Composition(source: .color(.white), lightWrap: 0.6)
        let worst = try worst(format, size, composition) { original, place, alpha in
            let white = color.code(.white, place.part)
            return mix(mix(white, original[place], alpha), white, edge[place])
        }
        #expect(worst <= twoRoundings(format))
    }
}
