import Imaging
import TestSupport
import Testing

@Suite struct MaskPictureTests {
    private let compositor = MaskCompositor()

    @Test(arguments: PixelFormat.allCases)
    func showsTheMaskFromBlackToWhite(format: PixelFormat) {
        for size in testSizes {
            for range in [Colorimetry.Range.limited, .full] {
                let colorimetry = Colorimetry(range: range)
                let frame = TestImage.random(format, size, colorimetry: colorimetry)
                let mask = TestMask.blobs(.f32, 16, 9)
                compositor.showMask(frame.mutableView, mask: mask.view)
                let alpha = ReferenceMask(mask, frame: frame.view)
                let color = ReferenceColor(format: format, colorimetry: colorimetry)
                let worst = frame.worst { place in
                    let (black, white) = (color.code(.black, place.part), color.code(.white, place.part))
                    return black + (white - black) * alpha[place]
                }
                #expect(worst <= 1.01, "\(size) \(range)")
                #expect(frame.canariesAreIntact)
            }
        }
    }

    @Test func inversionExchangesBlackAndWhite() {
        let (frame, mask) = (TestImage.random(.gray8, (64, 48)), TestMask.blobs(.f32, 16, 9))
        compositor.showMask(frame.mutableView, mask: mask.view, invert: true)
        let alpha = ReferenceMask(mask, frame: frame.view)
        #expect(frame.worst { 235 - 219 * alpha[$0] } <= 1.01)
    }
}
