import Imaging
import TestSupport
import Testing

/// The extent of masks, and parts of masks in other sizes.
struct MaskOutlineTests {
    private func mask(_ width: Int, _ height: Int, _ format: MaskFormat = .f32, _ value: (Int, Int) -> Float)
        throws -> Mask
    {
        try #require(
            Mask(format: format, width: width, height: height) { (view: MutableMaskView) throws(Never) in
                for y in 0..<height {
                    let row = (0..<width).map { value($0, y) }
                    view.writeRow(y, from: row)
                }
            })
    }

    private func outline(of mask: Mask) -> MaskOutline? {
        withExtendedLifetime(mask) { MaskOutline(mask.view, row: FloatImage()) }
    }

    @Test(arguments: MaskFormat.allCases)
    func theBoxAndTheTopAreFound(_ format: MaskFormat) throws {
        // A head above wide shoulders, and a speck.
        let figure = try mask(100, 80, format) { x, y in
            (y >= 20 && y < 30 && abs(x - 30) <= 4) || (y >= 30 && y < 70 && x >= 20 && x < 60)
                ? 1 : x == 90 && y == 5 ? 0.4 : 0
        }
        let outline = try #require(self.outline(of: figure))
        #expect(outline.box == Rectangle(x: 0.2, y: 0.25, width: 0.4, height: 0.625))
        #expect(abs(outline.top - 0.305) < 0.01)
        #expect(self.outline(of: try mask(9, 9) { _, _ in 0.2 }) == nil)
        #expect(self.outline(of: try mask(1, 1) { _, _ in 1 })?.box == .unit)
    }

    @Test(arguments: MaskFormat.allCases)
    func aPartIsInterpolated(_ format: MaskFormat) throws {
        let ramp = try mask(40, 20, format) { x, y in (Float(x) + Float(y)) / 60 }
        let part = Rectangle(x: 0.25, y: 0.2, width: 0.5, height: 0.4)
        let target = try #require(MaskMemory(format: format, width: 17, height: 13))
        let isCut = withExtendedLifetime(ramp) {
            MaskCrop().cut(part, of: ramp.view, into: target.mutableView)
        }
        #expect(isCut)
        for y in 0..<13 {
            for x in 0..<17 {
                let (u, v) = (0.25 + (Double(x) + 0.5) / 17 * 0.5, 0.2 + (Double(y) + 0.5) / 13 * 0.4)
                let expected = (u * 40 - 0.5 + v * 20 - 0.5) / 60
                #expect(abs(Double(target.values[y * 17 + x]) - expected) < 0.005)
            }
        }
    }

    @Test func masksThatAreNotNumbersAreRefused() throws {
        let bytes = UnsafeMutablePointer<Float>.allocate(capacity: 4)
        defer { bytes.deallocate() }
        for (index, value) in [0, 1, Float.nan, 0].enumerated() { bytes[index] = value }
        let view = try #require(
            MaskView(format: .f32, width: 2, height: 2, base: bytes, stride: 8, byteCount: 16))
        let target = try #require(MaskMemory(format: .f32, width: 2, height: 2))
        #expect(!MaskCrop().cut(.unit, of: view, into: target.mutableView))
        #expect(
            !MaskCrop().cut(
                Rectangle(x: .nan, y: 0, width: 1, height: 1), of: target.view, into: target.mutableView))
    }

    @Test func labelsAreNotMixed() throws {
        let labels = try mask(8, 4, .gray8) { x, _ in x < 4 ? 3.0 / 255 : 9.0 / 255 }
        let target = try #require(MaskMemory(format: .gray8, width: 7, height: 3))
        let isCut = withExtendedLifetime(labels) {
            MaskCrop().cut(
                labels: Rectangle(x: 0.3, y: 0, width: 0.4, height: 1), of: labels.view,
                into: target.mutableView)
        }
        #expect(isCut)
        let found = target.values.map { Int(($0 * 255).rounded()) }
        #expect(Set(found) == [3, 9])
        let floats = try mask(2, 2) { _, _ in 1 }
        let isMixed = withExtendedLifetime(floats) {
            MaskCrop().cut(labels: .unit, of: floats.view, into: target.mutableView)
        }
        #expect(!isMixed)
    }
}
