import Imaging
import TestSupport
import Testing

@Suite struct HighlightTests {
    private let compositor = MaskCompositor()
    private static let highlights = [
        Highlight(exposure: -1.5), Highlight(exposure: 0.8), Highlight(desaturation: 1),
        Highlight(exposure: -0.4, desaturation: 0.6), Highlight(exposure: 2, desaturation: 0.3),
    ]

    @Test(arguments: PixelFormat.allCases, highlights)
    func framesMatchTheReference(format: PixelFormat, highlight: Highlight) throws {
        for size in testSizes {
            for range in [Colorimetry.Range.limited, .full] {
                let colorimetry = Colorimetry(matrix: .bt709, range: range)
                let frame = TestImage.random(format, size, colorimetry: colorimetry)
                let original = TestImage.random(format, size, colorimetry: colorimetry)
                let mask = TestMask.blobs(.f32, 16, 9)
                let composition = Composition(source: .original, effects: [.highlight(highlight)])
                try compositor.composite(frame, mask, composition)
                let (reference, alpha) = (
                    ReferenceHighlight(highlight: highlight, image: original),
                    ReferenceMask(mask, frame: original.view)
                )
                let worst = frame.worst { place in
                    let background = reference.value(at: place)
                    return background + (original[place] - background) * alpha[place]
                }
                #expect(worst <= twoRoundings(format), "\(size) \(range)")
                #expect(frame.canariesAreIntact)
            }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func certainBackgroundIsWithinHalfACodeValue(format: PixelFormat) throws {
        let highlight = Highlight(exposure: -0.7, desaturation: 0.5)
        let (frame, original) = (TestImage.random(format, (17, 9)), TestImage.random(format, (17, 9)))
        let composition = Composition(source: .original, effects: [.highlight(highlight)])
        try compositor.composite(frame, TestMask(.gray8, 8, 8), composition)
        let reference = ReferenceHighlight(highlight: highlight, image: original)
        #expect(frame.worst { reference.value(at: $0) } <= 0.51)
    }

    @Test func appliesToPicturesAndCovers() throws {
        let highlight = Highlight(exposure: 1)
        let picture = TestImage.random(.nv12, (64, 48), seed: 2)
        let reference = ReferenceHighlight(highlight: highlight, image: picture)
        let composition = Composition(source: .picture(picture.view), effects: [.highlight(highlight)])
        let (blended, covered) = (TestImage.random(.nv12, (64, 48)), TestImage.random(.nv12, (64, 48)))
        try compositor.composite(blended, TestMask(.gray8, 8, 8), composition)
        try compositor.cover(covered.mutableView, composition)
        #expect(blended.worst { reference.value(at: $0) } <= 0.51)
        #expect(covered.bytes == blended.bytes)
    }

    /// Twice the light gives the code of twice the light, and black stays black.
    @Test func highDynamicRangeFollowsTheTransferFunctions() throws {
        // In ST 2084, 0.5081 is 100 cd/m2 and 0.5791 is 200 cd/m2.
        let pq = Colorimetry(matrix: .bt2020, range: .full, transfer: .pq)
        let frame = TestImage(.gray16, 4, 4, colorimetry: pq)
        for x in 0..<4 { frame[0, x, 0] = x == 3 ? 0 : UInt16(0.50808 * 65535) }
        let composition = Composition(source: .original, effects: [.highlight(Highlight(exposure: 1))])
        try compositor.composite(frame, TestMask(.gray8, 8, 8), composition)
        #expect(abs(Double(frame[0, 0, 0]) / 65535 - 0.5791) < 0.0005)
        #expect(frame[0, 3, 0] == 0)
    }
}
