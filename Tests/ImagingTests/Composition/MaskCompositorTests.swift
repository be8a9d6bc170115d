import Imaging
import TestSupport
import Testing

@Suite struct MaskCompositorTests {
    private let compositor = MaskCompositor()

    /// Returns the largest difference from the exact blend in code values, minus alpha's possible rounding
    /// error.
    private func worst(
        _ result: TestImage, original: TestImage, background: TestImage, mask: TestMask
    ) -> Double {
        let reference = ReferenceMask(mask, frame: original.view)
        let layout = original.view.format.layout
        var worst = 0.0
        for plane in 0..<layout.planeCount {
            for row in 0..<layout.rows(plane: plane, height: original.view.height) {
                for index in 0..<original.sampleCount(plane: plane) {
                    let alpha = reference.value(plane: plane, row: row, index: index)
                    let back = Double(background[plane: plane, row, index])
                    let distance = Double(original[plane: plane, row, index]) - back
                    let error = abs(Double(result[plane: plane, row, index]) - (back + distance * alpha))
                    worst = max(worst, error - abs(distance) * 0.501 / Double(layout.maximum))
                }
            }
        }
        return worst
    }

    @Test(arguments: PixelFormat.allCases, MaskFormat.allCases)
    func blendsPicturesByTheMask(format: PixelFormat, maskFormat: MaskFormat) throws {
        for size in testSizes {
            for maskSize in TestMask.sizes {
                for site in [Colorimetry.ChromaSite.jpeg, .mpeg2] {
                    let colorimetry = Colorimetry(chromaSite: site)
                    let frame = TestImage.random(format, size, colorimetry: colorimetry, seed: 1)
                    let original = TestImage.random(format, size, colorimetry: colorimetry, seed: 1)
                    let picture = TestImage.random(format, size, seed: 2)
                    let before = picture.bytes
                    let mask = TestMask.blobs(maskFormat, maskSize.0, maskSize.1)
                    try compositor.composite(
                        frame.mutableView, mask: mask.view, Composition(source: .picture(picture.view)))
                    #expect(
                        worst(frame, original: original, background: picture, mask: mask) <= 0.501,
                        "\(size) \(maskSize)")
                    #expect(frame.canariesAreIntact && picture.canariesAreIntact && mask.canariesAreIntact)
                    #expect(picture.bytes == before)
                }
            }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func blendsColorsByTheMask(format: PixelFormat) throws {
        for colorimetry in testColorimetries {
            for size in testSizes {
                let color = RGBColor(red: 250, green: 130, blue: 20)
                let frame = TestImage.random(format, size, colorimetry: colorimetry)
                let original = TestImage.random(format, size, colorimetry: colorimetry)
                let mask = TestMask.blobs(.gray8, 16, 9)
                let cover = TestImage(format, size.0, size.1, colorimetry: colorimetry)
                try compositor.cover(cover.mutableView, Composition(source: .color(color)))
                try compositor.composite(
                    frame.mutableView, mask: mask.view, Composition(source: .color(color)))
                #expect(worst(frame, original: original, background: cover, mask: mask) <= 0.501)
                #expect(frame.canariesAreIntact && cover.canariesAreIntact)
            }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func coversWithTheWholeColor(format: PixelFormat) throws {
        let layout = format.layout
        for colorimetry in testColorimetries {
            for size in testSizes {
                let color = RGBColor(red: 10, green: 200, blue: 90)
                let painted = TestImage(format, size.0, size.1, colorimetry: colorimetry)
                painted.paint { _, _ in color }
                let frame = TestImage.random(format, size, colorimetry: colorimetry)
                try compositor.cover(frame.mutableView, Composition(source: .color(color)))
                let isWhole = (0..<layout.colorCount).allSatisfy { index in
                    (0..<layout.component(index).sampleHeight(size.1)).allSatisfy { y in
                        (0..<layout.component(index).sampleWidth(size.0)).allSatisfy { x in
                            frame[index, x, y] == painted[index, x, y]
                        }
                    }
                }
                #expect(isWhole)
                if layout.alpha != nil {
                    #expect(Int(frame[3, size.0 - 1, size.1 - 1]) == layout.maximum)
                }
                #expect(frame.canariesAreIntact)
            }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func coversWithPicturesAndNeverWithABlur(format: PixelFormat) throws {
        for size in testSizes {
            let picture = TestImage.random(format, size, seed: 2)
            let frame = TestImage.random(format, size, seed: 1)
            try compositor.cover(frame.mutableView, Composition(source: .picture(picture.view)))
            #expect(frame.bytes == picture.bytes)
            let black = TestImage(format, size.0, size.1)
            try compositor.cover(black.mutableView, Composition(source: .color(.black)))
            try compositor.cover(
                frame.mutableView, Composition(source: .original, effects: [.blur(Blur(radius: 0.1))]))
            #expect(frame.bytes == black.bytes)
        }
    }

    @Test func refusesPicturesThatDoNotMatch() {
        let frame = TestImage.random(.i420, (17, 9))
        let before = frame.bytes
        let mask = TestMask(.gray8, 4, 4)
        for other in [TestImage(.nv12, 17, 9), TestImage(.i420, 16, 9), TestImage(.i420, 17, 10)] {
            let expected = CompositingError.pictureMismatch(
                frame: .i420, frameWidth: 17, frameHeight: 9, picture: other.view.format,
                pictureWidth: other.view.width, pictureHeight: other.view.height)
            #expect(throws: expected) {
                try compositor.cover(frame.mutableView, Composition(source: .picture(other.view)))
            }
            #expect(throws: expected) {
                try compositor.composite(
                    frame.mutableView, mask: mask.view, Composition(source: .picture(other.view)))
            }
        }
        #expect(frame.bytes == before)
    }
}
