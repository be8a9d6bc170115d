import CGStreamer
import Foundation
import GStreamerKit
import TestSupport
import Testing

/// Pictures that can be read, and files that are no pictures.
struct StillPictureTests {
    let scratch: Scratch

    init() throws {
        TestedPlugin.load()
        scratch = try Scratch()
        let picture = try Frame("video/x-raw,format=RGB,width=20,height=10,framerate=25/1")
        for type in ["png", "jpeg"] {
            try Data(try picture.encoded(as: "image/\(type)")).write(
                to: scratch.url.appendingPathComponent("p.\(type)"))
        }
        try Data("text".utf8).write(to: scratch.url.appendingPathComponent("text.png"))
        try Data().write(to: scratch.url.appendingPathComponent("empty.png"))
        // One has no width, one an unknown version, and one is cut off before its size.
        let gifs = ["GIF89a\0\0\u{5}\0", "GIF88a\u{5}\0\u{5}\0", "GIF89a\u{5}"]
        for (number, gif) in gifs.enumerated() {
            try Data(gif.utf8).write(to: scratch.url.appendingPathComponent("damaged-\(number).gif"))
        }
        let png = try Data(contentsOf: scratch.url.appendingPathComponent("p.png"))
        try png.prefix(20).write(to: scratch.url.appendingPathComponent("cut.png"))
        try picture.encoded(as: "image/png").withUnsafeBytes { bytes in
            try Data(bytes).write(to: scratch.url.appendingPathComponent("mit Leerzeichen & Ähnlichem.png"))
        }
    }

    @Test(arguments: ["p.png", "p.jpeg", "mit Leerzeichen & Ähnlichem.png"])
    func readsPictures(_ name: String) throws {
        #expect(throws: Never.self) { try StillPicture.load(scratch.path(name)) }
        #expect(throws: Never.self) {
            try StillPicture.load(scratch.url.appendingPathComponent(name).absoluteString)
        }
    }

    @Test(arguments: ["missing.png", "text.png", "empty.png", "cut.png", "", "."])
    func reportsUnreadableFiles(_ name: String) {
        let location = scratch.path(name)
        do throws(ElementError) {
            _ = try StillPicture.load(location)
            Issue.record("\(name) was read")
        } catch {
            #expect(error.code == .resourceOpenRead)
        }
    }

    /// Phones store a gain map or a clip behind the picture, marked or not; frames of Motion JPEG stand
    /// alone.
    @Test(arguments: [(["Exif\0\0"], false), (["ICC_PROFILE\0\u{1}\u{1}"], false), ([], true)])
    func aSecondPictureOfAPhotoIsNoFrame(_ data: [String], _ isClip: Bool) throws {
        let jpeg = try Data(contentsOf: scratch.url.appendingPathComponent("p.jpeg"))
        let segments = data.map { text in
            Data([0xff, text.hasPrefix("Exif") ? 0xe1 : 0xe2, 0, UInt8(text.utf8.count + 2)])
                + Data(text.utf8)
        }
        let photo = segments.reduce(Data(jpeg.prefix(2)), +) + jpeg.dropFirst(2)
        try (photo + jpeg).write(to: scratch.url.appendingPathComponent("two.jpeg"))
        for _ in 0..<10 {
            let picture = try StillPicture.load(scratch.path("two.jpeg"))
            #expect(picture?.isClip == isClip)
        }
    }

    @Test(arguments: [
        ("\0\0\0\u{18}ftypheic", "HEIC"), ("\0\0\0\u{18}ftypavif", "AVIF"), ("BM", "BMP"), ("II*\0", "TIFF"),
    ])
    func namesTheCommandThatConverts(_ contents: String, _ kind: String) throws {
        try Data(contents.utf8).write(to: scratch.url.appendingPathComponent("other"))
        do throws(ElementError) {
            _ = try StillPicture.load(scratch.path("other"))
            Issue.record("it was read")
        } catch {
            #expect(error.text.contains(kind) && error.text.contains("vips colourspace"), "\(error.text)")
        }
    }

    /// The decoder of GStreamer 1.22 would never end; later parsers drop the first start.
    @Test func endsWithAJPEGThatStartsTwice() throws {
        let jpeg = try Data(contentsOf: scratch.url.appendingPathComponent("p.jpeg"))
        try (Data([0xff, 0xd8]) + jpeg).write(to: scratch.url.appendingPathComponent("twice.jpeg"))
        do throws(ElementError) {
            let picture = try StillPicture.load(scratch.path("twice.jpeg"))
            #expect(hasTolerantParser && picture?.byteCount ?? 0 > 0)
        } catch {
            #expect(error.code == .resourceOpenRead, "\(error.text)")
        }
    }

    private var hasTolerantParser: Bool {
        var (major, minor, micro, nano): (guint, guint, guint, guint) = (0, 0, 0, 0)
        gst_version(&major, &minor, &micro, &nano)
        return (major, minor) > (1, 22)
    }

    /// A decoder that fails while its bin starts used to make the start wait for ever, now and then.
    @Test func endsWhereADecoderFailsAtOnce() throws {
        var damaged = try Data(contentsOf: HostilePictures.folder.appendingPathComponent("alpha.png"))
        // The colour type, which the header's check sum covers.
        damaged[25] ^= 1
        try damaged.write(to: scratch.url.appendingPathComponent("damaged.png"))
        for _ in 0..<200 {
            #expect(throws: ElementError.self) { try StillPicture.load(scratch.path("damaged.png")) }
        }
    }

    /// Damaged GIFs are not given to GStreamer, because one of its versions crashes.
    @Test(arguments: 0..<3)
    func refusesDamagedGIFs(_ number: Int) {
        do throws(ElementError) {
            _ = try StillPicture.load(scratch.path("damaged-\(number).gif"))
            Issue.record("it was read")
        } catch {
            #expect(error.code == .resourceOpenRead, "\(error.text)")
        }
    }

    /// Small files that claim gigabytes.
    @Test(arguments: ["alpha.png", "one-bit.png", "turned.jpg", "progressive.jpg"])
    func refusesPicturesThatWouldFillTheMemory(_ name: String) throws {
        try isRefused(bomb(name))
    }

    /// Parsers of JPEG do not find the size behind such a position, but decoders do.
    @Test(arguments: ["turned.jpg", "progressive.jpg"])
    func refusesDamagedPicturesThatWouldFillTheMemory(_ name: String) throws {
        var damaged = try bomb(name)
        let marker = try #require(
            [UInt8](damaged).indices.dropLast().first {
                damaged[$0] == 0xff && [0xc0, 0xc2].contains(damaged[$0 + 1])
            })
        damaged.insert(contentsOf: [UInt8](repeating: 0x4f, count: 14), at: marker)
        try isRefused(damaged)
    }

    private func bomb(_ name: String) throws -> Data {
        let file = try Data(contentsOf: HostilePictures.folder.appendingPathComponent(name))
        return try #require(HostilePictures.claiming(width: 30000, height: 30000, file))
    }

    private func isRefused(_ file: Data) throws {
        try file.write(to: scratch.url.appendingPathComponent("bomb"))
        let before = ProcessMemory.resident
        ProcessMemory.forgetPeak()
        let faults = ReportedFaults.during {
            do throws(ElementError) {
                _ = try StillPicture.load(scratch.path("bomb"))
                Issue.record("it was read")
            } catch {
                #expect(error.code == .resourceOpenRead, "\(error.text)")
            }
        }
        #expect(faults == [])
        #expect(ProcessMemory.peak - before < 64 << 20)
    }

    /// The demuxer of FFmpeg 5 reads the same bytes of a GIF without frames for ever.
    @Test func stopsReadingAGIFWithoutFrames() throws {
        let file = try Data(contentsOf: HostilePictures.folder.appendingPathComponent("animated.gif"))
        try file.prefix(20).write(to: scratch.url.appendingPathComponent("cut.gif"))
        do throws(ElementError) {
            _ = try StillPicture.load(scratch.path("cut.gif"), within: Self.hour)
            Issue.record("it was read")
        } catch {
            #expect(error.code == .resourceOpenRead)
            #expect(!error.text.contains("seconds"), "\(error.text)")
        }
    }

    /// A parser would keep all data of an endless picture.
    @Test func refusesAnEndlessPicture() throws {
        let start: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let header = [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 32, 0, 0, 0, 32, 8, 2, 0, 0, 0]
        let chunk = [0x7f, 0xff, 0xff, 0xff] + Array("IDAT".utf8)
        let server = try LocalServer(
            .endless(
                LocalServer.Answer.head + start + header + [0xfc, 0x18, 0xed, 0xa3] + chunk,
                then: [UInt8](repeating: 0, count: 1 << 20)))
        do throws(ElementError) {
            _ = try StillPicture.load("http://127.0.0.1:\(server.port)/a.png", within: Self.hour)
            Issue.record("it was read")
        } catch {
            #expect(error.code == .resourceOpenRead)
            #expect(error.text.contains("128 MiB arrived without an image"), "\(error.text)")
        }
    }

    /// An hour in seconds; no test may wait that long.
    private static let hour = 3600

    @Test(arguments: ["", "nonsense://picture", "/dev/null"])
    func refusesLocationsThatAreNoFiles(_ location: String) {
        #expect(throws: ElementError.self) { try StillPicture.load(location) }
    }
}
