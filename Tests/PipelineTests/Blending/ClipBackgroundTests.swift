import CGStreamer
import Foundation
import TestSupport
import Testing

/// A looping clip behind the people: the frames that it shows at given times.
struct ClipBackgroundTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let threeRounds = (0..<70).map { $0 % 23 }

    /// Frames at another rate are the same images.
    @Test func goesOnAtAnotherRate() throws {
        let clip = try NumberedClip.make("rate.avi", in: scratch)
        let stream = try ClipStream("background=\(clip)")
        #expect(try stream.numbers(0..<5) == [0, 1, 2, 3, 4])
        let other = try Frame(
            "video/x-raw,format=GRAY8,width=\(NumberedClip.width),height=\(NumberedClip.height),framerate=10/1"
        )
        other.fillBytes(with: 255)
        let shown = try stream.show(other, at: 200)
        #expect(NumberedClip.number(in: shown) == 5)
    }

    @Test(arguments: NumberedClip.containers.keys.sorted())
    func loopsWithoutASeam(_ ending: String) throws {
        let clip = try NumberedClip.make("clip.\(ending)", in: scratch)
        let stream = try ClipStream("background=\(clip)")
        #expect(try stream.numbers(0..<70) == Self.threeRounds)
        #expect(stream.messages == [])
    }

    @Test func readsURIsAndClipsWithAudio() throws {
        let clip = try NumberedClip.make("clip.mp4", in: scratch, audio: true)
        let stream = try ClipStream("background=file://\(clip)")
        #expect(try stream.numbers(0..<23) == Array(0..<23))
    }

    /// The stream's timestamps set the pace, whatever the clip's frame rate.
    @Test(arguments: [10, 20, 30, 100])
    func isPacedByTheStreamsTimes(_ step: Int) throws {
        let clip = try NumberedClip.make("clip.mkv", in: scratch)
        let stream = try ClipStream("background=\(clip)")
        for time in stride(from: 0, to: 2000, by: step) {
            #expect(try stream.number(at: time) == time / 40 % 23)
        }
    }

    @Test func goesOnAfterASeekOfTheStream() throws {
        let clip = try NumberedClip.make("clip.mp4", in: scratch)
        let pipeline = try Pipeline(
            "videotestsrc pattern=white ! \(caps("GRAY8", 64, 48)) ! blendmask background=\(clip) "
                + "! appsink name=sink sync=false max-buffers=1")
        pipeline.set(state: GST_STATE_PLAYING)
        let numbers = { () -> [Int] in
            (0..<30).map { _ in pipeline.pullSample(from: "sink").flatMap(NumberedClip.number) ?? -1 }
        }
        #expect(numbers() == (0..<30).map { $0 % 23 })
        #expect(pipeline.seek(to: 5_000_000_000))
        let after = numbers()
        // Frames that were on their way during the seek are lost.
        #expect((29...33).contains(after[0] + 23))
        #expect(after == (after[0]..<after[0] + 30).map { $0 % 23 })
    }

    @Test func startsAnewWithTheElement() throws {
        let clip = try NumberedClip.make("clip.mp4", in: scratch)
        let stream = try ClipStream("background=\(clip)")
        for _ in 0..<10 {
            #expect(try stream.numbers(0..<5) == Array(0..<5))
            stream.restart()
        }
    }

    @Test func changesWithoutAGap() throws {
        let clips = [
            try NumberedClip.make("one.mp4", in: scratch, frames: 0..<10),
            try NumberedClip.make("two.webm", in: scratch, frames: 15..<25),
        ]
        let stream = try ClipStream("background=\(clips[0])")
        var (time, seen) = (0, [Int?]())
        for round in 1...4 {
            stream.set(background: clips[round % 2])
            let wanted = round % 2 == 0 ? 0..<10 : 15..<25
            let isShown = try Patience.wait {
                seen.append(try stream.number(at: time))
                time += 40
                return (seen.last ?? nil).map { wanted.contains($0) } == true
            }
            #expect(isShown)
        }
        #expect(seen.allSatisfy { $0.map { (0..<10).contains($0) || (15..<25).contains($0) } ?? false })
        #expect(stream.messages == [])
    }

    @Test func followsAChangeOfCaps() throws {
        let clip = try NumberedClip.make("clip.mp4", in: scratch)
        let stream = try ClipStream("background=\(clip)")
        #expect(try stream.numbers(0..<5) == Array(0..<5))
        let larger = try Frame(caps("GRAY8", 128, 96))
        let numbers = try (5..<15).map { NumberedClip.number(in: try stream.show(larger, at: $0 * 40)) }
        #expect(numbers == Array(0..<10))
    }

    @Test(arguments: ["I420", "NV12", "YUY2", "RGB", "BGRA"])
    func takesEachFormatOfFrame(_ format: String) throws {
        let clip = try NumberedClip.make("clip.mkv", in: scratch)
        let stream = try ClipStream("background=\(clip)", format: format)
        let numbers = try (0..<30).map { index in
            let shown = try stream.frame(at: index * 40)
            let isGrey = ["RGB", "BGRA"].contains(format)
            return NumberedClip.number(in: isGrey ? shown : try shown.converted(to: caps("GRAY8", 64, 48)))
        }
        #expect(numbers == (0..<30).map { $0 % 23 })
    }

    /// Frames may be late on a busy machine, so the test plays until twenty have followed their predecessors
    /// and a round has passed.
    @Test func goesOnBehindAStreamWithAClock() throws {
        let clip = try NumberedClip.make("clip.mp4", in: scratch)
        let pipeline = try Pipeline(
            "videotestsrc is-live=true ! \(caps("GRAY8", 64, 48)) ! blendmask background=\(clip) "
                + "! appsink name=sink sync=false")
        #expect(pipeline.start())
        var numbers: [Int] = []
        var (followers, rounds) = (0, 0)
        try Patience.wait {
            let number = NumberedClip.number(in: try #require(pipeline.pullSample(from: "sink"))) ?? -1
            if let last = numbers.last {
                followers += number == (last + 1) % 23 ? 1 : 0
                rounds += number < last ? 1 : 0
            }
            numbers.append(number)
            return followers >= 20 && rounds >= 1
        }
        #expect(followers >= 20 && rounds >= 1, "\(numbers)")
        #expect(numbers.allSatisfy { (0..<23).contains($0) }, "\(numbers)")
        #expect(pipeline.messages().filter { !$0.isOfMissingMasks } == [])
    }
}
