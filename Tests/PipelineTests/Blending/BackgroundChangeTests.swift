import CGStreamer
import Foundation
import TestSupport
import Testing

/// Backgrounds that change or fail while the stream runs.
struct BackgroundChangeTests {
    let scratch: Scratch
    let red: String
    let blue: String
    let frame: Frame

    init() throws {
        scratch = try Scratch()
        (red, blue) = (scratch.path("red.png"), scratch.path("blue.png"))
        for (path, component) in [(red, 0), (blue, 2)] {
            let picture = try Frame("video/x-raw,format=RGB,width=64,height=64")
            for index in 0..<3 { picture.fill(index) { _, _ in index == component ? 255 : 0 } }
            try Data(try picture.encoded(as: "image/png")).write(to: URL(fileURLWithPath: path))
        }
        frame = try Frame(caps("RGB", 64, 64))
        frame.fillBytes(with: 99)
        try HandMadeMask(width: 1, height: 1) { _, _ in 0 }.attach(to: frame)
    }

    private func colour(_ harness: Harness) throws -> [UInt8] {
        let shown = try harness.transform(frame)
        return (0..<3).map { shown.samples($0)[32][32] }
    }

    /// Returns the colours that are shown until `wanted` is shown, which must happen.
    private func coloursUntil(_ wanted: [UInt8], _ harness: Harness) throws -> [[UInt8]] {
        var colours: [[UInt8]] = []
        try Patience.wait {
            colours.append(try colour(harness))
            return colours.last == wanted
        }
        return colours
    }

    @Test func showsTheOldPictureUntilTheNewOneIsReady() throws {
        let harness = try Harness("blendmask background=\(red) background-color=0xff00ff00", caps: frame.caps)
        #expect(try colour(harness) == [255, 0, 0])
        harness.set("background", blue)
        let colours = try coloursUntil([0, 0, 255], harness)
        #expect(colours.last == [0, 0, 255])
        #expect(colours.dropLast().allSatisfy { $0 == [255, 0, 0] })
        #expect(harness.messages() == [])
    }

    @Test func keepsTheOldPictureWhenTheNewOneCannotBeRead() throws {
        let harness = try Harness("blendmask background=\(red)", caps: frame.caps)
        #expect(try colour(harness) == [255, 0, 0])
        harness.set("background", scratch.path("missing.png"))
        #expect(try colour(harness) == [255, 0, 0])
        let warning = harness.nextMessage()
        #expect(
            warning?.is(.warning, gst_resource_error_quark(), GST_RESOURCE_ERROR_OPEN_READ.rawValue) == true)
        for _ in 0..<5 { #expect(try colour(harness) == [255, 0, 0]) }
        harness.set("background", blue)
        #expect(try coloursUntil([0, 0, 255], harness).last == [0, 0, 255])
        #expect(harness.messages() == [], "one warning is enough")
    }

    /// The blur of a still picture is reused from frame to frame, but follows its properties.
    @Test func stillPicturesFollowTheirBlur() throws {
        let edge = scratch.path("edge.png")
        let picture = try Frame("video/x-raw,format=RGB,width=64,height=64")
        for index in 0..<3 { picture.fill(index) { x, _ in x < 40 ? 20 : 220 } }
        try Data(try picture.encoded(as: "image/png")).write(to: URL(fileURLWithPath: edge))
        let harness = try Harness("blendmask background=\(edge) blur=60", caps: frame.caps)
        let row = { try harness.transform(frame).samples(0)[32] }
        let isSteep = { (row: [UInt8]) in zip(row, row.dropFirst()).contains { Int($1) - Int($0) > 50 } }
        let soft = try row()
        #expect(!isSteep(soft))
        for _ in 0..<5 { #expect(try row() == soft) }
        harness.set("blur", "100")
        let softer = try row()
        #expect(softer[32] > soft[32] + 5)
        #expect(try row() == softer)
        harness.set("blur", "0")
        #expect(isSteep(try row()))
        harness.set("blur", "60")
        #expect(try row() == soft)
        harness.set("mirror", "true")
        let mirrored = Array(soft.reversed())
        let isMirrored = { try zip(row(), mirrored).allSatisfy { abs(Int($0) - Int($1)) <= 1 } }
        #expect(try Patience.wait { try isMirrored() })
        harness.set("background", blue)
        #expect(try coloursUntil([0, 0, 255], harness).last == [0, 0, 255])
    }

    @Test func followsAChangeOfCaps() throws {
        let harness = try Harness("blendmask background=\(red)", caps: frame.caps)
        #expect(try colour(harness) == [255, 0, 0])
        harness.setCaps(caps("BGR", 32, 48))
        let other = try Frame(caps("BGR", 32, 48))
        #expect(try harness.transform(other).samples(0).allSatisfy { $0.allSatisfy { $0 == 255 } })
    }

    /// The same pictures at another rate, and then others, while the last chosen background is unreadable.
    @Test func goesOnWithNewCapsAndABackgroundThatCannotBeRead() throws {
        for start in ["background=\(red)", "background-color=0xffff0000"] {
            let harness = try Harness("blendmask \(start)", caps: frame.caps)
            #expect(try colour(harness) == [255, 0, 0])
            harness.set("background", scratch.path("missing.png"))
            #expect(try colour(harness) == [255, 0, 0])
            #expect(harness.nextMessage()?.kind == .warning)
            harness.setCaps("video/x-raw,format=RGB,width=64,height=64,framerate=10/1")
            #expect(try colour(harness) == [255, 0, 0])
            harness.setCaps(caps("BGR", 32, 48))
            let other = try Frame(caps("BGR", 32, 48))
            for _ in 0..<3 {
                let shown = try harness.transform(other)
                #expect((0..<3).map { shown.samples($0)[20][20] } == [255, 0, 0])
            }
            #expect(harness.messages() == [], "it was said once")
        }
    }

    /// A pipe, on which reading would wait for another program.
    @Test func doesNotWaitForAPipe() throws {
        let pipe = scratch.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let pipeline = try Pipeline("videotestsrc ! blendmask background=\(pipe) ! fakesink")
        #expect(pipeline.set(state: GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE)
        let error = pipeline.nextMessage()
        #expect(error?.is(.error, gst_resource_error_quark(), GST_RESOURCE_ERROR_OPEN_READ.rawValue) == true)
        let harness = try Harness("blendmask background=\(red)", caps: frame.caps)
        #expect(try colour(harness) == [255, 0, 0])
        harness.set("background", pipe)
        #expect(try colour(harness) == [255, 0, 0])
        #expect(harness.nextMessage()?.kind == .warning)
    }

    @Test func removesThePicture() throws {
        let harness = try Harness("blendmask background=\(red) background-color=0xff00ff00", caps: frame.caps)
        #expect(try colour(harness) == [255, 0, 0])
        harness.set("background", "")
        #expect(try colour(harness) == [0, 255, 0])
    }

    @Test(arguments: ["missing.png", "text.png", ""])
    func failsToStartWithoutItsPicture(_ name: String) throws {
        try Data("no picture".utf8).write(to: URL(fileURLWithPath: scratch.path("text.png")))
        let path = name.isEmpty ? scratch.url.path : scratch.path(name)
        let pipeline = try Pipeline("videotestsrc ! blendmask background=\(path) ! fakesink")
        #expect(pipeline.set(state: GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE)
        let error = pipeline.nextMessage()
        #expect(error?.is(.error, gst_resource_error_quark(), GST_RESOURCE_ERROR_OPEN_READ.rawValue) == true)
        #expect(error?.source.hasPrefix("blendmask") == true)
    }
}
