import Foundation
import TestSupport
import Testing

/// `--rotate` and `--flip`: the new positions of the pixels of a camera's frames.
struct CameraTurnTests {
    private static let (width, height) = (64, 48)

    @Test(arguments: [0, 90, 180, 270], ["", "horizontal", "vertical"])
    func turnsTheFrames(_ rotation: Int, _ flip: String) throws {
        let options =
            (rotation == 0 ? [] : ["--rotate=\(rotation)"]) + (flip.isEmpty ? [] : ["--flip=\(flip)"])
        let (plain, turned) = (try frame([]), try frame(options))
        let isUpright = rotation % 180 == 0
        #expect(turned.size == (isUpright ? "64x48" : "48x64"))
        try #require(plain.rows.count == Self.height && plain.rows != plain.rows.reversed())
        var expected = plain.rows
        for _ in 0..<rotation / 90 { expected = Self.clockwise(expected) }
        if flip == "horizontal" { expected = expected.map { $0.reversed() } }
        if flip == "vertical" { expected = expected.reversed() }
        #expect(turned.rows == expected)
    }

    /// Returns the rows after a clockwise quarter turn: the left column, from below, becomes the first row.
    private static func clockwise(_ rows: [[UInt8]]) -> [[UInt8]] {
        (0..<(rows.first?.count ?? 0)).map { column in rows.reversed().map { $0[column] } }
    }

    /// Returns the first frame of a test picture, in grey.
    private func frame(_ options: [String]) throws -> (size: String, rows: [[UInt8]]) {
        let scratch = try Scratch()
        let source =
            "videotestsrc is-live=true pattern=gradient ! videobox left=-8 top=-4 ! capsfilter caps=video/x-raw,format=I420,"
            + "width=\(Self.width),height=\(Self.height),framerate=30/1"
        let sink =
            "videoconvert ! video/x-raw,format=GRAY8 ! identity eos-after=2 "
            + "! filesink location=\(scratch.path("grey"))"
        let result = try tool(
            "webcam", ["--source", source, "--original", "--sink", sink] + options)
        try #require(result.status == 0, "\(result.output)")
        let size = try #require(LiveReport(result).output?.split(separator: " ")[1])
        let width = try #require(size.split(separator: "x").first.flatMap { Int($0) })
        let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path("grey")))
        let pixels = Array(data.prefix(Self.width * Self.height))
        let rows = stride(from: 0, to: pixels.count, by: width).map { Array(pixels[$0..<$0 + width]) }
        return (String(size), rows)
    }
}
