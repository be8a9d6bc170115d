import Foundation
import TestSupport
import Testing

/// A still picture as the background.
struct PictureBackgroundTests {
    let scratch: Scratch
    /// Four upright stripes, 50x100 each: red, green, blue, white.
    let stripes: String

    init() throws {
        scratch = try Scratch()
        stripes = scratch.path("stripes.png")
        try Self.writeStripes(to: stripes, as: "image/png")
    }

    static func writeStripes(to path: String, as type: String) throws {
        let frame = try Frame("video/x-raw,format=RGB,width=200,height=100")
        for index in 0..<3 { frame.fill(index) { x, _ in x / 50 == index || x >= 150 ? 255 : 0 } }
        try Data(try frame.encoded(as: type)).write(to: URL(fileURLWithPath: path))
    }

    /// Returns the output for a frame of 100x100 that is background everywhere.
    private func shown(_ properties: String, _ format: String = "RGB") throws -> Frame {
        let frame = try Frame(caps(format, 100, 100))
        frame.fillBytes(with: 99)
        try HandMadeMask(width: 4, height: 4) { _, _ in 0 }.attach(to: frame)
        return try Harness("blendmask \(properties)", caps: caps(format, 100, 100)).transform(frame)
    }

    /// Returns R, G, B in the middle of each given column.
    private func colours(_ frame: Frame, row: Int, columns: [Int]) -> [[UInt8]] {
        let parts = (0..<3).map { frame.samples($0)[row] }
        return columns.map { x in parts.map { $0[x] } }
    }

    private static let (red, green, blue, white): ([UInt8], [UInt8], [UInt8], [UInt8]) =
        ([255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255])

    @Test func coversTheFrame() throws {
        let frame = try shown("background=\(stripes) background-fit=cover")
        for row in [0, 50, 99] {
            #expect(
                colours(frame, row: row, columns: [3, 40, 60, 97]) == [
                    Self.green, Self.green, Self.blue, Self.blue,
                ])
        }
    }

    @Test func containsThePicture() throws {
        let frame = try shown("background=\(stripes) background-fit=contain background-color=0xffffff00")
        let all = [Self.red, Self.green, Self.blue, Self.white]
        #expect(colours(frame, row: 50, columns: [12, 37, 62, 87]) == all)
        #expect(colours(frame, row: 28, columns: [12, 37, 62, 87]) == all)
        let yellow: [UInt8] = [255, 255, 0]
        #expect(colours(frame, row: 22, columns: [5, 95]) == [yellow, yellow])
        #expect(colours(frame, row: 77, columns: [5, 95]) == [yellow, yellow])
    }

    @Test func stretchesThePicture() throws {
        let frame = try shown("background=\(stripes) background-fit=stretch")
        for row in [1, 98] {
            #expect(
                colours(frame, row: row, columns: [12, 37, 62, 87]) == [
                    Self.red, Self.green, Self.blue, Self.white,
                ])
        }
    }

    @Test(arguments: ["RGB", "BGRx", "RGBA"])
    func exchangesLeftAndRight(_ format: String) throws {
        let frame = try shown("background=\(stripes) background-fit=stretch mirror=true", format)
        #expect(
            colours(frame, row: 50, columns: [12, 37, 62, 87]) == [
                Self.white, Self.blue, Self.green, Self.red,
            ])
    }

    @Test(arguments: ["I420", "NV12", "YUY2", "UYVY", "GRAY8"])
    func exchangesLeftAndRightOfSubsampledPictures(_ format: String) throws {
        let plain = try shown("background=\(stripes) background-fit=stretch", format)
        let mirrored = try shown("background=\(stripes) background-fit=stretch mirror=true", format)
        for index in 0..<plain.colorCount {
            #expect(mirrored.samples(index) == plain.samples(index).map { $0.reversed() })
        }
    }

    @Test(arguments: ["I420_10LE", "P010_10LE", "GRAY16_LE", "RGBA64_LE"])
    func exchangesLeftAndRightOfDeepPictures(_ format: String) throws {
        let perPixel = format == "RGBA64_LE" ? 4 : 1
        let plain = try firstRow("background=\(stripes) background-fit=stretch", format, perPixel)
        let mirrored = try firstRow(
            "background=\(stripes) background-fit=stretch mirror=true", format, perPixel)
        #expect(Set(plain).count > 1 && mirrored == plain.reversed())
    }

    /// Returns the first row of the output's first plane: pixels of two-byte samples.
    private func firstRow(_ properties: String, _ format: String, _ perPixel: Int) throws -> [[UInt16]] {
        var row: [[UInt16]] = []
        try shown(properties, format).withBytes { bytes in
            let samples = bytes.assumingMemoryBound(to: UInt16.self)
            row = (0..<100).map { x in (0..<perPixel).map { samples[x * perPixel + $0] } }
        }
        return row
    }

    @Test func readsJPEGs() throws {
        let path = scratch.path("stripes.jpg")
        try Self.writeStripes(to: path, as: "image/jpeg")
        let frame = try shown("background=\(path) background-fit=stretch")
        let found = colours(frame, row: 50, columns: [12, 37, 62, 87])
        for (found, expected) in zip(found, [Self.red, Self.green, Self.blue, Self.white]) {
            #expect(zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) < 12 })
        }
    }

    @Test func readsURIs() throws {
        let frame = try shown("background=file://\(stripes) background-fit=stretch")
        #expect(colours(frame, row: 50, columns: [12, 87]) == [Self.red, Self.white])
    }

    @Test(arguments: ["I420", "NV12", "YUY2", "BGRx", "GRAY8"])
    func convertsThePictureToTheFramesFormat(_ format: String) throws {
        let frame = try shown("background=\(stripes) background-fit=stretch", format)
        let reference = try Frame.picture(stripes, "video/x-raw,format=\(format),width=100,height=100")
        for index in 0..<frame.colorCount {
            let (found, expected) = (frame.samples(index), reference.samples(index))
            let columns = [12, 37, 62, 87].map { $0 >> frame.shifts(index).horizontal }
            for column in columns { #expect(abs(Int(found[20][column]) - Int(expected[20][column])) <= 2) }
        }
    }

    @Test func keepsTheSubject() throws {
        let picture = try astronaut(100, 100)
        let frame = picture.duplicate()
        try HandMadeMask(width: 100, height: 100) { x, _ in x < 50 ? 255 : 0 }.attach(to: frame)
        let after = try Harness("blendmask background=\(stripes)", caps: caps("RGB", 100, 100)).transform(
            frame)
        for index in 0..<3 {
            #expect(after.samples(index).map { $0[..<50] } == picture.samples(index).map { $0[..<50] })
        }
        #expect(colours(after, row: 50, columns: [60, 90]) == [Self.blue, Self.blue])
    }

    @Test func findsRelativePathsInTheCurrentDirectory() throws {
        let line =
            "videotestsrc num-buffers=2 ! video/x-raw,width=64,height=64 ! blendmask background=stripes.png ! fakesink"
        let there = try Subprocess.launch(line, directory: scratch.url)
        #expect(there.status == 0, "\(there.output)")
        let elsewhere = try Subprocess.launch(line, directory: Checkout.root)
        #expect(elsewhere.status != 0, "\(elsewhere.output)")
    }
}
