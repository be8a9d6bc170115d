import CGStreamer
import TestSupport
import Testing

/// Masks that move into the frames of `autoframe`, with `blendmask` after it and before it.
struct MovedMaskTests {
    private static let size = (width: 160, height: 90)
    private static let (room, person): (UInt8, UInt8) = (200, 50)

    /// Whether a place belongs to the person, who stands at `x`; `margin` is cut off.
    private static func isPerson(_ place: (x: Double, y: Double), at x: Double, margin: Double) -> Bool {
        abs(place.x - x) < 0.18 - margin && place.y > 0.3 + margin
    }

    private static func picture(at x: Double, time: UInt64, _ format: String = "Y444") throws -> Frame {
        let frame = try Frame(caps(format, size.width, size.height))
        frame.fillBytes(with: 128)
        frame.fill(0) { column, row in
            let place = ((Double(column) + 0.5) / 160, (Double(row) + 0.5) / 90)
            return isPerson(place, at: x, margin: 0) ? person : room
        }
        frame.buffer.pointee.pts = GstClockTime(time)
        return frame
    }

    /// Returns the mask of the person, who has a mask of his or her own.
    private static func mask(at x: Double, _ width: Int = 64, _ height: Int = 36) -> HandMadeMask {
        let covers = { (column: Int, row: Int) -> UInt8 in
            let place = ((Double(column) + 0.5) / Double(width), (Double(row) + 0.5) / Double(height))
            return isPerson(place, at: x, margin: 0.05) ? 255 : 0
        }
        let mask = HandMadeMask(width: width, height: height, covers)
        guard let bytes = mask.fields["mask"] else { return mask }
        let labels = (0..<height).flatMap { y in (0..<width).map { covers($0, y) == 0 ? UInt8(0) : 1 } }
        return mask.with("labels", .bytes(labels)).with("frame-width", .int(size.width)).with(
            "frame-height", .int(size.height)
        )
        .with(
            "instances",
            .list([
                [
                    "id": .int(4), "label": .int(1), "mask": bytes, "x": .double(x - 0.13),
                    "y": .double(0.35),
                    "width": .double(0.26), "height": .double(0.65), "confidence": .double(1),
                ]
            ]))
    }

    @Test(arguments: ["face", "head-and-shoulders", "body"])
    func masksLieWhereThePersonIs(_ framing: String) throws {
        let frame = try Self.picture(at: 0.4, time: 0)
        try Self.mask(at: 0.4).attach(to: frame)
        let result = try Harness("autoframe framing=\(framing) aspect=1:1", caps: frame.caps).transform(frame)
        let mask = try #require(MaskMeta(result))
        let (width, height) = (try #require(mask.int("width")), try #require(mask.int("height")))
        #expect(mask.int("frame-width") == 90 && mask.int("frame-height") == 90)
        let (values, labels, luma) = (mask.values, try #require(mask.labels), result.samples(0))
        let instance = try #require(mask.instances?.first)
        #expect(
            values.count == width * height && labels.count == values.count
                && instance.mask.count == values.count)
        #expect(values.contains { $0 == 1 })
        for y in 0..<height {
            for x in 0..<width where values[y * width + x] > 0.5 {
                let pixel = luma[(2 * y + 1) * 90 / (2 * height)][(2 * x + 1) * 90 / (2 * width)]
                #expect(pixel < 70, "\(x),\(y)")
                #expect(labels[y * width + x] == 1 && instance.mask[y * width + x] > 127)
            }
        }
        #expect(abs(instance.box[2] * 90 / Double(90) - 0.26) > 0.01, "the box is that of the part")
    }

    /// With 1,000 changes of the framing and of the people's light, while masks are late, missing, malformed or of other frames: no pixel of the room is
    /// ever seen, with `blendmask` after `autoframe` and before it.
    @Test(arguments: [true, false]) func noPixelOfTheRoomIsSeen(_ isBefore: Bool) throws {
        var generator = SeededGenerator(seed: 11)
        let input = try Self.picture(at: 0.5, time: 0).caps
        let framing = try Harness("autoframe", caps: input)
        let blending = try Harness("blendmask keep-mask=true silent-cover=true", caps: input)
        var (x, seen, zoomed) = (0.5, 0, 0)
        for index in 0..<1000 {
            Self.change(framing, &generator)
            blending.set("low-light", index % 3 == 0 ? "true" : "false")
            blending.set("people-exposure", ["-0.5", "0", "0.5"][index % 7 % 3])
            x = min(max(x + Double.random(in: -0.08...0.08, using: &generator), 0.2), 0.8)
            let frame = try Self.picture(at: x, time: UInt64(index) * 40_000_000)
            try Self.fault(Self.mask(at: x), of: frame, &generator).attach(to: frame)
            if Bool.random(using: &generator) {
                try AutoFrameTests.face((x - 0.05, 0.32, 0.1, 0.18), person: 4).attach(to: frame)
            }
            let result: Frame
            if isBefore {
                result = try framing.transform(try blending.transform(frame))
            } else {
                let framed = try framing.transform(frame)
                blending.setCaps(framed.caps)
                result = try blending.transform(framed)
                if framed.width != 160 || !framed.hasSameSamples(as: frame) { zoomed += 1 }
            }
            let brightest = result.samples(0).joined().max() ?? 0
            #expect(brightest < 100, "frame \(index)")
            if brightest > 40 { seen += 1 }
        }
        // The person is seen in many frames: not everything is covered.
        #expect(seen > 200, "\(seen)")
        if !isBefore { #expect(zoomed > 500, "\(zoomed)") }
    }

    private static func change(_ harness: Harness, _ generator: inout SeededGenerator) {
        let changes: [(String, [String])] = [
            ("framing", ["face", "head-and-shoulders", "upper-body", "body", "everyone"]),
            ("zoom-max", ["1", "2", "8", "32"]),
            ("margin", ["0", "20", "100"]), ("speed", ["0.1", "1", "10"]), ("lead", ["0", "1"]),
            ("aspect", ["", "1:1", "9:16", "3:1"]), ("width", ["0", "64", "33"]),
            ("person-id", ["-1", "4", "9"]),
            ("person-at", ["", "0.5,0.5", "0,0"]), ("on-lost", ["hold", "wide"]),
        ]
        guard let (name, values) = changes.randomElement(using: &generator),
            let value = values.randomElement(using: &generator)
        else { return }
        harness.set(name, value)
    }

    /// Returns the mask, or something that must not be used.
    private static func fault(
        _ mask: HandMadeMask, of frame: Frame, _ generator: inout SeededGenerator
    ) -> HandMadeMask {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: HandMadeMask(named: "GstPeopleDepth", [:])
        case 1: mask.with("width", nil)
        case 2: mask.with("width", .int(6400))
        case 3: mask.with("stride", .int(1))
        case 4: mask.with("mask", .bytes([1, 2, 3]))
        case 5: mask.with("frame-width", .int(90))
        case 6: mask.with("orientation", .int(6))
        case 7: mask.with("timestamp", .time(12345))
        case 8: mask.with("age", .time(.max)).with("interval", .time(40_000_000))
        case 9: mask.with("labels", .bytes([]))
        case 10: mask.with("instances", .int(3))
        case 11: mask.with("format", .text("f32"))
        default: mask
        }
    }
}
