import CGStreamer
import Foundation
import TestSupport
import Testing

/// Cut-outs: images and videos with alpha, read back.
struct CutOutTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Expects background at the top left of the portrait and the face in the upper middle.
    private func expectCutOut(_ path: String) throws {
        let small = "width=128,height=128"
        let after = try Frame.picture(path, "video/x-raw,format=ARGB,\(small)")
        let before = try Frame.picture(Checkout.astronaut.path, "video/x-raw,format=ARGB,\(small)")
        let alpha = after.samples(3)
        #expect(alpha[4][4] < 8)
        #expect(alpha[28][58] > 247)
        // Alpha is straight: the colours are those of the portrait.
        for index in 0..<3 {
            #expect(abs(Int(after.samples(index)[28][58]) - Int(before.samples(index)[28][58])) < 24)
        }
    }

    @Test func cutsPeopleOutOfImages() throws {
        let output = scratch.path("out.png")
        let result = try Tool.run(Checkout.astronaut.path, output, "--transparent", command: "photo")
        #expect(result.status == 0, "\(result.output)")
        try expectCutOut(output)
    }

    @Test func cutsPeopleOutOfVideos() throws {
        let input = try scratch.clip("in.mp4", Clip.astronaut("! x264enc ! mp4mux"))
        let output = try Tool.make(input, scratch.path("out.mov"), "--transparent")
        try expectCutOut(output)
        let before = try Packets(input, "video/x-raw")
        #expect(agree(before.times, try Packets(output, "video/x-raw").times, within: 100_000))
        let stream = try Subprocess.launch(
            "-v filesrc location=\(output) ! qtdemux ! video/x-prores,variant=(string)4444,depth=32 ! fakesink"
        )
        #expect(stream.status == 0, "\(stream.output)")
    }

    @Test func keepsOddSizesAndAudio() throws {
        let line =
            "matroskamux name=muxer \(Clip.raw("I420", 161, 91)) ! vp8enc deadline=1 ! muxer. \(Clip.aac) ! muxer. muxer."
        let input = try scratch.clip("in.mkv", line)
        let output = try Tool.make(input, scratch.path("out.mov"), "--transparent")
        let caps = CapsFields(try Packets(output, "video/x-raw").caps)
        #expect([caps["width"], caps["height"]] == ["161", "91"])
        #expect(try Packets(output, "audio/mpeg").all.count == Packets(input, "audio/mpeg").all.count)
    }

    @Test(arguments: [
        ("photo", "in.png", "out.jpg"), ("video", "in.mp4", "out.mp4"), ("video", "in.mp4", "out.avi"),
    ])
    func refusesKindsWithoutAlpha(_ command: String, _ input: String, _ output: String) throws {
        let file = try scratch.file(input, Data())
        let result = try Subprocess.run(Tool.path, [command, file, scratch.path(output), "--transparent"])
        #expect(result.status == 2 && scratch.names == [input], "\(result.output)")
    }

    @Test func namesVideosInAFolder() throws {
        let input = try scratch.clip("in.mp4", "\(Clip.video) ! mp4mux")
        let result = try Tool.run(input, scratch.path("videos") + "/", "--transparent")
        #expect(result.status == 0, "\(result.output)")
        #expect(FileManager.default.fileExists(atPath: scratch.path("videos/in.mov")))
    }

    /// The frames correspond, whatever the speed at which the video is made.
    @Test func putsAClipBehindAVideo() throws {
        let clip = try NumberedClip.make("clip.mp4", in: scratch)
        let input = try scratch.clip(
            "in.mp4",
            "videotestsrc pattern=white num-buffers=60 ! \(caps("I420", 160, 90)) ! x264enc ! mp4mux")
        let output = try Tool.make(input, scratch.path("out.mp4"), "--background", clip)
        let player = try Pipeline(
            "filesrc location=\(output) ! decodebin ! videoconvert ! video/x-raw,format=RGB "
                + "! appsink name=sink sync=false")
        player.set(state: GST_STATE_PLAYING)
        let numbers = (0..<60).map { _ in player.pullSample(from: "sink").flatMap(NumberedClip.number) }
        #expect(numbers == (0..<60).map { $0 % 23 })
    }
}
