import Imaging
import TestSupport
import Testing

@Suite struct ShadowTests {
    private let compositor = MaskCompositor()

    /// Returns a mask displaced by whole mask values, with replicated edges.
    private func displaced(_ mask: TestMask, _ dx: Int, _ dy: Int, opacity: Float) -> TestMask {
        let shifted = TestMask(.f32, mask.view.width, mask.view.height)
        let values = mask.values
        shifted.fill { x, y in
            let row = values[min(max(y - dy, 0), values.count - 1)]
            return row[min(max(x - dx, 0), row.count - 1)] * opacity
        }
        return shifted
    }

    @Test(arguments: PixelFormat.allCases)
    func hardShadowsAreTheDisplacedMask(format: PixelFormat) throws {
        for size in [(17, 9), (64, 48)] {
            let mask = TestMask.blobs(.gray8, 16, 9)
            let aspect = Double(size.0) / Double(size.1)
            // The offset is two mask values to the right and one up.
            let shadow = Shadow(opacity: 0.6, x: 2 * aspect / 16, y: -1.0 / 9, radius: 0)
            let (frame, original) = (TestImage.random(format, size), TestImage.random(format, size))
            let picture = TestImage.random(format, size, seed: 2)
            try compositor.composite(
                frame, mask,
                Composition(source: .picture(picture.view), effects: [.shadow(shadow)]))
            let alpha = ReferenceMask(mask, frame: frame.view)
            let shade = ReferenceMask(displaced(mask, 2, -1, opacity: 0.6), frame: frame.view)
            let color = ReferenceColor(format: format, colorimetry: frame.view.colorimetry)
            let worst = frame.worst { place in
                let black = color.code(.black, place.part)
                let background = picture[place] + (black - picture[place]) * shade[place]
                return background + (original[place] - background) * alpha[place]
            }
            #expect(worst <= twoRoundings(format), "\(size)")
            #expect(frame.canariesAreIntact)
        }
    }

    /// A blurred edge is half as dark on the edge and monotone across it.
    @Test(arguments: [PixelFormat.gray8, .gray16, .bgrx, .p010])
    func softShadowsAreSmooth(format: PixelFormat) throws {
        let mask = TestMask(.gray8, 64, 36)
        mask.fill { x, _ in x < 20 ? 1 : 0 }
        let frame = TestImage(format, 640, 360, colorimetry: Colorimetry(range: .full))
        let shadow = Shadow(opacity: 1, x: 0.25, y: 0, radius: 0.05)
        try compositor.composite(frame, mask, Composition(source: .color(.white), effects: [.shadow(shadow)]))
        let row = (210..<640).map { Double(frame[0, $0, 100]) / frame.maximum }
        let isRising = zip(row, row.dropFirst()).allSatisfy { $0 <= $1 }
        #expect(isRising && row[0] < 0.1 && row[429] == 1)
        // The edge is 200 pixels of subject and 90 of displacement to the right.
        #expect(abs(row[80] - 0.5) < 0.03)
        // A Gaussian of 18 pixels passes 16 % and 84 % one standard deviation away.
        #expect(abs(row[62] - 0.16) < 0.03 && abs(row[98] - 0.84) < 0.03)
    }

    @Test func absurdValuesAreLimited() throws {
        let mask = TestMask.blobs(.gray8, 16, 9)
        for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
            let frame = TestImage.random(.i420, (64, 48))
            let shadow = Shadow(opacity: 1, x: value, y: value, radius: value)
            let halo = Halo(color: .white, width: value)
            let highlight = Highlight(exposure: value, desaturation: value)
            try compositor.composite(
                frame, mask,
                Composition(
                    source: .original,
                    effects: [
                        .shadow(shadow), .halo(halo), .highlight(highlight), .blur(Blur(radius: value)),
                    ], decontaminate: true, lightWrap: value))
            #expect(frame.canariesAreIntact)
        }
    }
}
