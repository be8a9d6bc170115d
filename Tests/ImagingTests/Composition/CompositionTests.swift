import Imaging
import TestSupport
import Testing

@Suite struct CompositionTests {
    private let compositor = MaskCompositor()

    @Test func onlyAnUntouchedOriginalIsTheIdentity() {
        let weak: [BackgroundEffect] = [
            .blur(Blur(radius: 0)), .highlight(Highlight()), .shadow(Shadow(opacity: 0)),
            .halo(Halo(color: .white, width: 0)),
        ]
        #expect(Composition(source: .original).isIdentity)
        #expect(Composition(source: .original, effects: weak, decontaminate: true, lightWrap: 1).isIdentity)
        #expect(!Composition(source: .color(.black)).isIdentity)
        #expect(!Composition(source: .original, effects: weak + [.blur(Blur(radius: 0.1))]).isIdentity)
        #expect(!Composition(source: .original, effects: [.highlight(Highlight(desaturation: 1))]).isIdentity)
    }

    /// Every mode on an inverted mask equals that mode on one minus the mask.
    @Test(arguments: [PixelFormat.i420, .bgra, .p010])
    func inversionEqualsOneMinusTheMaskInAllModes(format: PixelFormat) throws {
        let (mask, inverse) = (TestMask.blobs(.f32, 20, 11), TestMask(.f32, 20, 11))
        let values = mask.values
        inverse.fill { x, y in 1 - values[y][x] }
        let effects: [BackgroundEffect] = [
            .blur(Blur(radius: 0.05)), .highlight(Highlight(exposure: -1)), .shadow(Shadow(opacity: 0.5)),
            .halo(Halo(color: .white, width: 0.03)),
        ]
        for chosen in effects.map({ [$0] }) + [effects] {
            var composition = Composition(
                source: .original, effects: chosen, decontaminate: true, lightWrap: 0.5)
            let one = TestImage.random(format, (64, 48))
            try compositor.composite(one, inverse, composition)
            composition.invert = true
            let other = TestImage.random(format, (64, 48))
            try compositor.composite(other, mask, composition)
            // One minus a float may round differently in the last place.
            #expect(other.worst { one[$0] } <= 1)
        }
    }

    /// A frame without a mask shows nothing of itself, whatever the composition.
    @Test(arguments: PixelFormat.allCases)
    func coversShowNothingOfTheFrame(format: PixelFormat) throws {
        let effects: [BackgroundEffect] = [
            .blur(Blur(radius: 0.05)), .highlight(Highlight(exposure: 1)), .shadow(Shadow(opacity: 0.5)),
            .halo(Halo(color: .white, width: 0.03)),
        ]
        let picture = TestImage.random(format, (64, 48), seed: 3)
        for source in [BackgroundSource.original, .color(.white), .picture(picture.view)] {
            let composition = Composition(
                source: source, effects: effects, decontaminate: true, lightWrap: 1)
            let frames = [TestImage.random(format, (64, 48)), TestImage.random(format, (64, 48), seed: 2)]
            for frame in frames {
                try compositor.cover(frame.mutableView, composition)
                #expect(frame.canariesAreIntact)
            }
            #expect(frames[0].bytes == frames[1].bytes)
        }
        #expect(picture.canariesAreIntact)
    }
}
