import CGStreamer
import Imaging
import TestSupport
import Testing

/// Masks for every pixel format and in every mask format.
struct MaskFormatTests {
    static let formats = PixelFormat.allCases.map(\.rawValue)
    static let coloredFormats = formats.filter { !$0.hasPrefix("GRAY") }
    // Each format has a size; the most common ones have more.
    static let cases: [(String, [Int])] =
        formats.map { ($0, [321, 179]) }
        + ["I420", "YUY2", "RGB"].flatMap { [($0, [320, 180]), ($0, [33, 47])] }
    private static let maskInRGB = Result { try mask(of: astronaut(384, 384)).values }

    @Test(arguments: cases)
    func describesTheMaskOfEveryFormatAndSize(_ format: String, _ size: [Int]) throws {
        let frame = try astronaut(size[0], size[1]).converted(to: caps(format, size[0], size[1]))
        let mask = try mask(of: frame, "personsegment quality=fast")
        let isWide = size[0] * 2 >= size[1] * 3
        #expect(mask.int("width") == 256)
        #expect(mask.int("height") == (isWide ? 144 : 256))
        #expect(mask.int("stride") == 256)
        #expect(mask.string("format") == "gray8")
        #expect(mask.int("frame-width") == size[0])
        #expect(mask.int("frame-height") == size[1])
        #expect(mask.fraction("pixel-aspect-ratio") == [1, 1])
        #expect(mask.int("orientation") == 1)
        #expect(mask.string("quality") == "fast")
        #expect(mask.int("revision") == 1)
        #expect(mask.time("age") == 0)
        #expect(mask.time("interval") == 40_000_000)
        #expect(mask.values.count == 256 * (isWide ? 144 : 256))
    }

    /// Limits of a format cost a little: chroma of half the resolution, codes of 16 to 235.
    @Test(arguments: coloredFormats)
    func findsTheSamePersonInEveryFormat(_ format: String) throws {
        let picture = try astronaut(384, 384)
        let expected = try Self.maskInRGB.get()
        let found = try mask(of: picture.converted(to: caps(format, 384, 384))).values
        let isRGB = PixelFormat(rawValue: format)?.layout.model == .rgb
        #expect(meanDifference(expected, found) < (isRGB ? 1e-6 : 0.01))
    }

    @Test func findsThePersonInGrey() throws {
        let picture = try astronaut(384, 384)
        let expected = try Self.maskInRGB.get()
        let found = try mask(of: picture.converted(to: caps("GRAY8", 384, 384))).values
        #expect(meanDifference(expected, found) < 0.1)
        #expect(found.reduce(0, +) / Float(found.count) > 0.2)
    }

    @Test func givesTheSameMaskInEveryMaskFormat() throws {
        let picture = try astronaut(384, 256)
        let exact = try mask(of: picture, "personsegment quality=fast mask-format=f32")
        let half = try mask(of: picture, "personsegment quality=fast mask-format=f16")
        let bytes = try mask(of: picture, "personsegment quality=fast mask-format=gray8")
        #expect([exact, half, bytes].map { $0.string("format") } == ["f32", "f16", "gray8"])
        #expect([exact, half, bytes].map { $0.int("stride") } == [1024, 512, 256])
        let halfError = zip(exact.values, half.values).map { abs($0 - $1) }.max() ?? 1
        let byteError = zip(exact.values, bytes.values).map { abs($0 - $1) }.max() ?? 1
        // The errors are at most half a unit in the last place below 1, and half a step of 255.
        #expect(halfError <= 1 / 4096)
        #expect(byteError <= 0.5001 / 255)
        #expect(exact.values.contains { $0 > 0.95 } && exact.values.contains { $0 < 0.05 })
    }

    @Test func describesAByteMaskAsVideoToo() throws {
        let mask = try mask(of: astronaut(320, 180), "personsegment quality=fast")
        let meta = mask.buffer.flatMap { gst_buffer_get_video_meta($0) }
        #expect(meta?.pointee.width == 256)
        #expect(meta?.pointee.height == 144)
        #expect(meta?.pointee.format == GST_VIDEO_FORMAT_GRAY8)
    }

    @Test(arguments: [("balanced", 320, 180), ("accurate", 320, 180)])
    func usesTheSizeOfTheQuality(_ quality: String, _ width: Int, _ height: Int) throws {
        let mask = try mask(of: astronaut(320, 180), "personsegment quality=\(quality)")
        #expect(mask.string("quality") == quality)
        #expect(mask.int("width") == width)
        #expect(mask.int("height") == height)
        let covered = mask.values.filter { $0 > 0.5 }.count
        #expect(covered > mask.values.count / 5 && covered < mask.values.count * 9 / 10)
    }

    @Test func readsPaddedRows() throws {
        for format in ["I420", "NV12", "YUY2", "RGB"] {
            let picture = try astronaut(321, 239).converted(to: caps(format, 321, 239))
            let padded = try Frame(picture.caps, padding: 24)
            padded.fillBytes(with: 255)
            for index in 0..<picture.colorCount {
                let samples = picture.samples(index)
                padded.fill(index) { samples[$1][$0] }
            }
            #expect(padded.byteCount > picture.byteCount)
            #expect(try mask(of: picture).values == mask(of: padded).values, "\(format)")
        }
    }
}
