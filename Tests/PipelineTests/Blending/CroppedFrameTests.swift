import CGStreamer
import Imaging
import TestSupport
import Testing

/// Buffers with a GstVideoCropMeta, which shows only a part.
struct CroppedFrameTests {
    private static let whole = (width: 63, height: 41)
    /// The part begins between pixels that share no chroma, and ends anywhere.
    private static let part = [8, 4, 41, 23]

    private static func value(_ index: Int, _ x: Int, _ y: Int) -> UInt8 {
        UInt8(60 + (x * 13 + y * 29 + index * 57) % 130)
    }

    private static func picture(_ format: String) throws -> Frame {
        let frame = try Frame(caps(format, whole.width, whole.height), padding: 16)
        frame.fillBytes(with: 99)
        for index in 0..<frame.colorCount { frame.fill(index) { value(index, $0, $1) } }
        return frame
    }

    /// Returns the whole contents of a buffer whose part was blended by blendmask.
    private func blended(
        _ properties: String, _ format: String, _ mask: HandMadeMask?
    ) throws -> Frame {
        let frame = try Self.picture(format)
        frame.crop(to: Self.part)
        try mask?.attach(to: frame)
        let harness = try Harness(
            "blendmask background-color=0xff00ff00 \(properties)",
            caps: caps(format, Self.part[2], Self.part[3]))
        return try harness.transform(frame).seen(as: caps(format, Self.whole.width, Self.whole.height))
    }

    /// Returns a mask in which all of an image of this size is subject.
    private func opaque(_ width: Int, _ height: Int) -> HandMadeMask {
        HandMadeMask(width: 4, height: 4) { _, _ in 255 }
            .with("frame-width", .int(width)).with("frame-height", .int(height))
    }

    private var ofPart: HandMadeMask { opaque(Self.part[2], Self.part[3]) }

    /// Whether a component's sample belongs to pixels of the part, at least in part.
    private func isInPart(_ x: Int, _ y: Int, _ shifts: (horizontal: Int, vertical: Int)) -> Bool {
        let touches = { (sample: Int, shift: Int, start: Int, length: Int) in
            (sample << shift) < start + length && ((sample + 1) << shift) > start
        }
        return touches(x, shifts.horizontal, Self.part[0], Self.part[2])
            && touches(y, shifts.vertical, Self.part[1], Self.part[3])
    }

    private func black(_ format: String) throws -> [UInt8] {
        let frame = try Frame(caps(format, 8, 8))
        let covered = try Harness("blendmask", caps: frame.caps).transform(frame)
        return (0..<frame.colorCount).map { covered.samples($0)[0][0] }
    }

    @Test(arguments: PixelFormat.allCases.map(\.rawValue))
    func pixelsOutsideTheCropAreBlack(_ format: String) throws {
        let (result, black) = (try blended("", format, ofPart), try black(format))
        for index in 0..<result.colorCount {
            let shifts = result.shifts(index)
            let expected = result.samples(index).indices.map { y in
                result.samples(index)[y].indices.map { x in
                    isInPart(x, y, shifts) ? Self.value(index, x, y) : black[index]
                }
            }
            #expect(result.samples(index) == expected, "component \(index)")
        }
    }

    @Test(arguments: ["", "show=mask", "no-mask=pass", "blur=40", "invert=true"])
    func noSettingShowsPixelsOutsideTheCrop(_ properties: String) throws {
        for mask in [ofPart, nil] {
            let result = try blended(properties, "RGB", mask)
            for row in [0, 3, 27, 40] { #expect(result.samples(0)[row].allSatisfy { $0 == 0 }, "row \(row)") }
        }
    }

    /// The metadata of a field's buffer may give the rows of the whole frame; an ambiguous buffer is dropped.
    @Test(arguments: [(46, true), (40, false)])
    func pixelsOutsideTheCropOfAFieldAreBlack(_ height: Int, _ isTaken: Bool) throws {
        let frame = try Self.picture("I420")
        frame.crop(to: [8, 4, 41, height / 2])
        let harness = try Harness(
            "blendmask no-mask=pass",
            caps: "video/x-raw(format:Interlaced),format=I420,width=41,height=\(height),framerate=25/1,"
                + "interlace-mode=alternate")
        #expect(harness.push(frame) == GST_FLOW_OK)
        let result = try harness.pull()?.seen(as: caps("I420", Self.whole.width, Self.whole.height))
        #expect((result != nil) == isTaken)
        #expect(harness.messages().map(\.kind) == (isTaken ? [] : [.warning]))
        if let result { #expect(Set(result.samples(0)[0] + result.samples(0)[40]) == [16]) }
    }

    /// Frames that pass unchanged pass as a whole.
    @Test func framesWithNothingHiddenPassUnchanged() throws {
        let result = try blended("background-source=original", "I420", nil)
        #expect(result.hasSameSamples(as: try Self.picture("I420")))
    }

    /// A mask of the whole buffer may have the part's proportions; it still belongs to another image.
    @Test(arguments: [
        ([32, 20], true), ([64, 40], false), ([16, 10], false), ([], false), ([32], false),
        ([20, 32], false),
    ])
    func onlyAMaskOfTheVisiblePartCounts(_ size: [Int], _ isUsable: Bool) throws {
        for downstream in [nil, "video/x-raw,format=AYUV"] {
            let frame = try Frame(caps("RGB", 64, 40), padding: 8)
            frame.fillBytes(with: 99)
            frame.crop(to: [8, 4, 32, 20])
            var mask = HandMadeMask(width: 4, height: 4) { _, _ in 255 }
            for (name, side) in zip(["frame-width", "frame-height"], size) {
                mask = mask.with(name, .int(side))
            }
            try mask.attach(to: frame)
            let harness = try Harness(
                "blendmask background-color=0xff00ff00", caps: caps("RGB", 32, 20), downstream: downstream)
            let result = try harness.transform(frame).visiblePart(as: caps("RGB", 32, 20))
            let shown = result.samples(0).joined().filter { abs(Int($0) - 99) < 4 }.count
            #expect(shown == (isUsable ? 32 * 20 : 0), "\(downstream ?? "in place")")
        }
    }
}
