import Imaging
import TestSupport
import Testing

@Suite struct TransparencyTests {
    private let compositor = MaskCompositor()
    static let formats = PixelFormat.allCases.filter { $0.layout.alpha != nil }

    private func cutOut(
        _ format: PixelFormat, _ size: (Int, Int), _ mask: TestMask, premultiplied: Bool,
        effects: [BackgroundEffect] = []
    ) throws -> TestImage {
        let frame = TestImage.random(format, size)
        try compositor.composite(
            frame, mask,
            Composition(source: .transparent(premultiplied: premultiplied), effects: effects))
        #expect(frame.canariesAreIntact)
        return frame
    }

    @Test(arguments: formats)
    func straightAlphaKeepsColors(format: PixelFormat) throws {
        for size in testSizes {
            let mask = TestMask.blobs(.f32, 16, 9)
            let (frame, original) = (
                try cutOut(format, size, mask, premultiplied: false), TestImage.random(format, size)
            )
            let alpha = ReferenceMask(mask, frame: frame.view)
            let color = ReferenceColor(format: format, colorimetry: frame.view.colorimetry)
            let worst = frame.worst { place in
                if place.part == 3 { return original[place] * alpha[place] }
                // Invisible pixels are cleared; where alpha rounds to 0, both results are allowed.
                if alpha[place] < 0.6 / original.maximum {
                    return alpha[place] == 0 ? color.code(.black, place.part) : nil
                }
                return original[place]
            }
            #expect(worst <= 1.01, "\(size)")
        }
    }

    @Test(arguments: formats)
    func premultipliedColorsAreTimesTheMask(format: PixelFormat) throws {
        for size in testSizes {
            let mask = TestMask.blobs(.f32, 16, 9)
            let (frame, original) = (
                try cutOut(format, size, mask, premultiplied: true), TestImage.random(format, size)
            )
            let alpha = ReferenceMask(mask, frame: frame.view)
            let color = ReferenceColor(format: format, colorimetry: frame.view.colorimetry)
            let worst = frame.worst { place in
                let black = place.part == 3 ? 0 : color.code(.black, place.part).rounded()
                return black + (original[place] - black) * alpha[place]
            }
            #expect(worst <= 1.01, "\(size)")
        }
    }

    /// With layers, a straight image over any other looks like a premultiplied one.
    @Test(arguments: formats)
    func layersContributeAlpha(format: PixelFormat) throws {
        let (size, mask) = ((64, 48), TestMask.blobs(.f32, 16, 9))
        let effects: [BackgroundEffect] = [
            .shadow(Shadow(opacity: 0.7, x: 0.1, y: 0.05, radius: 0.02)),
            .halo(Halo(color: RGBColor(red: 240, green: 180, blue: 40), width: 0.05)),
        ]
        let straight = TestImage(format, size.0, size.1)
        straight.paint { _, _ in RGBColor(red: 60, green: 200, blue: 120) }
        straight.fillAlpha()
        let premultiplied = TestImage(format, size.0, size.1)
        premultiplied.paint { _, _ in RGBColor(red: 60, green: 200, blue: 120) }
        premultiplied.fillAlpha()
        for (image, isPremultiplied) in [(straight, false), (premultiplied, true)] {
            try compositor.composite(
                image, mask,
                Composition(source: .transparent(premultiplied: isPremultiplied), effects: effects))
        }
        let color = ReferenceColor(format: format, colorimetry: straight.view.colorimetry)
        let isSubsampled = format.layout.component(1).widthShift > 0
        let worst = premultiplied.worst { place in
            if place.part == 3 { return straight[place] }
            guard !isSubsampled || place.part == 0 else { return nil }
            let black = color.code(.black, place.part).rounded()
            let alpha = straight.alpha(beside: place) / straight.maximum
            return black + (straight[place] - black) * alpha
        }
        #expect(worst <= 2)
        #expect(Set((0..<64).map { straight[3, $0, 24] }).count > 4)
    }

    @Test(arguments: formats)
    func coversAreEmpty(format: PixelFormat) throws {
        let frame = TestImage.random(format, (17, 9))
        try compositor.cover(frame.mutableView, Composition(source: .transparent(premultiplied: false)))
        let color = ReferenceColor(format: format, colorimetry: frame.view.colorimetry)
        #expect(frame.worst { $0.part == 3 ? 0 : color.code(.black, $0.part).rounded() } == 0)
    }

    @Test func formatsWithoutAlphaAreRefused() {
        let frame = TestImage.random(.i420, (17, 9))
        let before = frame.bytes
        #expect(throws: CompositingError.noAlpha(.i420)) {
            try compositor.composite(
                frame, TestMask(.gray8, 4, 4),
                Composition(source: .transparent(premultiplied: true)))
        }
        #expect(frame.bytes == before)
    }
}

extension TestImage {
    /// Makes alpha full.
    fileprivate func fillAlpha() {
        for y in 0..<view.height {
            for x in 0..<view.width { self[3, x, y] = UInt16(view.format.layout.maximum) }
        }
    }

    /// Returns the alpha of a full-size sample's pixel.
    fileprivate func alpha(beside place: SamplePlace) -> Double {
        let layout = view.format.layout
        let x = place.index * layout.bytesPerSample / layout.component(0).pixelStride
        return Double(self[3, x, place.row])
    }
}
