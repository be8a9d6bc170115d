import Imaging
import TestSupport
import Testing

@Suite struct HorizontalFlipTests {
    /// Every component's samples are reversed, in the image's own format; all other bytes stay.
    @Test(arguments: PixelFormat.allCases)
    func everyComponentIsReversed(format: PixelFormat) {
        for size in testSizes {
            let (image, original) = (TestImage.random(format, size), TestImage.random(format, size))
            image.mutableView.flipHorizontally()
            let layout = format.layout
            var parts = (0..<layout.colorCount).map { ($0, layout.component($0)) }
            if let alpha = layout.alpha { parts.append((3, alpha)) }
            for (index, part) in parts {
                let (width, height) = (part.sampleWidth(size.0), part.sampleHeight(size.1))
                let isReversed = (0..<height).allSatisfy { y in
                    (0..<width).allSatisfy { image[index, $0, y] == original[index, width - 1 - $0, y] }
                }
                #expect(isReversed, "\(size) component \(index)")
            }
            #expect(image.canariesAreIntact)
            image.mutableView.flipHorizontally()
            #expect(image.bytes == original.bytes, "\(size)")
        }
    }
}
