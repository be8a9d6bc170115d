import Imaging
import TestSupport
import Testing

/// Pictures that are drawn into frames of any format.
struct PictureDrawingTests {
    private static let color = RGBColor(red: 200, green: 90, blue: 30)

    private func picture(_ width: Int, _ height: Int, _ color: (Int, Int) -> RGBColor) -> TestImage {
        let image = TestImage(.rgba, width, height)
        image.paint(color)
        return image
    }

    /// A picture of one colour has the code values of that colour, at every size and in every format.
    @Test(arguments: PixelFormat.allCases) func keepsAColor(_ format: PixelFormat) throws {
        let picture = picture(5, 3) { _, _ in Self.color }
        for (width, height) in [(16, 10), (7, 5)] {
            let frame = TestImage(format, width, height, colorimetry: Colorimetry(matrix: .bt709))
            try frame.mutableView.draw(picture.view, PicturePlacement())
            let codes = Self.color.components(of: format, colorimetry: frame.view.colorimetry)
            for component in 0..<format.layout.colorCount {
                let part = format.layout.component(component)
                let code = [codes.0, codes.1, codes.2][component]
                for y in 0..<part.sampleHeight(height) {
                    for x in 0..<part.sampleWidth(width) { #expect(frame[component, x, y] == code) }
                }
            }
            if format.layout.alpha != nil { #expect(Int(frame[3, 0, 0]) == format.layout.maximum) }
            #expect(frame.canariesAreIntact)
        }
    }

    @Test func fitsMirrorsAndTurns() throws {
        // Red on the left, blue at the bottom right.
        let picture = picture(4, 4) { x, y in
            RGBColor(red: x < 2 ? 255 : 0, green: 0, blue: x >= 2 && y >= 2 ? 255 : 0)
        }
        func corners(_ change: (inout PicturePlacement) -> Void) throws -> [[UInt16]] {
            let frame = TestImage(.rgb, 12, 4)
            var placement = PicturePlacement()
            placement.border = RGBColor(red: 1, green: 2, blue: 3)
            change(&placement)
            try frame.mutableView.draw(picture.view, placement)
            return [(0, 0), (11, 0), (0, 3), (11, 3)].map { place in
                (0..<3).map { frame[$0, place.0, place.1] }
            }
        }
        let (red, black, blue, border): ([UInt16], [UInt16], [UInt16], [UInt16]) =
            ([255, 0, 0], [0, 0, 0], [0, 0, 255], [1, 2, 3])
        #expect(try corners { $0.fit = .stretch } == [red, black, red, blue])
        #expect(try corners { ($0.fit, $0.isMirrored) = (.stretch, true) } == [black, red, blue, red])
        #expect(try corners { ($0.fit, $0.isUpsideDown) = (.stretch, true) } == [red, blue, red, black])
        #expect(try corners { $0.fit = .contain } == [border, border, border, border])
        // Three tiles side by side.
        #expect(try corners { $0.fit = .tile } == [red, black, red, blue])
    }

    @Test func blendsTransparentParts() {
        let image = TestImage(.bgra, 3, 1)
        image.paint { _, _ in RGBColor(red: 100, green: 100, blue: 100) }
        for (x, alpha) in [0, 128, 255].enumerated() { image[3, x, 0] = UInt16(alpha) }
        image.mutableView.flatten(on: RGBColor(red: 200, green: 0, blue: 100))
        #expect((0..<3).map { image[0, $0, 0] } == [200, 150, 100])
        #expect((0..<3).map { image[1, $0, 0] } == [0, 50, 100])
        #expect((0..<3).map { image[3, $0, 0] } == [255, 255, 255])
    }
}
