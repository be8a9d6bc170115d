import CGStreamer
import Imaging
import TestSupport
import Testing

/// A transparent background: images with alpha.
struct TransparencyTests {
    static let alphaFormats = PixelFormat.allCases.filter { $0.layout.alpha != nil }.map(\.rawValue)
    static let opaqueFormats = PixelFormat.allCases.filter { $0.layout.alpha == nil }.map(\.rawValue)
    static let transparent = "blendmask background-source=transparent"

    /// Returns the frame with a mask that keeps only the left half.
    private static func halves(on frame: Frame) throws -> Frame {
        let frame = frame.duplicate()
        try HandMadeMask(width: 64, height: 48) { x, _ in x < 32 ? 255 : 0 }.attach(to: frame)
        return frame
    }

    @Test(arguments: opaqueFormats)
    func givesAnOpaqueImageAlpha(_ format: String) throws {
        let frame = try astronaut(64, 48).converted(to: caps(format, 64, 48))
        let result = try Harness(Self.transparent, caps: frame.caps).transform(Self.halves(on: frame))
        #expect(Self.alphaFormats.contains(result.format), "\(format) became \(result.format)")
        let alpha = try result.converted(to: caps("RGBA", 64, 48)).samples(3)
        let isCut = alpha.allSatisfy { row in
            row[..<31].allSatisfy { $0 == 255 } && row[34...].allSatisfy { $0 == 0 }
        }
        #expect(isCut, "\(format) became \(result.format)")
        // GStreamer's converters place chroma differently, and none agrees on the range of grey.
        let isYUV = ["A420", "AYUV"].contains(result.format)
        #expect(try difference(frame, result, isYUV ? "GRAY8" : "RGB") < (isYUV ? 0.6 : 5), "\(format)")
    }

    /// Returns the mean difference in the left half after conversion to `format`.
    private func difference(_ one: Frame, _ other: Frame, _ format: String) throws -> Double {
        let (one, other) = (
            try one.converted(to: caps(format, 64, 48)), try other.converted(to: caps(format, 64, 48))
        )
        let differences = (0..<one.colorCount).flatMap { index in
            zip(one.samples(index), other.samples(index)).flatMap { one, other in
                zip(one[..<30], other[..<30]).map { abs(Int($0) - Int($1)) }
            }
        }
        return Double(differences.reduce(0, +)) / Double(differences.count)
    }

    @Test(arguments: opaqueFormats.prefix(4) + ["YUY2", "RGB", "GRAY8"], alphaFormats)
    func negotiatesEveryAlphaFormat(_ input: String, _ output: String) throws {
        let frame = try Frame(caps(input, 64, 48))
        let harness = try Harness(
            Self.transparent, caps: frame.caps, downstream: "video/x-raw,format={ I420, \(output), RGB }")
        #expect(try harness.transform(Self.halves(on: frame)).format == output)
    }

    @Test(arguments: alphaFormats)
    func keepsAnAlphaFormat(_ format: String) throws {
        let frame = try Frame(caps(format, 64, 48))
        #expect(try Harness(Self.transparent, caps: frame.caps).transform(frame).format == format)
    }

    @Test func failsWhenDownstreamTakesNoAlpha() throws {
        let frame = try Frame(caps("I420", 64, 48))
        let harness = try Harness(
            Self.transparent, caps: frame.caps, downstream: "video/x-raw,format={I420,NV12,RGB}")
        #expect(harness.push(frame) == GST_FLOW_NOT_NEGOTIATED)
        let error = harness.nextMessage()
        #expect(error?.is(.error, gst_core_error_quark(), GST_CORE_ERROR_NEGOTIATION.rawValue) == true)
    }

    @Test func failsWhenSetWhilePlayingWithoutAlphaDownstream() throws {
        let frame = try Frame(caps("I420", 64, 48))
        let harness = try Harness("blendmask", caps: frame.caps, downstream: "video/x-raw,format=I420")
        _ = try harness.transform(frame)
        harness.set("background-source", "transparent")
        #expect(harness.push(frame) == GST_FLOW_NOT_NEGOTIATED)
        // The base class also posts a warning.
        let isNamed = harness.messages().contains {
            $0.is(.error, gst_core_error_quark(), GST_CORE_ERROR_NEGOTIATION.rawValue)
        }
        #expect(isNamed)
    }

    @Test func comesAndGoesWhilePlaying() throws {
        let frame = try Self.halves(on: Frame(caps("I420", 64, 48)))
        let harness = try Harness("blendmask", caps: frame.caps)
        for _ in 0..<3 {
            #expect(try harness.transform(frame).format == "I420")
            harness.set("background-source", "transparent")
            #expect(try Self.alphaFormats.contains(harness.transform(frame).format))
            harness.set("show", "mask")
            #expect(try harness.transform(frame).format == "I420")
            harness.set("show", "result")
            #expect(try Self.alphaFormats.contains(harness.transform(frame).format))
            harness.set("background-source", "original")
        }
    }

    @Test func isWhollyTransparentWithoutAMask() throws {
        let frame = try Frame(caps("RGBA", 64, 48))
        frame.fillBytes(with: 255)
        let result = try Harness(Self.transparent, caps: frame.caps).transform(frame)
        #expect(result.samples(3).joined().allSatisfy { $0 == 0 })
    }

    @Test(arguments: ["RGBA", "BGRA", "ARGB", "ABGR"])
    func premultipliesOnRequest(_ format: String) throws {
        let frame = try Frame(caps(format, 8, 8))
        frame.fillBytes(with: 200)
        frame.fill(3) { x, _ in x < 4 ? 255 : 128 }
        try HandMadeMask(width: 1, height: 1) { _, _ in 102 }.attach(to: frame)
        for (premultiply, colour) in [(false, [200, 200]), (true, [80, 80])] {
            let harness = try Harness("\(Self.transparent) premultiply=\(premultiply)", caps: frame.caps)
            let result = try harness.transform(frame)
            // The alpha that was there before is multiplied, too.
            #expect([2, 6].map { Int(result.samples(3)[4][$0]) } == [102, 51])
            #expect([2, 6].map { Int(result.samples(0)[4][$0]) } == colour, "\(premultiply)")
        }
    }

    @Test func compositesOverALiveStream() throws {
        let pipeline = try Pipeline(
            "compositor name=mix sink_1::zorder=1 ! videoconvert ! video/x-raw,format=RGB "
                + "! appsink name=sink videotestsrc pattern=blue num-buffers=3 "
                + "! video/x-raw,width=64,height=48 ! mix.sink_0 videotestsrc pattern=white num-buffers=3 "
                + "! video/x-raw,format=I420,width=64,height=48 ! \(Self.transparent) ! mix.sink_1")
        pipeline.set(state: GST_STATE_PLAYING)
        let shown = try #require(pipeline.pullSample(from: "sink"))
        let difference = zip(0..<3, [0, 0, 255]).map { abs(Int(shown.samples($0)[20][20]) - $1) }
        // Blue differs by 1 after Y'CbCr where videoconvert rounds.
        #expect(difference.allSatisfy { $0 <= 1 }, "without a mask only the stream below is seen")
    }
}
