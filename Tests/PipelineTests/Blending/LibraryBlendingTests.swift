import ImageFiles
import PeopleVision
import TestSupport
import Testing

/// The library's `blended(by:over:)`, which gives the samples that `blendmask` gives.
struct LibraryBlendingTests {
    private static let side = (width: 97, height: 61)

    /// A soft-edged disc and a faint corner.
    private static func coverage(_ x: Int, _ y: Int) -> UInt8 {
        let (across, down) = (Double(x - 40), Double(y - 30))
        let distance = (across * across + down * down).squareRoot()
        return UInt8(max(0, min(255, 255 - (distance - 14) * 16))) | (x + y < 9 ? 40 : 0)
    }

    @Test(arguments: [false, true]) func blendsAsTheElementDoes(decontaminate: Bool) throws {
        let photo = try ImageFile(reading: Checkout.astronaut.path)
        let (width, height) = (photo.view.width, photo.view.height)
        let frame = try Frame(caps("RGBA", width, height))
        for channel in 0..<3 {
            frame.fill(channel) { x, y in photo.view.plane(0).row(y)[3 * x + channel] }
        }
        frame.fill(3) { _, _ in 255 }
        let side = Self.side
        try HandMadeMask(width: side.width, height: side.height, Self.coverage).attach(to: frame)
        let line = "blendmask background-color=0xff204060 decontaminate=\(decontaminate)"
        let after = try Harness(line, caps: frame.caps).transform(frame)
        let mask = try #require(
            Mask(format: .gray8, width: side.width, height: side.height) { mask in
                for y in 0..<side.height {
                    mask.writeRow(y, from: (0..<side.width).map { Float(Self.coverage($0, y)) / 255 })
                }
            })
        let color = RGBColor(red: 0x20, green: 0x40, blue: 0x60)
        let blended = try photo.blended(by: mask, over: .color(color), decontaminate: decontaminate)
        for channel in 0..<3 {
            let expected = after.samples(channel)
            for y in 0..<height {
                let row = blended.view.plane(0).row(y)
                #expect((0..<width).map { row[3 * $0 + channel] } == expected[y], "row \(y)")
            }
        }
    }

    /// The colours of the head's angles are the element's.
    @Test func mixesColorsAsTheElementDoes() throws {
        let harness = try Harness("blendmask background-source=pose", caps: caps("RGB", 16, 16))
        let image = try ImageFile(reading: Checkout.astronaut.path)
        let face = try #require(DetectFaceRectanglesRequest().perform(on: image).first)
        let frame = try Frame(caps("RGB", 16, 16))
        try HandMadeMask(width: 1, height: 1) { _, _ in 0 }.attach(to: frame)
        let angles = ["roll": face.roll, "yaw": face.yaw, "pitch": face.pitch]
        let place = ["x": 0.1, "y": 0.1, "width": 0.3, "height": 0.3]
        try HandMadeFaces([angles.merging(place) { angle, _ in angle }]).attach(to: frame)
        let after = try harness.transform(frame)
        let color = RGBColor(poseOf: face)
        #expect((0..<3).map { after.samples($0)[5][5] } == [color.red, color.green, color.blue])
    }
}
