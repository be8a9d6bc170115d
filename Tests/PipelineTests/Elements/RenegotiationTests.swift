import CGStreamer
import Imaging
import TestSupport
import Testing

/// Caps that change between frames, from either side.
struct RenegotiationTests {
    @Test(arguments: ElementCase.all)
    func followsFormatAndSize(_ element: ElementCase) throws {
        var generator = SeededGenerator(seed: 5)
        let first = try ElementCase.grayFrame()
        let harness = try element.harness(first.caps)
        // Each change makes an analyser search the whole frame.
        let formats = PixelFormat.allCases.shuffled(using: &generator).prefix(element.meta == nil ? 99 : 8)
        for format in formats {
            let (width, height) = (
                Int.random(in: 1...70, using: &generator), Int.random(in: 1...70, using: &generator)
            )
            let frame = try Frame(caps(format.rawValue, width, height))
            frame.fillBytes(with: 128)
            harness.setCaps(frame.caps)
            let result = try harness.transform(frame)
            #expect(result.format == format.rawValue && result.width == width && result.height == height)
            if let meta = element.meta { #expect(result.count(ofMeta: meta) == 1, "\(frame.caps)") }
        }
        harness.setCaps(first.caps)
        #expect(try element.works(harness, on: first))
        #expect(element.complaints(harness.messages()) == [])
    }

    @Test(arguments: ElementCase.all)
    func followsRateAndShape(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let picture = "video/x-raw,format=I420,width=64,height=48"
        let harness = try element.harness(frame.caps)
        for more in [
            "", ",framerate=0/1", ",framerate=30/1", ",framerate=2147483647/1", ",framerate=1/2147483647",
            ",framerate=25/1,pixel-aspect-ratio=2/1", ",framerate=25/1,pixel-aspect-ratio=2147483647/1",
            ",framerate=25/1,pixel-aspect-ratio=1/2147483647", ",framerate=25/1,colorimetry=bt2100-hlg",
            ",framerate=25/1,interlace-mode=mixed", ",max-framerate=30/1",
        ] {
            harness.setCaps(picture + more)
            #expect(try element.works(harness, on: frame), "\(more)")
        }
        #expect(element.complaints(harness.messages()) == [])
    }

    @Test(arguments: ElementCase.all)
    func recoversFromCapsThatItRefuses(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let harness = try element.harness(frame.caps)
        for refused in ["v210", "RGB16", "NV12_64Z32", "GBR_12LE"] {
            harness.setCaps(caps(refused, 64, 48))
            #expect(harness.push(frame) == GST_FLOW_NOT_NEGOTIATED)
            #expect(harness.pull() == nil)
            harness.setCaps(frame.caps)
            #expect(try element.works(harness, on: frame), "after \(refused)")
        }
    }

    @Test(arguments: ElementCase.all)
    func refusesOtherMedia(_ element: ElementCase) throws {
        #expect(throws: SetupFailure.self) {
            try Pipeline("audiotestsrc num-buffers=1 ! \(element.line) ! fakesink").play()
        }
        let harness = try element.harness(caps("I420", 64, 48))
        #expect(!harness.accepts("audio/x-raw"))
        for format in PixelFormat.allCases { #expect(harness.accepts(caps(format.rawValue, 64, 48))) }
    }

    @Test(arguments: ElementCase.all)
    func staysAsItIsWhenDownstreamAsksAgain(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let harness = try element.harness(frame.caps)
        for _ in 0..<5 {
            #expect(try element.works(harness, on: frame))
            harness.push(upstream: gst_event_new_reconfigure())
        }
        #expect(element.complaints(harness.messages()) == [])
    }

    /// Frames in a format that downstream no longer accepts are converted or refused.
    @Test(arguments: ElementCase.all)
    func followsDownstreamOrRefuses(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let harness = try element.harness(frame.caps)
        #expect(try element.works(harness, on: frame))
        harness.setDownstream("video/x-raw,format=NV12")
        let flow = harness.push(frame)
        let result = harness.pull()
        #expect(
            flow == GST_FLOW_OK ? result?.format == "NV12" : flow == GST_FLOW_NOT_NEGOTIATED && result == nil)
        if let result { #expect(element.hasWorked(on: result)) }
        harness.setDownstream("video/x-raw,format=I420")
        #expect(try element.works(harness, on: frame))
    }
}
