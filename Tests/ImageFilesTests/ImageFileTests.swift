import Foundation
import ImageFiles
import Imaging
import TestSupport
import Testing

/// Files as other programs write them are in the pipeline tests; these are made here.
@Suite struct ImageFileTests {
    @Test func readsWhatAMaskIsWrittenAs() throws {
        let mask = try #require(Mask(format: .f32, width: 5, height: 3))
        let rows: [[Float]] = (0..<3).map { y in (0..<5).map { x in Float(x + 5 * y) / 14 } }
        for y in 0..<3 { mask.mutableView.writeRow(y, from: rows[y]) }
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

    /// A grey JPEG of 8x8 pixels: one block that is its mean only, with tables of one code each.
    private static let jpeg: [UInt8] = {
        let quantisation: [UInt8] = [0xff, 0xdb, 0, 67, 0] + [UInt8](repeating: 8, count: 64)
        let frame: [UInt8] = [0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        let lengths: [UInt8] = [1] + [UInt8](repeating: 0, count: 15)
        let tables: [UInt8] =
            [0xff, 0xc4, 0, 20, 0x00] + lengths + [0] + [0xff, 0xc4, 0, 20, 0x10] + lengths + [0]
        let scan: [UInt8] = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]
        // "No difference", "end of block", and ones to the end of the byte.
        return [0xff, 0xd8] + quantisation + frame + tables + scan + [0b0011_1111, 0xff, 0xd9]
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

    @Test func readsTheOrientation() throws {
        for value in 1...8 {
            let bytes = Self.jpeg[..<2] + Self.exif(UInt8(value)) + Self.jpeg[2...]
            #expect(try ImageFile(Array(bytes)).orientation.rawValue == value)
        }
    }

    @Test func saysWhatIsWrong() {
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
            try Mask(format: .gray8, width: 1, height: 1)?.writePNG(to: "/nonexistent/mask.png")
        }
    }
}
