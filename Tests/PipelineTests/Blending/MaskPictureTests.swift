import CGStreamer
import Imaging
import TestSupport
import Testing

/// The mask shown as an image.
struct MaskPictureTests {
    static let formats = PixelFormat.allCases.map(\.rawValue)

    /// Returns a frame of constant values with a mask whose coverage grows from left to right.
    private func frame(_ format: String) throws -> Frame {
        let frame = try Frame(caps(format, 64, 32))
        frame.fillBytes(with: 77)
        try HandMadeMask(width: 64, height: 32) { x, _ in UInt8(x * 4) }.attach(to: frame)
        return frame
    }

    /// Returns the grey value of each column.
    private func columns(_ frame: Frame) throws -> [Int] {
        let rgb = try frame.converted(to: caps("RGB", 64, 32))
        let rows = (0..<3).map { rgb.samples($0) }
        for row in rows[0].indices {
            #expect(zip(rows[0][row], rows[1][row]).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
            #expect(zip(rows[0][row], rows[2][row]).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
            #expect(zip(rows[0][row], rows[0][0]).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        }
        return rows[0][0].map { Int($0) }
    }

    private func isRamp(_ columns: [Int], inverted: Bool = false) -> Bool {
        columns.indices.allSatisfy { abs(columns[$0] - (inverted ? 255 - $0 * 4 : $0 * 4)) <= 3 }
    }

    @Test(arguments: formats)
    func keepsTheFormat(_ format: String) throws {
        let frame = try frame(format)
        let shown = try Harness("blendmask show=mask", caps: frame.caps).transform(frame)
        #expect(shown.format == format)
        #expect(isRamp(try columns(shown)))
    }

    @Test(arguments: ["I420", "NV12", "YUY2", "RGB", "BGRA"])
    func isGreyWhenDownstreamAsks(_ format: String) throws {
        let frame = try frame(format)
        let harness = try Harness(
            "blendmask show=mask", caps: frame.caps, downstream: "video/x-raw,format=GRAY8")
        let shown = try harness.transform(frame)
        #expect(shown.format == "GRAY8")
        #expect(shown.samples(0).allSatisfy { $0 == (0..<64).map { UInt8($0 * 4) } })
    }

    @Test func canBeInverted() throws {
        let frame = try frame("RGB")
        let shown = try Harness("blendmask show=mask invert=true", caps: frame.caps).transform(frame)
        #expect(isRamp(try columns(shown), inverted: true))
    }

    @Test(arguments: [("cover", 0), ("pass", 255)], ["RGB", "GRAY8", "I420"])
    func framesWithoutAMaskAreBlackOrWhiteByPolicy(_ policy: (String, Int), _ format: String) throws {
        let frame = try Frame(caps(format, 64, 32))
        frame.fillBytes(with: 77)
        let harness = try Harness("blendmask show=mask no-mask=\(policy.0)", caps: frame.caps)
        let shown = try columns(harness.transform(frame))
        #expect(shown.allSatisfy { abs($0 - policy.1) <= 3 })
    }

    @Test func comesAndGoesWhilePlaying() throws {
        let frame = try frame("RGB")
        let harness = try Harness("blendmask background-color=0xff0000ff", caps: frame.caps)
        #expect(try harness.transform(frame).samples(2)[0][0] == 255)
        harness.set("show", "mask")
        #expect(isRamp(try columns(harness.transform(frame))))
        harness.set("show", "result")
        #expect(try harness.transform(frame).samples(2)[0][0] == 255)
    }
}
