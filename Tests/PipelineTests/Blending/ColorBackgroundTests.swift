import Imaging
import TestSupport
import Testing

/// A plain colour behind the subject, sample by sample.
struct ColorBackgroundTests {
    // Tests of Imaging compare deeper formats code by code.
    static let formats = PixelFormat.allCases.filter { $0.layout.depth == 8 }.map(\.rawValue)
    static let sizes = [[64, 32], [63, 31]]

    /// Returns a frame with details in every component.
    private func picture(_ format: String, _ width: Int, _ height: Int) throws -> Frame {
        let frame = try Frame(caps(format, width, height))
        frame.fillBytes(with: 255)
        for index in 0..<frame.colorCount {
            frame.fill(index) { x, y in
                let value = x * 7 + y * 11 + index * 31
                return UInt8(16 + value % 220)
            }
        }
        return frame
    }

    /// Returns the samples of a colour after GStreamer's conversion.
    private func solid(_ format: String, _ argb: UInt32) throws -> [Int] {
        let frame = try Frame(caps("RGB", 16, 16))
        for index in 0..<3 { frame.fill(index) { _, _ in UInt8(argb >> (16 - 8 * index) & 255) } }
        let converted = try frame.converted(to: caps(format, 16, 16))
        return (0..<converted.colorCount).map { Int(converted.samples($0)[2][2]) }
    }

    @Test(arguments: formats, sizes)
    func blendsExactly(_ format: String, _ size: [Int]) throws {
        let (width, height) = (size[0], size[1])
        let color: UInt32 = 0xff28_b45a
        let frame = try picture(format, width, height)
        let before = frame.duplicate()
        // Four neighbours are equal, so that a shared chroma sample has the same coverage wherever it is
        // sited among its pixels.
        let ramp = { (x: Int) in UInt8((x & ~3) * 255 / (width - 1)) }
        try HandMadeMask(width: width, height: height) { x, _ in ramp(x) }.attach(to: frame)
        let harness = try Harness("blendmask background-color=\(color)", caps: frame.caps)
        let after = try harness.transform(frame)
        let background = try solid(format, color)
        for index in 0..<frame.colorCount {
            let (old, new) = (before.samples(index), after.samples(index))
            let own = Int(new[0][0])
            #expect(abs(own - background[index]) <= 1, "\(format): the colour's component \(index)")
            let shift = frame.shifts(index).horizontal
            let expected = old.map { row in
                row.enumerated().map { x, value in blend(value, over: own, ramp(x << shift)) }
            }
            // The upper bits of deep samples are compared, which a carry may have changed.
            let tolerance = try #require(PixelFormat(rawValue: format)).layout.depth > 8 ? 1 : 0
            let isRight = zip(new.joined(), expected.joined()).allSatisfy {
                abs(Int($0) - Int($1)) <= tolerance
            }
            #expect(isRight, "\(format): component \(index)")
        }
    }

    /// Returns a blended value by the definition, rounded to nearest.
    private func blend(_ frame: UInt8, over background: Int, _ coverage: UInt8) -> UInt8 {
        let alpha = Int(coverage)
        return UInt8((Double(Int(frame) * alpha + background * (255 - alpha)) / 255).rounded())
    }

    @Test(arguments: ["RGBA", "BGRA", "ARGB", "ABGR", "AYUV", "A420", "RGBA64_LE"])
    func makesTheBackgroundOpaque(_ format: String) throws {
        let frame = try picture(format, 16, 8)
        frame.fill(3) { _, _ in 100 }
        try HandMadeMask(width: 16, height: 8) { x, _ in x < 8 ? 0 : 255 }.attach(to: frame)
        let after = try Harness("blendmask", caps: frame.caps).transform(frame).samples(3)
        #expect(after.allSatisfy { $0[0..<7].allSatisfy { $0 == 255 } })
        #expect(after.allSatisfy { $0[9..<16].allSatisfy { $0 == 100 } })
    }

    @Test func readsMasksOfEveryFormatAlike() throws {
        let values: (Int, Int) -> UInt8 = { x, y in UInt8((x * 16 + y * 3) % 256) }
        let floats = HandMadeMask(floats: 16, height: 9) { Float(values($0, $1)) / 255 }
        let results = try [HandMadeMask(width: 16, height: 9, values), floats].map { mask in
            let frame = try picture("RGB", 64, 36)
            try mask.attach(to: frame)
            return try Harness("blendmask", caps: frame.caps).transform(frame)
        }
        #expect(results[0].hasSameSamples(as: results[1]))
    }

    @Test func changesColourWhilePlaying() throws {
        let frame = try picture("RGB", 16, 8)
        let harness = try Harness("blendmask background-color=0xffff0000", caps: frame.caps)
        #expect(try harness.transform(frame).samples(0)[0][0] == 255)
        harness.set("background-color", "0xff00ff00")
        let green = try harness.transform(frame)
        #expect(green.samples(0)[0][0] == 0)
        #expect(green.samples(1)[7][15] == 255)
    }

    @Test func writesPaddedRowsOnly() throws {
        let frame = try Frame(caps("I420", 33, 17), padding: 20)
        frame.fillBytes(with: 77)
        let after = try Harness("blendmask background-color=0xffffffff", caps: frame.caps).transform(
            frame)
        #expect(after.samples(0).allSatisfy { $0.allSatisfy { $0 == 235 } })
        let padding = Frame.bytes(of: after.buffer).filter { $0 == 77 }.count
        #expect(padding == after.byteCount - 33 * 17 - 2 * 17 * 9)
    }
}
