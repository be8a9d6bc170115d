import Foundation
import ImageFiles
import Imaging
import PeopleVision
import TestSupport
import Testing

@Suite struct ImageFileTests {
    @Test func readsTheMaskThatWasWritten() throws {
        let rows: [[Float]] = (0..<3).map { y in (0..<5).map { x in Float(x + 5 * y) / 14 } }
        let mask = try #require(
            Mask(format: .f32, width: 5, height: 3) { for y in 0..<3 { $0.writeRow(y, from: rows[y]) } })
        let path = NSTemporaryDirectory() + "mask-\(UUID()).png"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try mask.writePNG(to: path)
        let file = try ImageFile(reading: path)
        #expect(file.view.format == .rgb && file.view.width == 5 && file.view.height == 3)
        #expect(file.orientation == .up)
        for y in 0..<3 {
            let row = file.view.plane(0).row(y)
            for x in 0..<15 { #expect(row[x] == UInt8(rows[y][x / 3] * 255 + 0.5)) }
        }
    }

    /// Transparent pixels are read as mid-grey.
    @Test func writesACutOutWithAlpha() throws {
        let file = try ImageFile(reading: Checkout.astronaut.path)
        let mask = try #require(
            Mask(format: .f32, width: 2, height: 2) {
                $0.writeRow(0, from: [1, 0])
                $0.writeRow(1, from: [1, 1])
            })
        let cutOut = try #require(ImageRequestHandler(file).cutOut(by: mask))
        let scratch = try Scratch()
        let path = scratch.path("cut-out.png")
        try cutOut.writePNG(to: path)
        let read = try ImageFile(reading: path)
        #expect(read.view.width == 512 && read.view.height == 512)
        let (pixels, original) = (samples(read), samples(file))
        #expect((0..<3).allSatisfy { pixels[3 * (2 * 512 + 509) + $0] == 127 })
        for y in [0, 300, 511] {
            let left = 3 * 512 * y..<3 * 512 * y + 60
            #expect(pixels[left] == original[left])
        }
        #expect(throws: ImageFileError.self) { try cutOut.writePNG(to: "/nonexistent/cut-out.png") }
    }

    /// A grey JPEG of 8x8 pixels: one block with only its mean, and tables of one code each.
    private static let jpeg: [UInt8] = {
        let quantisation: [UInt8] = [0xff, 0xdb, 0, 67, 0] + [UInt8](repeating: 8, count: 64)
        let frame: [UInt8] = [0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        let lengths: [UInt8] = [1] + [UInt8](repeating: 0, count: 15)
        let tables: [[UInt8]] = [
            [0xff, 0xc4, 0, 20, 0x00], lengths, [0], [0xff, 0xc4, 0, 20, 0x10], lengths, [0],
        ]
        let scan: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]
        // "No difference", "end of block", and ones to the end of the byte.
        let end: [UInt8] = [0b0011_1111, 0xff, 0xd9]
        let start: [UInt8] = [0xff, 0xd8]
        return ([start, quantisation, frame] + tables + [scan, end]).flatMap { $0 }
    }()

    private static func exif(_ orientation: UInt8) -> [UInt8] {
        let tiff: [UInt8] =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        let content = Array("Exif\0\0".utf8) + tiff
        return [0xff, 0xe1, 0, UInt8(content.count + 2)] + content
    }

    @Test func readsJPEG() throws {
        let file = try ImageFile(Self.jpeg)
        #expect(file.view.width == 8 && file.view.height == 8 && file.orientation == .up)
        for y in 0..<8 { for x in 0..<24 { #expect(file.view.plane(0).row(y)[x] == 128) } }
    }

    /// Returns a JPEG of 8x8 pixels with an orientation, 1...8.
    static func jpeg(orientation: UInt8) -> [UInt8] { Array(jpeg[..<2] + exif(orientation) + jpeg[2...]) }

    @Test func readsTheOrientation() throws {
        for value in 1...8 {
            #expect(try ImageFile(Self.jpeg(orientation: UInt8(value))).orientation.rawValue == value)
        }
    }

    @Test func failuresNameTheirCause() {
        #expect(throws: ImageFileError.unknownFormat("picture")) { try ImageFile([1, 2, 3]) }
        #expect(throws: ImageFileError.unknownFormat("picture")) { try ImageFile([]) }
        #expect(throws: ImageFileError.self) { try ImageFile(Array(Self.jpeg[..<40])) }
        #expect(throws: ImageFileError.self) { try ImageFile([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]) }
        #expect(throws: ImageFileError.self) { try ImageFile(reading: "/") }
        do throws(ImageFileError) {
            _ = try ImageFile(reading: "/nonexistent.png")
            Issue.record("a file that does not exist was read")
        } catch {
            #expect(error.description == "/nonexistent.png could not be read: No such file or directory")
        }
        #expect(throws: ImageFileError.self) {
            try Mask(format: .gray8, width: 1, height: 1) { _ in }?.writePNG(to: "/nonexistent/mask.png")
        }
    }

    // MARK: - Files of other programs

    /// Returns the portrait in a file, written through some elements.
    private func file(_ name: String, _ elements: String) throws -> ImageFile {
        let scratch = try Scratch()
        let made = try Subprocess.launch(
            "filesrc location=\(Checkout.astronaut.path) ! pngdec ! videoconvert ! \(elements) "
                + "! filesink location=\(scratch.path(name))")
        #expect(made.status == 0, "\(made.output)")
        return try ImageFile(reading: scratch.path(name))
    }

    private func samples(_ file: ImageFile) -> [UInt8] {
        let width = 3 * file.view.width
        return (0..<file.view.height).flatMap {
            Array(UnsafeBufferPointer(start: file.view.plane(0).row($0), count: width))
        }
    }

    @Test func readsOpaqueAlpha() throws {
        let read = try file("rgba.png", "video/x-raw,format=RGBA ! pngenc snapshot=true")
        let opaque = try ImageFile(reading: Checkout.astronaut.path)
        #expect(samples(read) == samples(opaque))
    }

    @Test func readsSixteenBits() throws {
        let deep = samples(try file("deep.png", "video/x-raw,format=GRAY16_BE ! pngenc snapshot=true"))
        let plain = samples(try file("plain.png", "video/x-raw,format=GRAY8 ! pngenc snapshot=true"))
        #expect(deep.count == 3 * 512 * 512 && deep.count == plain.count)
        #expect(zip(deep, plain).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    }

    @Test func readsTheOrientationOfJPEG() throws {
        let read = try file(
            "turned.jpg",
            "videocrop left=100 ! video/x-raw,format=I420 ! taginject tags=image-orientation=rotate-90 "
                + "! jpegenc ! jifmux")
        #expect(read.view.width == 412 && read.view.height == 512 && read.orientation.rawValue == 6)
    }
}
