import Imaging
import TestSupport
import Testing

/// The cut-out of a transparent image.
@Suite struct CutOutTests {
    /// Returns an image of 40x30, opaque grey in columns 10...19 and rows 5...24, with a softer column on the
    /// right.
    private func image(speck: UInt8 = 0) -> TestImage {
        let image = TestImage(.rgba, 40, 30)
        for y in 0..<30 {
            for x in 0..<40 {
                let isInside = (5..<25).contains(y) && (10..<21).contains(x)
                let alpha: UInt8 = isInside ? (x == 20 ? 100 : 255) : x == 35 && y == 2 ? speck : 0
                set(image, x, y, [120, 130, 140, alpha])
            }
        }
        return image
    }

    private func set(_ image: TestImage, _ x: Int, _ y: Int, _ values: [UInt8]) {
        for (channel, value) in values.enumerated() { image[plane: 0, y, 4 * x + channel] = UInt16(value) }
    }

    private func pixel(_ cutOut: CutOut, _ x: Int, _ y: Int) -> [UInt8] {
        Array(cutOut.pixels[4 * (y * cutOut.width + x)..<4 * (y * cutOut.width + x) + 4])
    }

    @Test func isCroppedToTheVisiblePart() throws {
        let image = image()
        let cutOut = try #require(CutOut(image.view, smallestPart: 0))
        #expect(cutOut.width == 11 && cutOut.height == 20 && cutOut.pixels.count == 4 * 11 * 20)
        #expect(pixel(cutOut, 0, 0) == [120, 130, 140, 255])
        #expect(pixel(cutOut, 10, 19) == [120, 130, 140, 100])
    }

    /// A part without a certain pixel is noise; a part with one is kept.
    @Test(arguments: [(UInt8(100), 0.0, 11), (200, 0, 26), (200, 0.004, 26), (200, 0.01, 11)])
    func leavesOutFaintAndSmallParts(_ speck: UInt8, _ smallest: Double, _ width: Int) throws {
        let image = image(speck: speck)
        let cutOut = try #require(CutOut(image.view, smallestPart: smallest))
        #expect(cutOut.width == width)
    }

    /// A remainder of a neighbour in a person's mask, here half as large and certain in one place.
    @Test(arguments: [CutOut.Outline?.none, CutOut.Outline(color: .white, width: 0.001)])
    func leavesOutLargeFaintParts(_ outline: CutOut.Outline?) throws {
        let image = image()
        for y in 5..<25 { for x in 30..<35 { set(image, x, y, [9, 9, 9, 110]) } }
        set(image, 32, 12, [9, 9, 9, 140])
        let cutOut = try #require(CutOut(image.view, smallestPart: 0.02, outline: outline))
        #expect(cutOut.width == (outline == nil ? 11 : 11 + 2 * 3))
    }

    @Test func anOutlineGoesAllAround() throws {
        let image = image()
        // A tenth of the longer side is two pixels.
        let cutOut = try #require(
            CutOut(image.view, smallestPart: 0, outline: CutOut.Outline(color: .white, width: 0.1)))
        #expect(cutOut.width == 11 + 8 && cutOut.height == 20 + 8)
        let middle = cutOut.height / 2
        #expect(pixel(cutOut, 9, middle) == [120, 130, 140, 255])
        // The pixel is just outside of the left edge, which is at column 4.
        let line = pixel(cutOut, 3, middle)
        #expect(line[3] > 200 && line[0] > 250 && line[2] > 250, "\(line)")
        #expect(pixel(cutOut, 0, middle)[3] < 10 && pixel(cutOut, 0, 0)[3] == 0)
        // The line is visible below a softer pixel.
        let soft = pixel(cutOut, 14, middle)
        #expect(soft[3] > 230 && soft[0] > 190 && soft[0] < 250, "\(soft)")
    }

    /// The image ends at its edges, but the outline continues.
    @Test func theOutlineLeavesTheImage() throws {
        let image = TestImage(.rgba, 20, 20)
        for y in 0..<20 { for x in 0..<20 { set(image, x, y, [9, 9, 9, 255]) } }
        let cutOut = try #require(
            CutOut(image.view, smallestPart: 0, outline: CutOut.Outline(color: .white, width: 0.2)))
        #expect(cutOut.width == 20 + 2 * 6)
        #expect(pixel(cutOut, 4, 16)[0] == 255 && pixel(cutOut, 4, 16)[3] > 250)
        #expect(pixel(cutOut, 16, 16) == [9, 9, 9, 255])
    }

    @Test func isNilForImagesThatAreEmptyOrWithoutAlpha() {
        let empty = TestImage(.rgba, 20, 20)
        #expect(CutOut(empty.view, smallestPart: 0) == nil)
        let noAlpha = TestImage(.rgb, 20, 20)
        #expect(CutOut(noAlpha.view, smallestPart: 0) == nil)
    }

    /// Large images are searched in squares of several pixels; parts at the far corner count, too.
    @Test func findsSmallPartsOfLargeImages() throws {
        let image = TestImage(.rgba, 1300, 70)
        for y in 60..<70 { for x in 1290..<1300 { set(image, x, y, [1, 2, 3, 255]) } }
        let cutOut = try #require(CutOut(image.view, smallestPart: 0))
        #expect(cutOut.width == 10 && cutOut.height == 10 && pixel(cutOut, 9, 9) == [1, 2, 3, 255])
    }
    // MARK: - By a mask

    /// Returns an image of noise, and a mask of half its size that covers columns 4...15 and rows 2...7 of
    /// itself.
    private func covered() throws -> (image: TestImage, mask: Mask) {
        let image = TestImage(.rgb, 40, 200)
        for y in 0..<200 {
            for x in 0..<120 { image[plane: 0, y, x] = UInt16(truncatingIfNeeded: 31 * x + 17 * y) & 255 }
        }
        let row = (0..<20).map { (4..<16).contains($0) ? Float(1) : 0 }
        let mask = try #require(
            Mask(format: .gray8, width: 20, height: 100) { for y in 2..<98 { $0.writeRow(y, from: row) } })
        return (image, mask)
    }

    /// Certainly covered pixels have the image's own colours, whatever the stored orientation.
    @Test(arguments: ImageOrientation.allCases)
    func aMaskCutsOutUpright(_ orientation: ImageOrientation) throws {
        let (image, mask) = try covered()
        let cutOut = try #require(CutOut(image.view, mask: mask, orientation: orientation))
        // One more column and row at each side are soft, since the mask has half as many.
        #expect(orientation.upright(cutOut.width, cutOut.height) == (26, 194))
        let toStored = FrameTransform.orientation(orientation)
        for y in stride(from: 4, to: cutOut.height - 4, by: 5) {
            for x in 4..<cutOut.width - 4 {
                let upright = Point(
                    x: (Double(x) + 0.5) / Double(cutOut.width), y: (Double(y) + 0.5) / Double(cutOut.height))
                let stored = toStored.map(upright)
                let (column, row) = (7 + Int(stored.x * 26), 3 + Int(stored.y * 194))
                let colour = (0..<3).map { UInt8(image[plane: 0, row, 3 * column + $0]) }
                #expect(pixel(cutOut, x, y) == colour + [255], "\(x) \(y)")
            }
        }
    }

    @Test func anEmptyMaskIsNil() throws {
        let mask = try #require(Mask(format: .f32, width: 3, height: 3) { _ in })
        #expect(CutOut(try covered().image.view, mask: mask) == nil)
    }

    /// Every format is read in the same way as for blending.
    @Test(arguments: [PixelFormat.i420, .nv12, .bgra, .gray8, .i420Deep])
    func cutsOutOfEveryFormat(_ format: PixelFormat) throws {
        let image = TestImage(format, 31, 21)
        let mask = try #require(Mask(format: .f32, width: 1, height: 1) { $0.writeRow(0, from: [1]) })
        let cutOut = try #require(CutOut(image.view, mask: mask))
        #expect(cutOut.width == 31 && cutOut.height == 21)
        #expect((0..<31 * 21).allSatisfy { cutOut.pixels[4 * $0 + 3] == 255 })
    }
}
