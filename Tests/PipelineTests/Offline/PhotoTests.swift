import Foundation
import TestSupport
import Testing

/// Images with any orientation, depth and size.
struct PhotoTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func make(_ input: String, _ name: String, color: String = "00ff00") throws -> Frame {
        let output = scratch.path(name)
        let result = try Subprocess.run(
            Tool.path, ["photo", input, output, "--color", color, "--quality", "fast"])
        guard result.status == 0 else { throw SetupFailure(result.output) }
        return try Frame.picture(output, "video/x-raw,format=RGB,width=128,height=128")
    }

    private func isGreen(_ frame: Frame, _ x: Int, _ y: Int) -> Bool {
        frame.samples(0)[y][x] < 60 && frame.samples(1)[y][x] > 200 && frame.samples(2)[y][x] < 60
    }

    @Test(arguments: ["png", "jpg", "jpeg", "JPG"])
    func writesPNGAndJPEG(_ suffix: String) throws {
        let after = try make(Checkout.astronaut.path, "out.\(suffix)")
        let before = try Frame.picture(Checkout.astronaut.path, "video/x-raw,format=RGB,width=128,height=128")
        // The top left is background; the face is in the middle of the upper part.
        #expect(isGreen(after, 8, 8))
        #expect(
            (0..<3).allSatisfy { abs(Int(after.samples($0)[28][58]) - Int(before.samples($0)[28][58])) < 24 })
        let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path("out.\(suffix)")))
        #expect(bytes.starts(with: suffix == "png" ? [0x89, 0x50, 0x4e, 0x47] : [0xff, 0xd8, 0xff]))
    }

    /// The turn with which each EXIF orientation stores an upright image.
    @Test(arguments: [(1, "identity"), (3, "180"), (6, "90l"), (8, "90r"), (2, "horiz"), (5, "ul-lr")])
    func turnsJPEGsUpright(_ orientation: UInt8, _ stored: String) throws {
        let source = "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert"
        let plain = try scratch.clip(
            "plain.jpg", "\(source) ! videoflip video-direction=\(stored) ! jpegenc quality=95")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: plain))
        // APP1: "Exif", a big-endian TIFF header and one entry, the orientation (0x112).
        let entry: [UInt8] = [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        let exif = Array("Exif\0\0MM\0*\0\0\0\u{8}\0\u{1}".utf8) + entry + [0, 0, 0, 0]
        bytes.insert(contentsOf: [0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif, at: 2)
        let upright = try make(Checkout.astronaut.path, "expected.png")
        let turned = try make(try scratch.file("in.jpg", bytes), "out.png")
        // If it were analysed sideways, half of the portrait would be missing.
        #expect(meanDifference(upright, turned) < 4)
    }

    @Test(arguments: ["GRAY8", "GRAY16_BE", "RGBA"])
    func readsOtherKindsOfPNG(_ format: String) throws {
        let line =
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert ! video/x-raw,format=\(format) ! pngenc"
        let after = try make(try scratch.clip("in.png", line), "out.png")
        let before = try Frame.picture(scratch.path("in.png"), "video/x-raw,format=RGB,width=128,height=128")
        #expect(isGreen(after, 8, 8))
        #expect(
            (0..<3).allSatisfy { abs(Int(after.samples($0)[28][58]) - Int(before.samples($0)[28][58])) < 24 })
    }

    @Test func keepsTheColoursOfDeepPNGs() throws {
        let raw = try scratch.clip(
            "in.rgb",
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert ! video/x-raw,format=RGB")
        let code = """
            import struct, zlib
            source, target = sys.argv[1:]
            row = 512 * 3
            pixels = open(source, "rb").read()
            rows = [bytes(b for value in pixels[y * row:][:row] for b in (value, value)) for y in range(512)]
            def chunk(kind, data):
                return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            header = struct.pack(">IIBBBBB", 512, 512, 16, 2, 0, 0, 0)
            data = zlib.compress(b"".join(b"\\0" + row for row in rows))
            png = b"\\x89PNG\\r\\n\\x1a\\n"
            png += chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
            open(target, "wb").write(png)
            """
        #expect(try python(code, [raw, scratch.path("in.png")]).status == 0)
        let after = try make(scratch.path("in.png"), "out.png")
        #expect(meanDifference(after, try make(Checkout.astronaut.path, "expected.png")) < 2)
    }

    /// Returns a video that is red in its first second and blue in its second one, without people.
    private func redThenBlue() throws -> String {
        let colors = ["ff0000", "0000ff"].map {
            "videotestsrc num-buffers=25 pattern=solid-color foreground-color=0xff\($0) "
                + "! video/x-raw,width=160,height=90,framerate=25/1 ! all."
        }
        let chain =
            "concat name=all ! videoconvert ! video/x-raw,format=I420 ! x264enc ! matroskamux name=muxer"
        return try scratch.clip("in.mkv", "\(chain) \(colors.joined(separator: " ")) muxer.")
    }

    @Test(arguments: [([], 0), (["--start=1.2"], 2)])
    func takesOneFrameOfAVideoAndSaysWhich(_ options: [String], _ brightest: Int) throws {
        let arguments = [
            "photo", try redThenBlue(), scratch.path("out.png"), "--quality=fast", "--original", "--json",
        ]
        let result = try Subprocess.run(Tool.path, arguments + options)
        #expect(result.status == 0 && result.notes("finished")?.count == 1, "\(result.output)")
        let frame = try Frame.picture(scratch.path("out.png"), "video/x-raw,format=RGB,width=16,height=16")
        for index in 0..<3 { #expect((frame.samples(index)[8][8] > 128) == (index == brightest)) }
    }

    @Test func imagesHaveNoTimes() throws {
        let output = scratch.path("out.png")
        let result = try Tool.run(Checkout.astronaut.path, output, "--start=1", command: "photo")
        #expect(result.status == 2 && scratch.names == [], "\(result.output)")
    }

    @Test func transparentPixelsStayHidden() throws {
        // The whole portrait is there, but completely transparent.
        let line =
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert ! video/x-raw,format=RGBA "
            + "! alpha alpha=0 ! pngenc"
        let after = try make(try scratch.clip("in.png", line), "out.png", color: "000000")
        #expect((0..<3).allSatisfy { after.samples($0).joined().allSatisfy { $0 < 8 } })
    }

    @Test func takesSixtyMegapixels() throws {
        let line =
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert ! videoscale add-borders=false "
            + "! video/x-raw,format=I420,width=9000,height=6667,pixel-aspect-ratio=1/1 ! jpegenc"
        let input = try scratch.clip("in.jpg", line)
        let after = try make(input, "out.jpg")
        #expect(isGreen(after, 8, 8) && !isGreen(after, 58, 28))
    }
}
