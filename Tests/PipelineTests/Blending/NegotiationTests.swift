import CGStreamer
import TestSupport
import Testing

/// Caps with more or fewer fields than format and size.
struct NegotiationTests {
    /// Returns the memory of a frame before and after the element, which gets the only reference to it.
    private func memories(_ frame: Frame, _ harness: Harness) throws -> [UnsafeMutablePointer<GstMemory>?] {
        let buffer = frame.copy()
        let before = gst_buffer_peek_memory(buffer, 0)
        #expect(harness.push(buffer: buffer) == GST_FLOW_OK)
        return [before, try #require(harness.pull()).memory]
    }

    @Test(arguments: [",framerate=25/1", "", ",framerate=0/1"])
    func worksInPlaceAtAnyFrameRate(_ rate: String) throws {
        let caps = "video/x-raw,format=I420,width=33,height=17\(rate)"
        let memories = try memories(Frame(caps), Harness("blendmask", caps: caps))
        #expect(memories[0] == memories[1])
    }

    static let display = "34000:16000:13250:34500:7500:3000:15635:16450:10000000:1"
    static let hdr =
        ",colorimetry=bt2100-pq,chroma-site=mpeg2,mastering-display-info=(string)\"\(display)\""
        + ",content-light-level=(string)1000:180"

    @Test func keepsColorimetryAndHDRMetadataOfCaps() throws {
        let frame = try Frame(caps("I420", 32, 16))
        for (downstream, colorimetry) in [
            ("video/x-raw", "bt2100-pq"), ("video/x-raw,format=NV12", "bt2100-pq"),
            // R'G'B' in full range with the same transfer function and primaries.
            ("video/x-raw,format=RGB", "1:1:14:7"),
        ] {
            let harness = try Harness(
                "blendmask", caps: caps("I420", 32, 16, Self.hdr), downstream: downstream)
            _ = try harness.transform(frame)
            let found = CapsFields(harness.outputCaps)
            #expect(found["colorimetry"] == colorimetry, "\(found)")
            #expect(found["mastering-display-info"] == Self.display, "\(found)")
            #expect(found["content-light-level"] == "1000:180", "\(found)")
            #expect((found["chroma-site"] == nil) == (found["format"] == "RGB"), "\(found)")
        }
    }

    @Test func convertsToTheColoursThatTheSinkTakes() throws {
        let harness = try Harness(
            "blendmask", caps: caps("I420", 32, 16, ",colorimetry=bt601"),
            downstream: "video/x-raw,format=NV12,colorimetry=bt709")
        _ = try harness.transform(Frame(caps("I420", 32, 16)))
        #expect(CapsFields(harness.outputCaps)["colorimetry"] == "bt709")
    }

    @Test func choosesTheFormatThatLosesLeast() throws {
        for (input, offered, best) in [
            ("I420", "{ GRAY8, BGRx, YUY2, NV12 }", "NV12"), ("RGB", "{ GRAY8, I420, BGRx }", "BGRx"),
            ("RGBA", "{ RGB, BGRA }", "BGRA"), ("YUY2", "{ I420, UYVY }", "UYVY"),
            ("GRAY8", "{ RGBA, I420 }", "I420"),
        ] {
            let harness = try Harness(
                "blendmask", caps: caps(input, 32, 16), downstream: "video/x-raw,format=\(offered)")
            #expect(try harness.transform(Frame(caps(input, 32, 16))).format == best)
        }
    }

    @Test(arguments: ["interleaved", "mixed", "progressive"])
    func takesInterlacedFrames(_ mode: String) throws {
        let all = caps("I420", 32, 18, ",interlace-mode=\(mode)")
        for downstream in ["video/x-raw", "video/x-raw,format=YUY2"] {
            let harness = try Harness("blendmask", caps: all, downstream: downstream)
            #expect(try harness.transform(Frame(all)).samples(0)[17][31] == 16)
            #expect(CapsFields(harness.outputCaps)["interlace-mode"] ?? "progressive" == mode)
        }
    }

    @Test(arguments: ["I420", "NV12", "YUY2", "RGB"], [36, 35])
    func takesSingleFields(_ format: String, _ height: Int) throws {
        let fields =
            "video/x-raw(format:Interlaced),format=\(format),width=31,height=\(height),framerate=25/1"
            + ",interlace-mode=alternate"
        let field = try Frame(fields)
        field.fillBytes(with: 99)
        try HandMadeMask(width: 1, height: 2) { $1 == 0 ? 255 : 0 }.attach(to: field)
        let harness = try Harness("blendmask", caps: fields, downstream: fields)
        let shown = try harness.transform(field)
        #expect(shown.height == (height + 1) / 2)
        let rows = shown.samples(0)
        #expect(rows[0].allSatisfy { $0 == 99 })
        #expect(rows[shown.height - 1].allSatisfy { $0 == (format == "RGB" ? 0 : 16) })
        #expect(CapsFields(harness.outputCaps)["interlace-mode"] == "alternate")
    }

    @Test func takesTheFieldsOfRealElements() throws {
        let pipeline = try Pipeline(
            "videotestsrc num-buffers=4 ! video/x-raw,format=I420,width=64,height=50 "
                + "! interlace field-pattern=1:1 ! video/x-raw(format:Interlaced),interlace-mode=alternate "
                + "! personsegment quality=fast ! blendmask background-color=0xffffffff ! appsink name=sink")
        #expect(pipeline.set(state: GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
        let field = try #require(pipeline.pullSample(from: "sink"))
        #expect(field.height == 25)
        #expect(field.samples(0)[24][0] == 235)
    }

    @Test(arguments: ["memory:DMABuf", "memory:GLMemory", "memory:VASurface"])
    func refusesMemoryThatItCannotMap(_ feature: String) throws {
        let harness = try Harness(
            "blendmask",
            caps: "video/x-raw(\(feature)),format=RGBA,width=32,height=16,framerate=25/1")
        #expect(try harness.push(Frame(caps("RGBA", 32, 16))) == GST_FLOW_NOT_NEGOTIATED)
    }
}
