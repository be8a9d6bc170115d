import Foundation
import TestSupport
import Testing

/// Pictures that are turned, deep, transparent, huge or small.
struct PictureKindTests {
    private let scratch: Scratch
    private static let (width, height) = (96, 64)

    init() throws { scratch = try Scratch() }

    /// Returns four quarters: red, green / blue, white.
    private func quarters(_ width: Int, _ height: Int) throws -> Frame {
        let frame = try Frame("video/x-raw,format=RGB,width=\(width),height=\(height)")
        for index in 0..<3 {
            frame.fill(index) { x, y in
                let quarter = (x >= width / 2 ? 1 : 0) + (y >= height / 2 ? 2 : 0)
                return quarter == index || quarter == 3 ? 255 : 0
            }
        }
        return frame
    }

    /// Returns the output for a frame that is background everywhere.
    private func shown(_ properties: String, _ format: String = "RGB", _ more: String = "") throws -> Frame {
        let frame = try Frame(caps(format, Self.width, Self.height, more))
        frame.fillBytes(with: 99)
        let harness = try Harness(
            "blendmask \(properties)", caps: caps(format, Self.width, Self.height, more))
        return try harness.transform(frame)
    }

    private func colour(_ frame: Frame, _ x: Int, _ y: Int) -> [Int] {
        (0..<3).map { Int(frame.samples($0)[y][x]) }
    }

    private func isClose(_ one: [Int], _ other: [Int], _ tolerance: Int = 6) -> Bool {
        zip(one, other).allSatisfy { abs($0 - $1) <= tolerance }
    }

    // MARK: - Orientation

    /// The turn with which each EXIF orientation stores an upright picture.
    @Test(arguments: [
        (1, "identity"), (2, "horiz"), (3, "180"), (4, "vert"), (5, "ul-lr"), (6, "90l"), (7, "ur-ll"),
        (8, "90r"),
    ])
    func turnsPhotosUpright(_ orientation: UInt8, _ stored: String) throws {
        try Data(try quarters(96, 64).encoded(as: "image/png")).write(
            to: URL(fileURLWithPath: scratch.path("upright.png")))
        let plain = try scratch.clip(
            "plain.jpg",
            "filesrc location=\(scratch.path("upright.png")) ! pngdec ! videoconvert "
                + "! videoflip video-direction=\(stored) ! jpegenc quality=95")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: plain))
        // APP1: "Exif", a little-endian TIFF header and one entry, the orientation (0x112).
        let entry: [UInt8] = [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
        let exif = Array("Exif\0\0II*\0\u{8}\0\0\0\u{1}\0".utf8) + entry + [0, 0, 0, 0]
        bytes.insert(contentsOf: [0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif, at: 2)
        let photo = try scratch.file("photo.jpg", bytes)
        for fit in ["stretch", "cover", "contain"] {
            let frame = try shown("background=\(photo) background-fit=\(fit)")
            #expect(isClose(colour(frame, 16, 12), [255, 0, 0], 20))
            #expect(isClose(colour(frame, 80, 12), [0, 255, 0], 20))
            #expect(isClose(colour(frame, 16, 52), [0, 0, 255], 20))
            #expect(isClose(colour(frame, 80, 52), [255, 255, 255], 20))
        }
    }

    // MARK: - Tiles

    @Test(arguments: ["RGB", "BGRA", "I420", "YUY2"])
    func repeatsTiles(_ format: String) throws {
        let tile = scratch.path("tile.png")
        try Data(try quarters(40, 20).encoded(as: "image/png")).write(to: URL(fileURLWithPath: tile))
        let frame = try shown("background=\(tile) background-fit=tile", format).converted(
            to: caps("RGB", Self.width, Self.height))
        for (x, y) in [(8, 4), (48, 4), (88, 4), (8, 24), (88, 44)] {
            #expect(isClose(colour(frame, x, y), [255, 0, 0], 10), "\(x) \(y): \(colour(frame, x, y))")
        }
        for (x, y) in [(28, 14), (68, 34), (28, 54)] {
            #expect(isClose(colour(frame, x, y), [255, 255, 255], 10))
        }
    }

    @Test func cutsTilesThatAreLargerThanTheFrame() throws {
        let tile = scratch.path("tile.png")
        try Data(try quarters(400, 20).encoded(as: "image/png")).write(to: URL(fileURLWithPath: tile))
        let frame = try shown("background=\(tile) background-fit=tile")
        for x in [4, 90] {
            #expect(colour(frame, x, 4) == [255, 0, 0] && colour(frame, x, 14) == [0, 0, 255])
            #expect(colour(frame, x, 44) == [255, 0, 0])
        }
    }

    // MARK: - Depth and transparency

    /// Returns a PNG of 16 bits: a ramp of red and of green, and a constant blue.
    private func deepPNG(alpha: Bool, blue: Int = 30_000) throws -> String {
        let code = """
            import struct, sys, zlib
            target, alpha, blue = sys.argv[1], sys.argv[2] == "true", int(sys.argv[3])
            def pixel(x, y):
                values = [x * 65535 // 95, 65535 - x * 65535 // 95, blue] + [65535 if y < 32 else 0] * alpha
                return struct.pack(f">{len(values)}H", *values)
            rows = b"".join(b"\\0" + b"".join(pixel(x, y) for x in range(96)) for y in range(64))
            def chunk(kind, data):
                return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            header = struct.pack(">IIBBBBB", 96, 64, 16, 6 if alpha else 2, 0, 0, 0)
            open(target, "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", header)
                + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
            """
        let path = scratch.path("deep.png")
        let result = try Subprocess.run("/usr/bin/python3", ["-c", code, path, "\(alpha)", "\(blue)"])
        guard result.status == 0 else { throw SetupFailure(result.output) }
        return path
    }

    private func ramp(_ x: Int, blue: Int = 117) -> [Int] { [x * 255 / 95, 255 - x * 255 / 95, blue] }

    /// Blue that is full everywhere looks like alpha.
    @Test(arguments: [(30_000, 117), (65_535, 255)])
    func readsDeepPNGs(_ blue: Int, _ shownBlue: Int) throws {
        let frame = try shown("background=\(try deepPNG(alpha: false, blue: blue))")
        for x in [0, 20, 48, 70, 95] {
            for y in [0, 30, 63] { #expect(isClose(colour(frame, x, y), ramp(x, blue: shownBlue), 2)) }
        }
    }

    @Test func laysTransparentPicturesOnTheBackgroundColour() throws {
        let frame = try shown("background=\(try deepPNG(alpha: true)) background-color=0xff00ff00")
        for x in [4, 48, 90] {
            #expect(isClose(colour(frame, x, 10), ramp(x), 2))
            #expect(isClose(colour(frame, x, 50), [0, 255, 0], 1))
        }
    }

    // MARK: - Colour profiles

    @Test(arguments: ["p3.jpg", "p3.png", "p3.webp", "deep.png"])
    func appliesColourProfiles(_ name: String) throws {
        let original = try Frame("video/x-raw,format=RGB,width=96,height=64")
        for (index, value) in [200, 100, 50].enumerated() { original.fill(index) { _, _ in UInt8(value) } }
        try Data(try original.encoded(as: "image/png")).write(
            to: URL(fileURLWithPath: scratch.path("original.png")))
        let code = """
            import io, runpy, sys
            from PIL import Image, ImageCms
            make, picture, folder = sys.argv[1:]
            sys.argv = sys.argv[1:]
            runpy.run_path(make, run_name="__main__")
            image = Image.open(folder + "/p3.png")
            profile = ImageCms.ImageCmsProfile(io.BytesIO(image.info["icc_profile"]))
            print(*ImageCms.profileToProfile(image, profile, ImageCms.createProfile("sRGB")).getpixel((48, 32)))
            """
        let make = Checkout.root.appendingPathComponent("Tests/Fixtures/make_photos.py").path
        let result = try Subprocess.run(
            "/usr/bin/python3", ["-c", code, make, scratch.path("original.png"), scratch.url.path],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        let expected = result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(expected.count == 3 && !isClose(expected, [200, 100, 50]), "\(result.output)")
        // GStreamer's conversions of I420 are off by up to three in either direction.
        for (format, tolerance) in [("RGB", 4), ("I420", 6)] {
            let frame = try shown("background=\(scratch.path(name))", format).converted(
                to: caps("RGB", Self.width, Self.height))
            #expect(
                isClose(colour(frame, 48, 32), expected, tolerance),
                "\(colour(frame, 48, 32)), not \(expected)")
        }
    }

    // MARK: - Transfer functions

    /// White is 203 cd/m2 if the stream has a high dynamic range: 58 % in PQ, 75 % in HLG.
    @Test(arguments: [("bt2100-pq", 0.58), ("bt2100-hlg", 0.75), ("bt2020-10", 1.0), ("bt709", 1.0)])
    func placesWhiteInTheStreamsTransfer(_ colorimetry: String, _ share: Double) throws {
        let white = scratch.path("white.png")
        let picture = try Frame("video/x-raw,format=RGB,width=96,height=64")
        picture.fillBytes(with: 255)
        try Data(try picture.encoded(as: "image/png")).write(to: URL(fileURLWithPath: white))
        let clip = try scratch.clip(
            "white.mkv",
            "videotestsrc pattern=white num-buffers=20 ! \(caps("I420", 96, 64)) ! x264enc ! matroskamux")
        for background in [white, clip] {
            let frame = try shown("background=\(background)", "P010_10LE", ",colorimetry=\(colorimetry)")
            let expected = Int((16 + 219 * share).rounded())
            #expect(abs(Int(frame.samples(0)[32][48]) - expected) <= 1)
            #expect((1...2).allSatisfy { abs(Int(frame.samples($0)[16][24]) - 128) <= 1 })
        }
    }

    /// A ramp finer than eight bits stays finer.
    @Test func keepsTheDepthOfDeepPictures() throws {
        let frame = try Frame(caps("ARGB64", 96, 64))
        frame.fillBytes(with: 0)
        let harness = try Harness("blendmask background=\(try deepPNG(alpha: false))", caps: frame.caps)
        let after = try harness.transform(frame)
        let bytes = Frame.bytes(of: after.buffer)
        try #require(bytes.count == 96 * 64 * 8)
        for x in 0..<96 {
            let pixel = (32 * 96 + x) * 8
            let sample = { (index: Int) in
                Int(bytes[pixel + index * 2]) | Int(bytes[pixel + index * 2 + 1]) << 8
            }
            #expect(sample(0) == 65535)
            #expect(abs(sample(1) - x * 65535 / 95) <= 1)
            #expect(abs(sample(2) - (65535 - x * 65535 / 95)) <= 1)
            #expect(abs(sample(3) - 30000) <= 1)
        }
    }

    // MARK: - Size

    /// While a large picture is decoded again for other frames, its previous rendition is scaled.
    @Test func showsALargePictureRightAfterAChangeOfCaps() throws {
        let photo = try scratch.clip(
            "large.jpg",
            "videotestsrc num-buffers=1 pattern=green ! video/x-raw,format=I420,width=7000,height=4000 ! jpegenc"
        )
        let frame = try Frame(caps("RGB", 96, 64))
        let harness = try Harness("blendmask background=\(photo)", caps: frame.caps)
        let shown = colour(try harness.transform(frame), 48, 32)
        #expect(shown[1] > 150 && shown[0] < 60 && shown[2] < 60, "\(shown)")
        harness.setCaps(caps("BGRx", 200, 100))
        let other = try Frame(caps("BGRx", 200, 100))
        for _ in 0..<40 {
            #expect(isClose(colour(try harness.transform(other), 48, 32), shown))
            usleep(10_000)
        }
        // Frames without masks are reported after a second.
        #expect(harness.messages().filter { !$0.isOfMissingMasks } == [])
    }

    /// Forty megapixels are decoded outside of the streaming thread, and then released.
    @Test func takesFortyMegapixelsInLittleMemory() throws {
        let line =
            "videotestsrc num-buffers=1 ! video/x-raw,format=I420,width=800,height=500 ! videoscale method=0 "
            + "! video/x-raw,width=8000,height=5000 ! jpegenc"
        let photo = try scratch.clip("huge.jpg", line)
        let code = """
            import gi, resource, sys
            gi.require_version("Gst", "1.0")
            from gi.repository import Gst
            def memory(field):
                return next(int(l.split()[1]) for l in open("/proc/self/status") if l.startswith(field)) // 1024
            Gst.init(None)
            pipeline = Gst.parse_launch(
                "videotestsrc num-buffers=30 ! video/x-raw,format=I420,width=1280,height=720 "
                f"! blendmask background={sys.argv[1]} ! fakesink")
            before = memory("VmRSS")
            pipeline.set_state(Gst.State.PLAYING)
            message = pipeline.get_bus().timed_pop_filtered(60 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
            peak, now = memory("VmHWM") - before, memory("VmRSS") - before
            pipeline.set_state(Gst.State.NULL)
            print(message.type == Gst.MessageType.EOS, peak, now)
            """
        let result = try Subprocess.run("/usr/bin/python3", ["-c", code, photo])
        let words = result.output.split(whereSeparator: \.isWhitespace)
        try #require(words.count == 3 && words[0] == "True", "\(result.output)")
        // The decoded picture takes 57 MiB once; afterwards one frame of it is left.
        #expect(try #require(Int(words[1])) < 100)
        #expect(try #require(Int(words[2])) < 40)
    }
}
