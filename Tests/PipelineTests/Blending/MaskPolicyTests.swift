import CGStreamer
import TestSupport
import Testing

/// Frames without a mask that can be used, and what becomes of masks.
struct MaskPolicyTests {
    static let cover: [UInt8] = [0, 255, 0]
    let frame: Frame

    init() throws {
        frame = try Frame(caps("RGB", 32, 16))
        frame.fillBytes(with: 99)
    }

    private func harness(_ properties: String = "") throws -> Harness {
        try Harness("blendmask background-color=0xff00ff00 \(properties)", caps: frame.caps)
    }

    /// A mask that calls everything subject: a frame that it is used for stays as it is.
    private var opaque: HandMadeMask { HandMadeMask(width: 32, height: 16) { _, _ in 255 } }

    private func isUntouched(_ frame: Frame) -> Bool { frame.hasSameSamples(as: self.frame) }

    private func isCovered(_ frame: Frame) -> Bool {
        (0..<3).allSatisfy { index in
            frame.samples(index).allSatisfy { $0.allSatisfy { $0 == Self.cover[index] } }
        }
    }

    private func carrying(_ mask: HandMadeMask) throws -> Frame {
        let copy = frame.duplicate()
        try mask.attach(to: copy)
        return copy
    }

    // MARK: - No mask

    @Test func coversAFrameWithoutAMask() throws {
        #expect(isCovered(try harness().transform(frame)))
        #expect(isCovered(try harness("blur=50").transform(frame)))
        #expect(isUntouched(try harness().transform(carrying(opaque))))
    }

    @Test func passesAFrameWithoutAMaskWhenAsked() throws {
        #expect(isUntouched(try harness("no-mask=pass").transform(frame)))
    }

    @Test func failsOnAFrameWithoutAMaskWhenAsked() throws {
        let harness = try harness("no-mask=error")
        #expect(harness.push(frame) == GST_FLOW_ERROR)
        let error = harness.nextMessage(within: 1)
        #expect(error?.is(.error, gst_stream_error_quark(), GST_STREAM_ERROR_FAILED.rawValue) == true)
        #expect(harness.pull() == nil)
    }

    // MARK: - Broken masks

    @Test(arguments: [
        "mask", "width", "height", "stride", "format",
    ])
    func coversWhenAFieldIsMissing(_ field: String) throws {
        #expect(isCovered(try harness().transform(carrying(opaque.with(field, nil)))))
    }

    @Test(arguments: [
        ("stride", 31), ("stride", -32), ("stride", 0), ("stride", .max), ("width", 0), ("width", -1),
        ("width", 33), ("width", 1 << 30), ("height", 0), ("height", 17), ("height", .max),
        ("height", .min),
    ])
    func coversWhenASizeIsWrong(_ field: String, _ value: Int) throws {
        let number = Int(Int32(clamping: value))
        let mask = opaque.with("width", .int(32)).with(field, .int(number))
        #expect(isCovered(try harness().transform(carrying(mask))))
    }

    @Test func coversWhenTheMaskIsNoMask() throws {
        for format in ["", "GRAY8", "f64", "gray8 "] {
            #expect(isCovered(try harness().transform(carrying(opaque.with("format", .text(format))))))
        }
        let wrong: [HandMadeMask] = [
            opaque.with("mask", .bytes([])), opaque.with("mask", .bytes([255])), opaque.with("mask", .int(3)),
            opaque.with("mask", .text("mask")), opaque.with("width", .text("32")),
            opaque.with("format", .int(0)),
            opaque.with("format", .text("f32")), opaque.with("stride", .text("x")),
        ]
        for mask in wrong { #expect(isCovered(try harness().transform(carrying(mask)))) }
    }

    @Test func readsUndefinedNumbersAsBackground() throws {
        for value: Float in [Float.nan, -Float.infinity, -3] {
            let mask = HandMadeMask(floats: 4, height: 4) { _, _ in value }
            #expect(isCovered(try harness().transform(carrying(mask))))
        }
        let above = HandMadeMask(floats: 4, height: 4) { _, _ in Float.infinity }
        #expect(isUntouched(try harness().transform(carrying(above))))
    }

    // MARK: - Age

    @Test(arguments: [
        // age, interval, max-mask-age, usable
        (0, 1, -1, true), (2, 1, -1, true), (3, 1, -1, false), (6, 3, -1, true), (7, 3, -1, false),
        (0, 1, 0, true), (1, 1, 0, false), (5, 1, 5, true), (6, 10, 5, false), (Int(Int32.max), 1, -1, false),
        (9, Int(Int32.max), -1, true), (-5, 1, -1, false), (0, 0, -1, true), (1, -7, -1, false),
    ])
    func usesMasksUpToAnAge(_ age: Int, _ interval: Int, _ maximum: Int, _ isUsable: Bool) throws {
        let mask = opaque.with("age", .int(age)).with("interval", .int(interval))
        let result = try harness("max-mask-age=\(maximum)").transform(carrying(mask))
        #expect(isUsable ? isUntouched(result) : isCovered(result))
    }

    // MARK: - What becomes of the mask

    @Test func takesTheMaskOff() throws {
        #expect(MaskMeta(try harness().transform(carrying(opaque))) == nil)
    }

    @Test func leavesTheMaskOnWhenAsked() throws {
        let mask = MaskMeta(try harness("keep-mask=true").transform(carrying(opaque)))
        #expect(mask?.int("width") == 32)
        #expect(mask?.values.allSatisfy { $0 == 1 } == true)
    }
}
