import ImageFiles
import PeopleVision
import TestSupport
import Testing

/// Blending of image files, compared with the formula that `blended(by:over:)` states.
@Suite struct BlendingTests {
    private func photo() throws -> ImageFile { try ImageFile(reading: Checkout.astronaut.path) }

    private func pixel(_ file: ImageFile, _ x: Int, _ y: Int) -> [Int] {
        (0..<3).map { Int(file.view.plane(0).row(y)[3 * x + $0]) }
    }

    /// Returns a mask of the photo's size that rises from left to right.
    private func ramp(_ width: Int, _ height: Int) throws -> Mask {
        let row = (0..<width).map { Float($0) / Float(width - 1) }
        return try #require(
            Mask(format: .f32, width: width, height: height) { mask in
                for y in 0..<height { mask.writeRow(y, from: row) }
            })
    }

    /// The largest difference from the formula along a row, of 255.
    private func error(
        _ blended: ImageFile, _ photo: ImageFile, _ mask: Mask, row y: Int, _ background: (Int) -> [Int]
    ) -> Double {
        var largest = 0.0
        for x in 0..<photo.view.width {
            let share = Double(mask.values[y * mask.view.width + x])
            let (front, behind, found) = (pixel(photo, x, y), background(x), pixel(blended, x, y))
            for channel in found.indices {
                let expected = Double(behind[channel]) + Double(front[channel] - behind[channel]) * share
                largest = max(largest, abs(expected - Double(found[channel])))
            }
        }
        return largest
    }

    @Test func blendsWithAColor() throws {
        let photo = try photo()
        let mask = try ramp(photo.view.width, photo.view.height)
        let color = RGBColor(red: 10, green: 200, blue: 90)
        let blended = try photo.blended(by: mask, over: .color(color), decontaminate: false)
        #expect(blended.view.width == 512 && blended.view.height == 512)
        for y in [0, 255, 511] {
            #expect(error(blended, photo, mask, row: y) { _ in [10, 200, 90] } <= 1)
        }
    }

    /// The background is scaled to fill the photo; the middle of the photo is its own middle.
    @Test func blendsWithAnImageThatFillsThePhoto() throws {
        let photo = try photo()
        let nobody = try #require(Mask(format: .gray8, width: 1, height: 1) { _ in })
        let room = try photo.blended(by: nobody, over: .color(RGBColor(red: 1, green: 2, blue: 3)))
        let blended = try photo.blended(by: nobody, over: .image(room))
        #expect(pixel(blended, 0, 0) == [1, 2, 3] && pixel(blended, 511, 511) == [1, 2, 3])
        let same = try room.blended(by: nobody, over: .image(photo))
        #expect(pixel(same, 17, 300) == pixel(photo, 17, 300))
        // Of a background that is four times as wide as high, a square photo shows the middle.
        let scratch = try Scratch()
        let path = scratch.path("wide.png")
        try ramp(64, 16).writePNG(to: path)
        let small = try ImageFile(ImageFileTests.jpeg(orientation: 1))
        let scaled = try small.blended(by: nobody, over: .image(ImageFile(reading: path)))
        #expect(scaled.view.width == 8 && scaled.view.height == 8)
        #expect((90...112).contains(pixel(scaled, 0, 4)[0]) && (147...169).contains(pixel(scaled, 7, 4)[0]))
    }

    /// Effects change the background alone: exposure by its power law, desaturation towards grey.
    @Test func changesTheOriginalBackground() throws {
        let photo = try photo()
        let left = try #require(
            Mask(format: .gray8, width: 512, height: 512) { mask in
                let row = (0..<512).map { Float($0 < 256 ? 1 : 0) }
                for y in 0..<512 { mask.writeRow(y, from: row) }
            })
        let unchanged = try photo.blended(by: left, over: .original)
        #expect(pixel(unchanged, 400, 300) == pixel(photo, 400, 300))
        let dark = try photo.blended(by: left, over: .original, with: BackgroundEffects(exposure: -1))
        let grey = try photo.blended(by: left, over: .original, with: BackgroundEffects(desaturation: 1))
        for (x, y) in [(300, 40), (400, 300), (500, 500)] {
            // Half the light is 2^(-1 / gamma) of R'G'B', with a gamma between 2.0 and 2.4.
            for (found, was) in zip(pixel(dark, x, y), pixel(photo, x, y)) {
                #expect(Double(found) < 0.76 * Double(was) + 1 && Double(found) > 0.7 * Double(was) - 1)
            }
            let tones = pixel(grey, x, y)
            #expect((tones.max() ?? 0) - (tones.min() ?? 255) <= 2)
            let (lowest, highest) = (pixel(photo, x, y).min() ?? 0, pixel(photo, x, y).max() ?? 0)
            #expect((lowest - 1...highest + 1).contains(tones[1]))
        }
        for file in [dark, grey] { #expect(pixel(file, 100, 300) == pixel(photo, 100, 300)) }
    }

    /// The blur takes the sharpness, and none of the subject's colour; the halo is of its colour and width.
    @Test func blursAndOutlines() throws {
        let photo = try photo()
        let disc = try #require(
            Mask(format: .gray8, width: 512, height: 512) { mask in
                for y in 0..<512 {
                    mask.writeRow(
                        y,
                        from: (0..<512).map {
                            Float(($0 - 256) * ($0 - 256) + (y - 256) * (y - 256) < 10000 ? 1 : 0)
                        })
                }
            })
        func roughness(_ file: ImageFile) -> Int {
            (20..<490).reduce(0) { $0 + abs(pixel(file, $1, 60)[1] - pixel(file, $1 + 1, 60)[1]) }
        }
        let blurred = try photo.blended(by: disc, over: .original, with: BackgroundEffects(blur: 0.03))
        #expect(
            roughness(blurred) * 4 < roughness(photo) && pixel(blurred, 256, 256) == pixel(photo, 256, 256))
        let halo = try photo.blended(
            by: disc, over: .original,
            with: BackgroundEffects(haloWidth: 0.04, haloColor: RGBColor(red: 0, green: 255, blue: 0)))
        // The disc ends 100 pixels from the middle, the halo 20 pixels later.
        for distance in [104, 115] {
            #expect(pixel(halo, 256 + distance, 256) == [0, 255, 0], "\(distance)")
        }
        for distance in [90, 128] {
            #expect(pixel(halo, 256 - distance, 256) == pixel(photo, 256 - distance, 256), "\(distance)")
        }
    }

    /// A photo that lies on its side becomes upright, with its mask, which belongs to the stored image.
    @Test func turnsThePhotoUpright() throws {
        let lying = try ImageFile(ImageFileTests.jpeg(orientation: 6))
        let left = try #require(
            Mask(format: .gray8, width: 8, height: 8) { mask in
                for y in 0..<8 { mask.writeRow(y, from: [1, 1, 1, 1, 0, 0, 0, 0]) }
            })
        let blended = try lying.blended(by: left, over: .color(.white), decontaminate: false)
        #expect(blended.orientation == .up)
        // A quarter turn clockwise: the left edge of the stored image becomes the upper edge.
        #expect(pixel(blended, 1, 0) == [128, 128, 128] && pixel(blended, 6, 0) == [128, 128, 128])
        #expect(pixel(blended, 1, 7) == [255, 255, 255] && pixel(blended, 6, 7) == [255, 255, 255])
    }

    @Test func writesJPEGs() throws {
        let (scratch, photo) = (try Scratch(), try photo())
        let path = scratch.path("photo.jpg")
        try photo.writeJPEG(to: path, quality: 100)
        let read = try ImageFile(reading: path)
        #expect(read.view.width == 512 && read.view.height == 512 && read.orientation == .up)
        for (x, y) in [(3, 3), (200, 100), (500, 500)] {
            #expect(zip(pixel(read, x, y), pixel(photo, x, y)).allSatisfy { abs($0 - $1) < 12 })
        }
        let mask = try ramp(64, 16)
        try mask.writeJPEG(to: path)
        let grey = try ImageFile(reading: path)
        #expect(grey.view.width == 64 && grey.view.height == 16)
        for x in [0, 31, 63] {
            #expect(pixel(grey, x, 8).allSatisfy { abs($0 - Int(mask.values[x] * 255)) < 8 })
        }
        #expect(throws: ImageFileError.self) { try photo.writeJPEG(to: "/nonexistent/photo.jpg") }
        #expect(throws: ImageFileError.self) { try mask.writeJPEG(to: "/nonexistent/mask.jpg") }
    }
}
