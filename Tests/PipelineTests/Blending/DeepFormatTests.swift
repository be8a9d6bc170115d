import CGStreamer
import Imaging
import TestSupport
import Testing

/// Images of more than eight bits keep their depth.
struct DeepFormatTests {
    static let formats = PixelFormat.allCases.filter { $0.layout.depth > 8 }.map(\.rawValue)
    private static let width = 512

    /// Returns a grey ramp with a step at every column: more levels than eight bits have.
    private static func ramp(_ format: String) throws -> Frame {
        let frame = try Frame("video/x-raw,format=GRAY16_LE,width=\(width),height=8,framerate=25/1")
        frame.withBytes { bytes in
            let samples = bytes.assumingMemoryBound(to: UInt16.self)
            for y in 0..<8 {
                for x in 0..<width { samples[y * width + x] = UInt16(8192 + x * 64) }
            }
        }
        return try frame.converted(to: caps(format, width, 8))
    }

    /// Returns the number of levels in a row after conversion to 16 bits of grey.
    private static func levels(_ frame: Frame) throws -> Int {
        let grey = try frame.converted(to: caps("GRAY16_LE", width, 8))
        var levels: Set<UInt16> = []
        grey.withBytes { bytes in
            let samples = bytes.assumingMemoryBound(to: UInt16.self)
            for x in 0..<width { levels.insert(samples[x]) }
        }
        return levels.count
    }

    private let kept = HandMadeMask(width: 1, height: 1) { _, _ in 255 }
    private let half = HandMadeMask(width: 1, height: 1) { _, _ in 128 }

    @Test(arguments: formats)
    func deepFormatsKeepTheirDepth(_ format: String) throws {
        let frame = try Self.ramp(format)
        try #require(try Self.levels(frame) > 300)
        for mask in [kept, half] {
            let input = frame.duplicate()
            try mask.attach(to: input)
            let after = try Harness(
                "blendmask background-color=0xffffffff", caps: frame.caps
            ).transform(input)
            #expect(after.format == format)
            // Half of the ramp's range has half of its 10-bit levels.
            #expect(try Self.levels(after) > 200, "\(format)")
        }
    }

    @Test(arguments: formats)
    func deepFormatsKeepTheirDepthWithAlpha(_ format: String) throws {
        let frame = try Self.ramp(format)
        try kept.attach(to: frame)
        let after = try Harness("blendmask background-source=transparent", caps: frame.caps).transform(frame)
        let depth = PixelFormat(rawValue: after.format)?.layout.depth ?? 0
        #expect(depth > 8, "\(format) became \(after.format)")
        #expect(try Self.levels(after) > 300)
    }

    @Test(arguments: ["P010_10LE", "I420_10LE", "GRAY16_LE", "I420", "RGB"])
    func masksAreShownInSixteenBits(_ format: String) throws {
        let frame = try Frame(caps(format, Self.width, 8))
        try HandMadeMask(floats: Self.width, height: 8) { x, _ in Float(x) / Float(Self.width - 1) }
            .attach(to: frame)
        let harness = try Harness(
            "blendmask show=mask", caps: frame.caps, downstream: "video/x-raw,format=GRAY16_LE")
        let shown = try harness.transform(frame)
        #expect(shown.format == "GRAY16_LE")
        shown.withBytes { bytes in
            let samples = bytes.assumingMemoryBound(to: UInt16.self)
            #expect(samples[0] == 0 && samples[Self.width - 1] == 65535)
            for x in 0..<Self.width {
                let wanted = Double(x) / Double(Self.width - 1) * 65535
                #expect(abs(Double(samples[x]) - wanted) <= 129, "half a step of an 8-bit mask")
            }
        }
    }
}
