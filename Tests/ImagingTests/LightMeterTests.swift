import Imaging
import TestSupport
import Testing

/// The brightness of frames and of the people in them.
struct LightMeterTests {
    /// Returns a wall of one grey, and a person on the left of another, with a bright stripe of a fifth of the person.
    private func picture(
        _ format: PixelFormat, wall: UInt8, person: UInt8, stripe: UInt8, _ colorimetry: Colorimetry
    ) -> TestImage {
        let image = TestImage(format, 192, 108, colorimetry: colorimetry)
        image.paint { x, y in
            let value = x >= 96 ? wall : y < 22 ? stripe : person
            return RGBColor(red: value, green: value, blue: value)
        }
        return image
    }

    private var left: TestMask {
        let mask = TestMask(.gray8, 64, 36)
        mask.fill { x, _ in x < 32 ? 1 : 0 }
        return mask
    }

    @Test(arguments: PixelFormat.allCases, [Colorimetry.Range.limited, .full])
    func lumaIsMeasuredInEveryFormat(_ format: PixelFormat, _ range: Colorimetry.Range) throws {
        var meter = LightMeter()
        let image = picture(
            format, wall: 51, person: 102, stripe: 204, Colorimetry(matrix: .bt709, range: range))
        let measured = meter.measure(image.view, left.view)
        let reading = try #require(measured)
        // Greys are 0.2, 0.4 and 0.8 of white; the stripe is 22 of 108 rows high.
        let people = 0.4 + 0.4 * 22 / 108
        #expect(abs(Double(reading.people) - people) < 0.01)
        #expect(abs(Double(reading.frame) - (people + 0.2) / 2) < 0.01)
        #expect((0.78...0.83).contains(reading.brightest))
        #expect(image.canariesAreIntact)
    }

    @Test func coloursCountByTheirLuma() throws {
        let image = TestImage(.rgb, 96, 54, colorimetry: Colorimetry(matrix: .bt709, range: .full))
        image.paint { _, _ in RGBColor(red: 255, green: 0, blue: 0) }
        var meter = LightMeter()
        let measured = meter.measure(image.view, left.view)
        let reading = try #require(measured)
        #expect(abs(reading.people - 0.2126) < 0.003)
    }

    @Test func hardlyAnybodyIsNobody() {
        let image = picture(.rgb, wall: 10, person: 10, stripe: 10, Colorimetry())
        let empty = TestMask(.gray8, 64, 36)
        var meter = LightMeter()
        let reading = meter.measure(image.view, empty.view)
        #expect(reading == nil)
        let undefined = TestMask(.f32, 64, 36)
        undefined.fill { _, _ in .nan }
        let unknown = meter.measure(image.view, undefined.view)
        #expect(unknown == nil)
    }

    @Test(arguments: [Colorimetry.Transfer.pq, .hlg])
    func highDynamicRangeIsNotMeasured(_ transfer: Colorimetry.Transfer) {
        let image = TestImage(
            .p010, 96, 54, colorimetry: Colorimetry(matrix: .bt2020, range: .limited, transfer: transfer))
        var meter = LightMeter()
        let reading = meter.measure(image.view, left.view)
        #expect(reading == nil)
    }

    @Test func everySizeIsMeasured() {
        let mask = TestMask(.f32, 3, 2)
        mask.fill { _, _ in 1 }
        var meter = LightMeter()
        for size in testSizes {
            let reading = meter.measure(TestImage.random(.i420, size).view, mask.view)
            #expect(
                reading.map { (0...1).contains($0.people) && (0...1).contains($0.brightest) } ?? false,
                "\(size)")
        }
    }
}
