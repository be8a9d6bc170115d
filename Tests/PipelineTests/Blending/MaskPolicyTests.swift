import CGStreamer
import TestSupport
import Testing

/// Frames without a usable mask, and the removal of masks.
struct MaskPolicyTests {
    static let cover: [UInt8] = [0, 255, 0]
    let frame: Frame

    init() throws {
        frame = try Frame(caps("RGB", 32, 16))
        frame.fillBytes(with: 99)
    }

    private func harness(_ properties: String = "", caps: String? = nil) throws -> Harness {
        try Harness("blendmask background-color=0xff00ff00 \(properties)", caps: caps ?? frame.caps)
    }

    /// A mask in which everything is subject, so that a frame blended by it stays unchanged.
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
        let error = harness.nextMessage()
        #expect(error?.is(.error, gst_stream_error_quark(), GST_STREAM_ERROR_FAILED.rawValue) == true)
        #expect(harness.pull() == nil)
    }

    /// In a stream `hide-room` cannot be taken back; the application is warned.
    @Test func hidesTheRoomUntilTheStreamEnds() throws {
        let pipeline = try Pipeline(
            "videotestsrc num-buffers=3 ! video/x-raw,format=RGB,width=32,height=16 "
                + "! blendmask name=blend background-color=0xff00ff00 no-mask=pass ! appsink name=sink sync=false"
        )
        pipeline.set("blend", "hide-room", "true")
        pipeline.set("blend", "hide-room", "false")
        #expect(pipeline.text("blend", "hide-room") == "false")
        pipeline.set(state: GST_STATE_PAUSED)
        pipeline.set("blend", "hide-room", "true")
        pipeline.set("blend", "hide-room", "false")
        #expect(pipeline.text("blend", "hide-room") == "true")
        pipeline.set(state: GST_STATE_PLAYING)
        let message = try #require(pipeline.nextMessage())
        #expect(message.is(.warning, gst_library_error_quark(), GST_LIBRARY_ERROR_SETTINGS.rawValue))
        _ = try #require(pipeline.pullSample(from: "sink"))
        for _ in 0..<2 { #expect(isCovered(try #require(pipeline.pullSample(from: "sink")))) }
        pipeline.set(state: GST_STATE_NULL)
        pipeline.set("blend", "hide-room", "false")
        #expect(pipeline.text("blend", "hide-room") == "false")
    }

    // MARK: - Words

    private func frames(_ count: Int, _ harness: Harness, _ frame: Frame) throws -> Frame {
        for _ in 1..<count { _ = try harness.transform(frame) }
        return try harness.transform(frame)
    }

    /// Whether white letters with a black rim are on the cover.
    private func hasWords(_ frame: Frame) -> Bool {
        !isCovered(frame) && frame.samples(1).joined().contains(0)
            && frame.samples(0).joined().contains(255)
    }

    @Test func saysAfterASecondWhyItCovers() throws {
        let large = try Frame(caps("RGB", 320, 180))
        large.fillBytes(with: 99)
        let masked = large.duplicate()
        try opaque.attach(to: masked)
        let harness = try harness(caps: large.caps)
        #expect(isCovered(try frames(24, harness, large)))
        let words = try frames(2, harness, large)
        #expect(hasWords(words))
        // Nothing of the frame shines through, whatever is in it.
        let other = large.duplicate()
        other.fillBytes(with: 50)
        #expect(try harness.transform(other).hasSameSamples(as: words))
        // With masks again, frames are as they should be, and it is a second until the next words.
        #expect(try frames(26, harness, masked).hasSameSamples(as: large))
        #expect(isCovered(try frames(24, harness, large)))
    }

    @Test(arguments: ["silent-cover=true", "show=mask", "no-mask=pass"])
    func saysNothingWhereItShouldNot(_ properties: String) throws {
        let harness = try harness(properties)
        let first = try harness.transform(frame)
        #expect(try frames(30, harness, frame).hasSameSamples(as: first))
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

    /// Neither people nor their effects are shown where the mask has undefined values, with and without
    /// `invert`.
    @Test(arguments: ["f32", "f16", "-f16"], MaskPolicyTests.effects)
    func hidesUndefinedValuesWithAndWithoutInversion(_ format: String, _ effects: String) throws {
        let undefined: [UInt8] =
            switch format {
            case "f32": withUnsafeBytes(of: Float.nan) { Array($0) }
            case "f16": [0x01, 0x7e]
            default: [0x01, 0xfe]
            }
        let bytes = (0..<16 * 8).flatMap { _ in undefined }
        let mask = HandMadeMask(width: 16, height: 8) { _, _ in 0 }
            .with("mask", .bytes(bytes)).with("stride", .int(16 * undefined.count))
            .with("format", .text(format == "f32" ? "f32" : "f16"))
        let picture = frame.duplicate()
        for index in 0..<3 { picture.fill(index) { UInt8(($0 * 37 + $1 * 91 + index * 50) % 256) } }
        for (invert, hidden) in [("false", UInt8(0)), ("true", 255)] {
            let harness = try harness("invert=\(invert) \(effects)")
            let results = try [mask, HandMadeMask(width: 16, height: 8) { _, _ in hidden }].map { mask in
                let carrying = picture.duplicate()
                try mask.attach(to: carrying)
                return try harness.transform(carrying)
            }
            #expect(results[0].hasSameSamples(as: results[1]), "invert=\(invert)")
            #expect(!results[0].hasSameSamples(as: picture))
        }
    }

    static let effects = [
        "", "show=mask", "blur=40", "exposure=1", "desaturate=1 exposure=-1", "shadow-opacity=.8",
        "halo-width=4",
        "light-wrap=1 decontaminate=true",
        "blur=40 exposure=1 desaturate=1 shadow-opacity=.8 halo-width=4 light-wrap=1 decontaminate=true",
    ]

    // MARK: - Age

    @Test(arguments: [
        // The values are age, interval and max-mask-age in nanoseconds, and whether the mask is usable.
        (0, 40, -1, true), (80, 40, -1, true), (81, 40, -1, false), (240, 120, -1, true),
        (241, 120, -1, false), (0, 40, 0, true), (1, 40, 0, false), (200, 40, 200, true),
        (201, 400, 200, false), (2_030_000_000, 66_666_667, -1, false), (.max, 40, -1, false),
        (9, .max, -1, true), (-5, 40, -1, false), (0, 0, -1, true), (1, -7, -1, false),
    ])
    func usesMasksUpToAnAge(_ age: Int64, _ interval: Int64, _ maximum: Int64, _ isUsable: Bool) throws {
        let mask = opaque.with("age", .long(age)).with("interval", .long(interval))
        let result = try harness("max-mask-age=\(maximum)").transform(carrying(mask))
        #expect(isUsable ? isUntouched(result) : isCovered(result))
    }

    /// A propagated mask is usable up to the user's limit, and by default up to the limit of its own frame.
    @Test(
        arguments: [(200, -1, true), (200, 200, true), (201, 200, false), (-1, -1, false)]
            as [(Int64, Int64, Bool)])
    func usesMasksThatMovedUpToAnAge(_ age: Int64, _ maximum: Int64, _ isUsable: Bool) throws {
        let mask = opaque.with("age", .long(0)).with("interval", .long(40)).with("motion-age", .long(age))
        let result = try harness("max-mask-age=\(maximum)").transform(carrying(mask))
        #expect(isUsable ? isUntouched(result) : isCovered(result))
    }

    @Test(arguments: ["age", "interval", "motion-age"])
    func coversWhenATimeIsMalformed(_ field: String) throws {
        #expect(isCovered(try harness().transform(carrying(opaque.with(field, .text("0"))))))
    }

    // MARK: - The mask's own frame and image

    @Test(arguments: [
        (nil, true), (HandMadeMask.Value.time(2_000_000_000), true), (.time(2_000_999_000), true),
        (.time(2_040_000_000), false), (.time(1_960_000_000), false), (.time(0), false),
        (.text("now"), false),
    ])
    func usesOnlyTheMaskOfItsFrame(_ time: HandMadeMask.Value?, _ isUsable: Bool) throws {
        let carrying = try carrying(opaque.with("timestamp", time))
        carrying.time = 2_000_000_000
        let result = try harness().transform(carrying)
        #expect(isUsable ? isUntouched(result) : isCovered(result))
    }

    @Test func coversAFrameWithoutATimeWhoseMaskHasOne() throws {
        #expect(isCovered(try harness().transform(carrying(opaque.with("timestamp", .time(0))))))
    }

    @Test(arguments: [
        // The values are frame-width, frame-height, pixel aspect and orientation, and whether the mask is
        // usable.
        ([32, 16, 1, 1], 1, true), ([320, 160, 1, 1], 1, true), ([16, 16, 2, 1], 1, true),
        ([16, 160, 1, 1], 1, false), ([64, 16, 1, 1], 1, false), ([32, 16, 2, 1], 1, false),
        ([0, 16, 1, 1], 1, false), ([32, -16, 1, 1], 1, false), ([32, 16, 0, 1], 1, false),
        ([32, 16, 1, 1], 6, false), ([32, 16, 1, 1], 0, false), ([32, 16, 1, 1], 99, false),
    ])
    func usesOnlyMasksOfMatchingShapeAndOrientation(_ numbers: [Int], _ orientation: Int, _ isUsable: Bool)
        throws
    {
        let mask = opaque.with("frame-width", .int(numbers[0])).with("frame-height", .int(numbers[1]))
            .with("pixel-aspect-ratio", .fraction(numbers[2], numbers[3]))
            .with("orientation", .int(orientation))
        let result = try harness().transform(carrying(mask))
        #expect(isUsable ? isUntouched(result) : isCovered(result))
    }

    @Test func aTurnedStreamTakesMasksThatAreTurnedLikewise() throws {
        let harness = try harness()
        harness.push(
            event: gst_event_new_tag(gst_tag_list_new_from_string("taglist, image-orientation=rotate-90")))
        #expect(isUntouched(try harness.transform(carrying(opaque.with("orientation", .int(6))))))
        #expect(isCovered(try harness.transform(carrying(opaque.with("orientation", .int(1))))))
    }

    // MARK: - Several masks

    private var empty: HandMadeMask { HandMadeMask(width: 32, height: 16) { _, _ in 0 } }

    @Test func usesTheNewestMaskAndTakesAllOff() throws {
        for (older, newer) in [(opaque, empty), (empty, opaque)] {
            let both = try carrying(older)
            try newer.attach(to: both)
            let result = try harness().transform(both)
            #expect(newer.fields == opaque.fields ? isUntouched(result) : isCovered(result))
            #expect(MaskMeta(result) == nil)
        }
    }

    @Test func usesAnOlderMaskWhenTheNewerCannotBeUsed() throws {
        let both = try carrying(opaque)
        try empty.with("width", nil).attach(to: both)
        #expect(isUntouched(try harness().transform(both)))
    }

    // MARK: - Removal of the mask

    @Test func takesTheMaskOff() throws {
        #expect(MaskMeta(try harness().transform(carrying(opaque))) == nil)
    }

    @Test func leavesTheMaskOnWhenAsked() throws {
        let mask = MaskMeta(try harness("keep-mask=true").transform(carrying(opaque)))
        #expect(mask?.int("width") == 32)
        #expect(mask?.values.allSatisfy { $0 == 1 } == true)
    }
}
