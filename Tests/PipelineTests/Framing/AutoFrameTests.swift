import CGStreamer
import TestSupport
import Testing

/// The part of frames that `autoframe` shows, by frames whose brightness tells the place in the input.
struct AutoFrameTests {
    private static let size = (width: 320, height: 180)

    /// Returns a frame that is brighter to the right and, in Cb, downwards; it has the face of one person.
    static func frame(_ face: (x: Double, y: Double, width: Double, height: Double)?, at time: UInt64 = 0)
        throws -> Frame
    {
        let frame = try Frame(caps("Y444", size.width, size.height), padding: 16)
        frame.fill(0) { x, _ in UInt8(20 + x * 200 / size.width) }
        frame.fill(1) { _, y in UInt8(20 + y * 200 / size.height) }
        frame.fill(2) { _, _ in 128 }
        frame.buffer.pointee.pts = GstClockTime(time)
        if let face { try Self.face(face).attach(to: frame) }
        return frame
    }

    /// Returns the metadata of a face; -1 as the person's number means nobody known.
    static func face(_ box: (x: Double, y: Double, width: Double, height: Double), person: Int = 1)
        -> HandMadeMask
    {
        HandMadeMask(
            named: FacesMeta.name,
            [
                "faces": .list([
                    [
                        "id": .int(1), "person": .int(person), "x": .double(box.x), "y": .double(box.y),
                        "width": .double(box.width), "height": .double(box.height), "confidence": .double(1),
                        "roll": .double(0), "yaw": .double(0), "pitch": .double(0),
                        "landmarks": .structure(["left-pupil": .numbers([box.x, box.y, 1])]),
                        "mesh": .numbers([box.x, box.y, 0.1]),
                    ]
                ])
            ])
    }

    /// Returns the part of the input that a frame shows: left, top, right and bottom as shares of the input.
    private func part(_ frame: Frame) -> [Double] {
        let (luma, blue) = (frame.samples(0), frame.samples(1))
        let (width, height) = (Double(frame.width), Double(frame.height))
        func place(_ low: UInt8, _ high: UInt8, _ length: Double) -> (Double, Double) {
            // Of the centres of the first and the last pixel, away from edges.
            let (first, last) = ((Double(low) - 20) / 200, (Double(high) - 20) / 200)
            let step = (last - first) / (length - 1)
            return (first - step / 2, last + step / 2)
        }
        let (left, right) = place(luma[luma.count / 2][0], luma[luma.count / 2][luma[0].count - 1], width)
        let (top, bottom) = place(blue[0][blue[0].count / 2], blue[blue.count - 1][blue[0].count / 2], height)
        return [left, top, right, bottom]
    }

    private func harness(_ properties: String, downstream: String? = nil) throws -> Harness {
        try Harness(
            "autoframe \(properties)", caps: caps("Y444", Self.size.width, Self.size.height),
            downstream: downstream)
    }

    @Test func showsHeadAndShoulders() throws {
        let result = try harness("").transform(try Self.frame((0.55, 0.3, 0.1, 0.16)))
        #expect(result.width == Self.size.width && result.height == Self.size.height)
        let part = part(result)
        // The face is in the middle, a third from above, and about a fifth as high as the picture.
        #expect(abs((part[0] + part[2]) / 2 - 0.6) < 0.02, "\(part)")
        let share = (0.38 - part[1]) / (part[3] - part[1])
        #expect(abs(share - 1.0 / 3) < 0.03, "\(part)")
        let height = part[3] - part[1]
        #expect(height > 0.6 && height < 0.95, "\(part)")
        #expect(abs((part[2] - part[0]) - height) < 0.03)
    }

    @Test(arguments: [
        ("aspect=9:16 height=160", nil, 90, 160), ("aspect=1:1", nil, 180, 180), ("width=100", nil, 100, 56),
        ("width=64 height=48", nil, 64, 48), ("", "video/x-raw,width=160,height=90", 160, 90),
        ("", "video/x-raw,height=90", 160, 90),
        ("aspect=1/1", "video/x-raw,height=90,width=[1,4000]", 90, 90),
        ("aspect=0/1", nil, 320, 180),
    ])
    func theSizeIsAsAsked(_ properties: String, _ downstream: String?, _ width: Int, _ height: Int) throws {
        let result = try harness(properties, downstream: downstream).transform(
            try Self.frame((0.45, 0.3, 0.06, 0.1)))
        #expect(result.width == width && result.height == height)
        let part = part(result)
        let shape = (part[2] - part[0]) * 320 / ((part[3] - part[1]) * 180)
        #expect(abs(shape / (Double(width) / Double(height)) - 1) < 0.06, "\(part)")
    }

    @Test func propertiesChangeWhilePlaying() throws {
        let harness = try harness("")
        let frame = { try Self.frame((0.45, 0.3, 0.06, 0.1)) }
        #expect(try harness.transform(try frame()).width == 320)
        for (property, value, width, height) in [
            ("aspect", "1:1", 180, 180), ("width", "100", 100, 100), ("height", "50", 100, 50),
            ("aspect", "", 100, 50),
            ("width", "0", 88, 50),
        ] {
            harness.set(property, value)
            _ = try harness.transform(try frame())
            let result = try harness.transform(try frame())
            #expect(result.width == width && result.height == height, "\(property)=\(value)")
        }
        #expect(harness.messages() == [])
    }

    @Test(arguments: ["aspect=wide", "aspect=1:0", "aspect=1:2:3", "person-at=0.5", "person-at=2,2"])
    func malformedTextsAreRefused(_ properties: String) throws {
        let pipeline = try Pipeline("videotestsrc num-buffers=2 ! autoframe \(properties) ! fakesink")
        #expect(pipeline.play().first?.kind == .error)
    }

    @Test func malformedTextsAreReportedOnceWhilePlaying() throws {
        let harness = try harness("")
        _ = try harness.transform(try Self.frame((0.45, 0.3, 0.06, 0.1)))
        harness.set("person-at", "here")
        for _ in 0..<3 { _ = try harness.transform(try Self.frame((0.45, 0.3, 0.06, 0.1))) }
        #expect(harness.messages().map(\.kind) == [.warning])
    }

    @Test func framesWithoutMetadataPassAndAreReportedOnce() throws {
        let harness = try harness("")
        for index in 0..<60 {
            let frame = try Self.frame(nil, at: UInt64(index) * 40_000_000)
            #expect(try harness.transform(frame).hasSameSamples(as: frame))
        }
        let messages = harness.messages()
        #expect(messages.map(\.kind) == [.warning])
        #expect(
            messages.first?.is(.warning, gst_stream_error_quark(), GST_STREAM_ERROR_FAILED.rawValue) == true)
    }

    /// Some frames later the person has walked to the other side.
    @Test func followsAndRests() throws {
        let harness = try harness("framing=face")
        var parts: [[Double]] = []
        for index in 0..<140 {
            let x = 0.2 + 0.006 * Double(min(max(index - 20, 0), 60))
            let frame = try Self.frame((x, 0.4, 0.05, 0.09), at: UInt64(index) * 40_000_000)
            parts.append(part(try harness.transform(frame)))
            // The head is always shown.
            #expect(
                parts[index][0] < x - 0.01 && parts[index][2] > x + 0.06, "frame \(index): \(parts[index])")
        }
        #expect(parts[0] == parts[19])
        #expect(abs((parts[139][0] + parts[139][2]) / 2 - 0.585) < 0.05, "\(parts[139])")
        #expect(parts[130] == parts[139])
    }

    /// A cut to another scene is one in the output, too.
    @Test func cutsWithTheScene() throws {
        let harness = try harness("framing=face")
        for index in 0..<10 {
            _ = try harness.transform(try Self.frame((0.2, 0.4, 0.05, 0.09), at: UInt64(index) * 40_000_000))
        }
        let frame = try Self.frame((0.7, 0.4, 0.05, 0.09), at: 400_000_000)
        frame.fill(0) { x, _ in UInt8(220 - x * 200 / Self.size.width) }
        let luma = try harness.transform(frame).samples(0)[90]
        let center = (220 - (Double(luma[0]) + Double(luma[319])) / 2) / 200
        #expect(abs(center - 0.725) < 0.03)
    }

    @Test func facesAndRegionsMoveAlong() throws {
        let frame = try Self.frame((0.55, 0.3, 0.1, 0.16))
        gst_buffer_add_video_region_of_interest_meta(frame.buffer, "face", 176, 54, 32, 29)
        let result = try harness("framing=face aspect=1:1").transform(frame)
        let part = part(result)
        let (width, height) = (part[2] - part[0], part[3] - part[1])
        let face = try #require(FacesMeta(result))
        #expect(face.frameSize == [180, 180])
        let expected = [(0.55 - part[0]) / width, (0.3 - part[1]) / height, 0.1 / width, 0.16 / height]
        for (found, wanted) in zip(face.faces[0].box, expected) { #expect(abs(found - wanted) < 0.03) }
        let region = try #require(Region.all(of: result).first)
        #expect(Region.all(of: result).count == 1 && region.kind == "face")
        #expect(
            abs(Double(region.box[0]) / 180 - expected[0]) < 0.03
                && abs(Double(region.box[2]) / 180 - expected[2]) < 0.03)
        #expect(Region.all(of: frame).first?.box == [176, 54, 32, 29])
    }

    @Test func cropsOfUpstreamCount() throws {
        let whole = try Self.frame(nil)
        whole.crop(to: [160, 0, 160, 180])
        try Self.face((0.2, 0.3, 0.12, 0.1)).with("frame-width", .int(160)).with("frame-height", .int(180))
            .attach(to: whole)
        let harness = try Harness("autoframe framing=face", caps: caps("Y444", 160, 180))
        let result = try harness.transform(whole)
        // Shares of the whole buffer, of which the right half is seen.
        let luma = result.samples(0)[90]
        let center = ((Double(luma[0]) + Double(luma[159])) / 2 - 20) / 200
        #expect(abs(center - (0.5 + 0.26 / 2)) < 0.03)
        #expect(
            result.samples(0).allSatisfy { $0.allSatisfy { $0 >= 118 } },
            "pixels outside of the crop are never seen")
    }

    @Test func framesStoredOnTheirSideAreFramedUpright() throws {
        let harness = try harness("framing=upper-body")
        harness.push(
            event: gst_event_new_tag(gst_tag_list_new_from_string("taglist, image-orientation=rotate-90")))
        // Up is to the left: the face is a third from there.
        let result = try harness.transform(try Self.frame((0.3, 0.4, 0.04, 0.1)))
        let part = part(result)
        let (alongX, alongY) = (
            (0.32 - part[0]) / (part[2] - part[0]), (0.45 - part[1]) / (part[3] - part[1])
        )
        #expect(abs(alongX - 1.0 / 3) < 0.06 && abs(alongY - 0.5) < 0.06, "\(part)")
    }

    @Test func clicksAreMovedToTheInput() throws {
        let harness = try Harness(
            "blendmask select-by-click=true name=blend ! autoframe framing=face", caps: caps("Y444", 320, 180)
        )
        let frame = try Self.frame((0.55, 0.3, 0.1, 0.16))
        let part = part(try Harness("autoframe framing=face", caps: frame.caps).transform(frame))
        _ = try harness.transform(frame)
        let structure = gst_structure_from_string(
            "application/x-gst-navigation, event=mouse-button-press, button=1, pointer_x=(double)160, pointer_y=(double)90",
            nil)
        harness.push(upstream: gst_event_new_navigation(structure))
        // GStreamer writes a text with a comma in quotes.
        let chosen = harness.property("instances-at").split(separator: ",").compactMap { word in
            Double(word.filter { $0.isNumber || $0 == "." })
        }
        try #require(chosen.count == 2)
        #expect(
            abs(chosen[0] - (part[0] + part[2]) / 2) < 0.02 && abs(chosen[1] - (part[1] + part[3]) / 2) < 0.02
        )
    }

    @Test func aProgramChoosesThePart() throws {
        let harness = try harness("zoom=2 center-x=0.6 center-y=0.1 describe=true")
        let result = try harness.transform(try Self.frame((0.1, 0.3, 0.1, 0.16)))
        for (found, wanted) in zip(part(result), [0.35, 0, 0.85, 0.5]) { #expect(abs(found - wanted) < 0.02) }
        let description = try #require(Self.description(result))
        for (name, wanted) in [("x", 0.35), ("y", 0), ("width", 0.5), ("height", 0.5)] {
            #expect(abs((description[name] ?? -1) - wanted) < 1e-9, "\(name)")
        }
        // Following begins where the person is.
        harness.set("zoom", "0")
        #expect(abs((part(try harness.transform(try Self.frame((0.1, 0.3, 0.1, 0.16))))[0])) < 0.02)
    }

    /// The upper half of an upright output shows one part, the lower half the other; others have them side by side.
    @Test(arguments: [("aspect=9:16", true), ("aspect=2:1", false), ("aspect=1:1", false)])
    func aProgramChoosesTwoParts(_ shape: String, _ isStacked: Bool) throws {
        let harness = try harness(
            "\(shape) height=160 zoom=4 center-x=0.3 center-y=0.4 second-zoom=2 second-x=0.7 second-y=0.6 describe=true"
        )
        let result = try harness.transform(try Self.frame((0.1, 0.3, 0.1, 0.16)))
        let (luma, blue) = (result.samples(0), result.samples(1))
        // Centre of each half: the middles that were chosen.
        for (index, wanted) in [(0.3, 0.4), (0.7, 0.6)].enumerated() {
            let column = isStacked ? result.width / 2 : result.width * (2 * index + 1) / 4
            let row = isStacked ? result.height * (2 * index + 1) / 4 : result.height / 2
            let (x, y) = (Double(luma[row][column]) - 20, Double(blue[row][column]) - 20)
            #expect(abs(x / 200 - wanted.0) < 0.015 && abs(y / 200 - wanted.1) < 0.015, "\(index): \(x) \(y)")
        }
        // Rows of the input beside each other: a quarter and a half of its height.
        let rows = isStacked ? [(4, 76), (84, 156)] : [(4, 156), (4, 156)]
        for (index, (top, bottom)) in rows.enumerated() {
            let column = isStacked ? result.width / 2 : result.width * (2 * index + 1) / 4
            let change = Double(blue[bottom][column]) - Double(blue[top][column])
            let shown = change / 200 * (isStacked ? 80.0 / 72 : 160.0 / 152)
            #expect(abs(shown - [0.25, 0.5][index]) < 0.02, "\(index): \(shown)")
        }
        // Faces and masks do not fit such a frame.
        #expect(gst_buffer_get_custom_meta(result.buffer, FacesMeta.name) == nil)
        harness.set("second-zoom", "0")
        let single = try harness.transform(try Self.frame((0.1, 0.3, 0.1, 0.16)))
        #expect(abs(Double(single.samples(0)[80][single.width / 2]) - 20 - 60) < 3)
        #expect(gst_buffer_get_custom_meta(single.buffer, FacesMeta.name) != nil)
    }

    private static func description(_ frame: Frame) -> [String: Double]? {
        guard let meta = gst_buffer_get_custom_meta(frame.buffer, "GstPeopleFraming"),
            let fields = gst_custom_meta_get_structure(meta)
        else { return nil }
        var numbers: [String: Double] = [:]
        for name in ["x", "y", "width", "height"] {
            var number: gdouble = 0
            if gst_structure_get_double(fields, name, &number) != 0 { numbers[name] = number }
        }
        return numbers
    }
}
