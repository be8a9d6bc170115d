import Imaging
import TestSupport
import Testing

@Suite struct RGBColorTests {
    @Test(arguments: PixelFormat.allCases)
    func componentsAreRoundedFromTheDefinition(format: PixelFormat) {
        var generator = SeededGenerator(seed: 5)
        for colorimetry in testColorimetries {
            let reference = ReferenceColor(format: format, colorimetry: colorimetry)
            for _ in 0..<200 {
                let byte = { UInt8.random(in: 0...255, using: &generator) }
                let color = RGBColor(red: byte(), green: byte(), blue: byte())
                let found = color.components(of: format, colorimetry: colorimetry)
                for (value, exact) in zip([found.0, found.1, found.2], reference.components(color)) {
                    let limited = min(max(exact, 0), Double(format.layout.maximum))
                    #expect(abs(Double(value) - limited) <= 0.5 + 1e-2, "\(color) \(colorimetry)")
                }
            }
        }
    }

    @Test func colorBarsHaveTheirKnownComponents() {
        let limited = Colorimetry(matrix: .bt601, range: .limited)
        let white = RGBColor(red: 255, green: 255, blue: 255)
        let red = RGBColor(red: 255, green: 0, blue: 0)
        #expect(white.components(of: .i420, colorimetry: limited) == (235, 128, 128))
        #expect(RGBColor.black.components(of: .nv12, colorimetry: limited) == (16, 128, 128))
        // 75 % and 100 % colour bars: red is 81, 90, 240 in BT.601 and 63, 102, 240 in BT.709.
        #expect(red.components(of: .i420, colorimetry: limited) == (81, 90, 240))
        #expect(red.components(of: .i420, colorimetry: Colorimetry(matrix: .bt709)) == (63, 102, 240))
        #expect(red.components(of: .bgra, colorimetry: limited) == (255, 0, 0))
        #expect(white.components(of: .p010, colorimetry: limited) == (940, 512, 512))
        #expect(RGBColor.black.components(of: .i420Deep, colorimetry: limited) == (64, 512, 512))
        #expect(white.components(of: .gray16, colorimetry: Colorimetry(range: .full)).0 == 65535)
    }

    /// ITU-R BT.2408: graphics white is 58 % in PQ and 75 % in HLG; black stays black.
    @Test func whiteIsReferenceWhiteInHighDynamicRange() {
        for (transfer, share) in [(Colorimetry.Transfer.pq, 0.5807), (.hlg, 0.75)] {
            let colorimetry = Colorimetry(matrix: .bt2020, range: .full, transfer: transfer)
            let white = RGBColor.white.components(of: .rgba64, colorimetry: colorimetry)
            for part in [white.0, white.1, white.2] { #expect(abs(Double(part) / 65535 - share) < 0.002) }
            #expect(RGBColor.black.components(of: .rgba64, colorimetry: colorimetry) == (0, 0, 0))
            let limited = Colorimetry(matrix: .bt2020, transfer: transfer)
            let luma = RGBColor.white.components(of: .p010, colorimetry: limited).0
            #expect(abs(Double(luma) - (64 + 876 * share)) < 2)
        }
    }
}
