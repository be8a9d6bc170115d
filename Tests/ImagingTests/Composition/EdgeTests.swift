import Imaging
import TestSupport
import Testing

@Suite struct EdgeTests {
    private let compositor = MaskCompositor()
    /// Returns a disc with a radius of a third of the frame's height, and an edge of a hundredth.
    private func softDisc() -> TestMask {
        let mask = TestMask(.f32, 160, 120)
        mask.fill { x, y in
            let (dx, dy) = (Double(x) - 79.5, Double(y) - 59.5)
            let radius: Double = (dx * dx + dy * dy).squareRoot()
            return Float(min(max((40 - radius) / 1.5 + 0.5, 0), 1))
        }
        return mask
    }

    /// A subject of one colour in front of a wall of another, mixed by the mask.
    @Test(arguments: PixelFormat.allCases)
    func decontaminationFindsTheSubjectsColor(format: PixelFormat) throws {
        let mask = softDisc()
        let (front, wall) = (RGBColor(red: 60, green: 40, blue: 30), RGBColor(red: 30, green: 220, blue: 60))
        let new = RGBColor(red: 200, green: 200, blue: 230)
        let images = [false, true].map { _ in TestImage(format, 320, 240) }
        let view = images[0].view
        let (alpha, color) = (
            ReferenceMask(mask, frame: view), ReferenceColor(format: format, colorimetry: view.colorimetry)
        )
        let places = SamplePlace.all(of: images[0]).map { (place: $0, alpha: alpha[$0]) }
        let errors = try zip(images, [false, true]).map { image, decontaminate in
            for (place, a) in places {
                let (f, b) = (color.code(front, place.part), color.code(wall, place.part))
                image[plane: place.plane, place.row, place.index] = UInt16((f * a + b * (1 - a)).rounded())
            }
            try compositor.composite(
                image, mask, Composition(source: .color(new), decontaminate: decontaminate))
            #expect(image.canariesAreIntact)
            let soft = places.filter { (0.05...0.95).contains($0.alpha) }
            let sum = soft.reduce(0.0) { sum, sample in
                let (f, b) = (color.code(front, sample.place.part), color.code(new, sample.place.part))
                return sum + abs(image[sample.place] - b - (f - b) * sample.alpha)
            }
            return sum / Double(soft.count) / image.maximum
        }
        #expect(errors[0] > 0.02, "there was something to do")
        #expect(errors[1] < 0.55 * errors[0])
    }

    /// Pixels that are certainly subject keep their colours.
    @Test func decontaminationLeavesTheSubjectAlone() throws {
        let mask = TestMask(.gray8, 64, 48)
        mask.fill { x, _ in x < 40 ? 1 : 0 }
        let (frame, original) = (TestImage.random(.y444, (64, 48)), TestImage.random(.y444, (64, 48)))
        try compositor.composite(frame, mask, Composition(source: .color(.black), decontaminate: true))
        #expect(frame.worst { $0.index < 39 ? original[$0] : nil } == 0)
    }

    @Test(arguments: PixelFormat.allCases)
    func lightWrapsAroundTheRimOnly(format: PixelFormat) throws {
        let mask = softDisc()
        let subject = RGBColor(red: 40, green: 40, blue: 40)
        let composed = try [RGBColor.white, .black].map { background in
            let images = [0, 0.8].map { _ in TestImage(format, 320, 240) }
            for (image, strength) in zip(images, [0, 0.8]) {
                image.paint { _, _ in subject }
                let composition = Composition(source: .color(background), lightWrap: strength)
                try compositor.composite(image, mask, composition)
                #expect(image.canariesAreIntact)
            }
            return images
        }
        let (white, wrapped) = (composed[0][0], composed[0][1])
        let gain = { (x: Int) in Double(wrapped[0, x, 120]) - Double(white[0, x, 120]) }
        // The subject's contour is 80 pixels from the middle.
        #expect(gain(160) == 0 && gain(200) == 0)
        #expect(gain(83) > 0.05 * white.maximum)
        #expect((0..<320).allSatisfy { gain($0) >= 0 })
        // A black background sheds no light.
        #expect(composed[1][1].worst { composed[1][0][$0] } <= 1)
    }
}
