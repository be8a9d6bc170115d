import Imaging
import Testing

/// Rotated, repeated and mirrored pixels, compared with plain definitions.
struct ARGB64ImageTests {
    typealias Pixel = ARGB64Image.Pixel

    private func withImage(
        _ pixels: inout [Pixel], _ width: Int, _ height: Int, _ body: (ARGB64Image) -> Void
    ) throws {
        try pixels.withUnsafeMutableBytes { bytes in
            body(try #require(ARGB64Image(bytes, width: width, height: height)))
        }
    }

    private func numbered(_ count: Int) -> [Pixel] {
        (0..<count).map { Pixel(65535, UInt16($0), UInt16($0 + 100), 7) }
    }

    /// Returns the position at which EXIF stores a pixel of the upright image.
    private func stored(_ orientation: ImageOrientation, _ x: Int, _ y: Int, _ width: Int, _ height: Int)
        -> (Int, Int)
    {
        switch orientation {
        case .up: (x, y)
        case .upMirrored: (width - 1 - x, y)
        case .down: (width - 1 - x, height - 1 - y)
        case .downMirrored: (x, height - 1 - y)
        case .leftMirrored: (y, x)
        case .right: (y, height - 1 - x)
        case .rightMirrored: (width - 1 - y, height - 1 - x)
        case .left: (width - 1 - y, x)
        }
    }

    @Test(arguments: ImageOrientation.allCases, [[5, 3], [1, 4], [4, 1], [6, 6]])
    func drawsUpright(_ orientation: ImageOrientation, _ size: [Int]) throws {
        let (width, height) = (size[0], size[1])
        var image = numbered(width * height)
        let original = image
        let upright = orientation.upright(width, height)
        var frame = [Pixel](repeating: Pixel(repeating: 1), count: 9 * 8)
        try withImage(&image, width, height) { image in
            frame.withUnsafeMutableBytes { bytes in
                ARGB64Image(bytes, width: 9, height: 8)?.draw(image, orientation: orientation, x: 2, y: 1)
            }
        }
        for y in 0..<8 {
            for x in 0..<9 {
                let isInside =
                    (2..<min(9, 2 + upright.width)).contains(x)
                    && (1..<min(8, 1 + upright.height)).contains(y)
                let place = stored(orientation, x - 2, y - 1, width, height)
                let expected = isInside ? original[place.1 * width + place.0] : Pixel(repeating: 1)
                #expect(frame[y * 9 + x] == expected)
            }
        }
    }

    @Test(arguments: ImageOrientation.allCases)
    func findsPartsOfStoredImages(_ orientation: ImageOrientation) {
        let (width, height) = (20, 12)
        let part = PixelRect(x: 2, y: 3, width: 5, height: 4)
        let corners = [(2, 3), (6, 6)].map { stored(orientation, $0.0, $0.1, width, height) }
        let (xs, ys) = (corners.map(\.0).sorted(), corners.map(\.1).sorted())
        #expect(
            part.stored(orientation, width: width, height: height)
                == PixelRect(x: xs[0], y: ys[0], width: xs[1] - xs[0] + 1, height: ys[1] - ys[0] + 1))
    }

    @Test(arguments: [(3, 2), (7, 5), (1, 1), (9, 9)])
    func repeatsTiles(_ tileWidth: Int, _ tileHeight: Int) throws {
        var frame = numbered(7 * 5)
        let original = frame
        try withImage(&frame, 7, 5) { $0.repeatTile(width: tileWidth, height: tileHeight) }
        for y in 0..<5 {
            for x in 0..<7 { #expect(frame[y * 7 + x] == original[y % tileHeight * 7 + x % tileWidth]) }
        }
    }

    @Test func fillsWithAColour() throws {
        var pixels = numbered(6)
        try withImage(&pixels, 3, 2) { $0.fill(0x12ff_0080) }
        #expect(pixels == [Pixel](repeating: Pixel(65535, 65535, 0, 128 * 257), count: 6))
    }

    @Test func laysTransparentPixelsOnAColour() throws {
        var pixels = [Pixel(0, 5, 5, 5), Pixel(65535, 5, 6, 7), Pixel(32768, 0, 65535, 0)]
        try withImage(&pixels, 3, 1) { $0.flatten(on: 0x12ff_0080) }
        #expect(pixels[0] == Pixel(65535, 65535, 0, 128 * 257))
        #expect(pixels[1] == Pixel(65535, 5, 6, 7))
        #expect(abs(Int(pixels[2].y) - 32767) <= 1 && abs(Int(pixels[2].z) - 32768) <= 1)
    }

    @Test func refusesMemoryThatIsTooSmall() {
        var pixels = numbered(11)
        pixels.withUnsafeMutableBytes { bytes in
            #expect(ARGB64Image(bytes, width: 4, height: 3) == nil)
            #expect(ARGB64Image(bytes, width: 0, height: 3) == nil)
            #expect(ARGB64Image(bytes, width: 3, height: -1) == nil)
            #expect(ARGB64Image(bytes, width: .max, height: 3) == nil)
            #expect(ARGB64Image(bytes, width: 3, height: 3) != nil)
        }
    }
}

/// EXIF data as cameras write them, and damaged ones.
struct ExifOrientationTests {
    private func jpeg(_ exif: [UInt8], before: [UInt8] = []) -> [UInt8] {
        let length = exif.count + 8
        let (start, end): ([UInt8], [UInt8]) = ([0xff, 0xd8], [0xff, 0xda, 0, 2])
        let marker: [UInt8] = [0xff, 0xe1, UInt8(length >> 8), UInt8(length & 255)]
        return [start, before, marker, Array("Exif\0\0".utf8), exif, end].flatMap { $0 }
    }

    private let little = Array("II*\0\u{8}\0\0\0\u{2}\0".utf8) + [0, 1, 4, 0, 1, 0, 0, 0, 9, 0, 0, 0]

    @Test(arguments: 1...8)
    func readsBothByteOrders(_ value: UInt8) {
        let entry: [UInt8] = [0x12, 1, 3, 0, 1, 0, 0, 0, value, 0, 0, 0]
        #expect(ImageOrientation(exifOf: jpeg(little + entry))?.rawValue == Int(value))
        let big = Array("MM\0*\0\0\0\u{8}\0\u{1}".utf8) + [1, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0]
        let jfif: [UInt8] = [0xff, 0xe0, 0, 4, 1, 1]
        #expect(ImageOrientation(exifOf: jpeg(big, before: jfif))?.rawValue == Int(value))
    }

    @Test func findsNoOrientationInOtherFiles() {
        #expect(ImageOrientation(exifOf: []) == nil)
        #expect(ImageOrientation(exifOf: Array("\u{89}PNG".utf8)) == nil)
        #expect(ImageOrientation(exifOf: jpeg(little)) == nil)
        let entry: [UInt8] = [0x12, 1, 3, 0, 1, 0, 0, 0, 9, 0, 0, 0]
        #expect(ImageOrientation(exifOf: jpeg(little + entry)) == nil)
    }

    /// A damaged file has the orientation that was written, or none.
    @Test func damagedFilesHaveTheWrittenOrientationOrNone() {
        let entry: [UInt8] = [0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]
        let whole = jpeg(little + entry)
        let possible = [nil, ImageOrientation(exifOf: whole)]
        for count in 0..<whole.count {
            let found = ImageOrientation(exifOf: Array(whole.prefix(count)))
            #expect(possible.contains(found), "of \(count) bytes")
            // The last four bytes end the file, and eight contain the entry's value and padding.
            #expect(count > whole.count - 8 || found == nil, "of \(count) bytes")
        }
        for index in whole.indices {
            for byte: UInt8 in [0, 255, 128] {
                var damaged = whole
                damaged[index] = byte
                #expect(possible.contains(ImageOrientation(exifOf: damaged)), "byte \(index) is \(byte)")
            }
        }
    }
}
