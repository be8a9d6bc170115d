import Imaging
import TestSupport
import Testing

/// Colours that are copied to a format with alpha.
struct ColorCopyTests {
    private static let sizes = [(8, 6), (7, 5), (1, 1)]

    @Test(
        arguments: [.i420, .nv12, .yuy2, .uyvy, .y42b, .y444, .p010, .i420Deep, .y444Twelve] as [PixelFormat])
    func averagesChroma(_ format: PixelFormat) {
        for (width, height) in Self.sizes {
            let (source, target) = (TestImage(format, width, height), TestImage(.a420, width, height))
            source.fillRandomly(seed: 54)
            #expect(ColorCopy().copy(source.view, to: target.mutableView))
            for component in 0..<3 { check(source, target, component) }
            #expect((0..<height).allSatisfy { y in (0..<width).allSatisfy { target[3, $0, y] == 255 } })
            #expect(target.canariesAreIntact)
        }
    }

    /// Each sample is the mean of the source's at its place, without the bits below the upper eight.
    private func check(_ source: TestImage, _ target: TestImage, _ component: Int) {
        let (from, to) = (
            source.view.format.layout.component(component), target.view.format.layout.component(component)
        )
        let (columns, rows) = (
            1 << (to.widthShift - from.widthShift), 1 << (to.heightShift - from.heightShift)
        )
        let last = (x: from.sampleWidth(source.view.width) - 1, y: from.sampleHeight(source.view.height) - 1)
        let unit = Double(1 << (source.view.format.layout.depth - 8))
        for y in 0..<to.sampleHeight(target.view.height) {
            for x in 0..<to.sampleWidth(target.view.width) {
                var sum = 0.0
                for row in 0..<rows {
                    for column in 0..<columns {
                        sum += Double(
                            source[component, min(x * columns + column, last.x), min(y * rows + row, last.y)])
                    }
                }
                let mean = sum / Double(rows * columns) / unit
                let isAveraged = rows * columns > 1
                let expected = isAveraged ? (mean + 0.5).rounded(.down) : mean.rounded(.down)
                #expect(Double(target[component, x, y]) == expected)
            }
        }
    }

    @Test(arguments: [.bgrx, .bgr, .rgb, .xrgb, .rgba] as [PixelFormat])
    func keepsColors(_ format: PixelFormat) {
        let (source, target) = (TestImage(format, 7, 5), TestImage(.bgra, 7, 5))
        source.fillRandomly(seed: 5)
        #expect(ColorCopy().copy(source.view, to: target.mutableView))
        for y in 0..<5 {
            for x in 0..<7 {
                #expect((0..<3).allSatisfy { target[$0, x, y] == source[$0, x, y] } && target[3, x, y] == 255)
            }
        }
    }

    @Test func greyHasNoColor() {
        let (source, target) = (TestImage(.gray8, 5, 3), TestImage(.a420, 5, 3))
        source.fillRandomly(seed: 5)
        #expect(ColorCopy().copy(source.view, to: target.mutableView))
        #expect(target[0, 4, 2] == source[0, 4, 2] && target[1, 1, 1] == 128 && target[2, 2, 1] == 128)
    }

    @Test func refusesOtherImages() {
        let target = TestImage(.a420, 4, 4)
        #expect(!isCopied(TestImage(.i420, 4, 2), to: target))
        #expect(!isCopied(TestImage(.rgb, 4, 4), to: target))
        #expect(!isCopied(TestImage(.y41b, 4, 4), to: target))
        #expect(!isCopied(TestImage(.i420, 4, 4), to: TestImage(.i420Deep, 4, 4)))
    }

    private func isCopied(_ source: TestImage, to target: TestImage) -> Bool {
        ColorCopy().copy(source.view, to: target.mutableView)
    }
}
