import CGStreamer
import Foundation
import TestSupport
import Testing

/// Many chains for a long time: their memory does not grow, whatever is done to them meanwhile.
///
/// `Tests/soak` runs this for as many frames as asked for and draws the curve.
struct SoakTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let chains = 16
    /// Maximum growth of memory after the first thousand frames, between the medians of the first and the
    /// last third.
    private static let mostGrowth = 5 << 20

    @Test func memoryStaysFlat() throws {
        let frames = Self.environment["PEOPLE_SOAK_FRAMES"].flatMap { Int($0) } ?? 160
        // Between rests all chains run at once; at a rest none does.
        let round = min(2000, max(160, frames / 50))
        let scratch = try Scratch()
        let backgrounds = [Checkout.astronaut.path, try NumberedClip.make("clip.webm", in: scratch), ""]
        let chains = try (0..<Self.chains).map { try SoakChain($0, backgrounds) }
        var generator = SeededGenerator(seed: 7)
        var (done, rests): (Int, [(frames: Int, bytes: Int)]) = (0, [])
        while done < frames {
            for chain in chains { try chain.start() }
            for _ in 0..<round / Self.chains {
                for chain in chains { try chain.play(&generator) }
            }
            done += round / Self.chains * Self.chains
            log("\(done) \(ProcessMemory.resident) playing")
            for chain in chains { chain.stop() }
            ProcessMemory.trim()
            rests.append((done, ProcessMemory.resident))
            log("\(done) \(ProcessMemory.resident) resting")
            log("\(done) \(ProcessMemory.allocated) allocated")
        }
        // The allocator's reserve varies by some megabytes between two rests; a leak adds up.
        let warm = rests.filter { $0.frames > 1000 }.map(\.bytes)
        guard warm.count >= 3 else { return }
        let (early, late) = (warm.prefix(warm.count / 3), warm.suffix(warm.count / 3))
        #expect(median(late) - median(early) <= Self.mostGrowth, "\(warm)")
    }

    private func median(_ sizes: ArraySlice<Int>) -> Int { sizes.sorted()[sizes.count / 2] }

    private func log(_ line: String) {
        guard let path = Self.environment["PEOPLE_SOAK_LOG"], let file = fopen(path, "a") else { return }
        fputs(line + "\n", file)
        fclose(file)
    }
}

/// One stream through all elements of the plugin.
private final class SoakChain {
    private static let sizes = [(64, 48), (48, 64), (96, 54)]
    private static let formats = ["I420", "NV12", "RGB", "YUY2"]
    private let pipeline: Pipeline
    private let backgrounds: [String]

    init(_ number: Int, _ backgrounds: [String]) throws {
        self.backgrounds = backgrounds
        pipeline = try Pipeline(
            // With the default mode, a frame that comes between a change and its effect ends the stream.
            "videotestsrc pattern=\(number % 3) "
                + "! capsfilter name=caps caps-change-mode=delayed caps=\(caps("I420", 64, 48)) "
                + "! personsegment name=segment quality=fast inference-interval=3 ! facepose name=face search-interval=1000 "
                + "! blendmask name=blend ! appsink name=sink sync=false max-buffers=2 wait-on-eos=false")
    }

    func start() throws {
        guard pipeline.start() else { throw SetupFailure("a chain does not start") }
    }

    func stop() {
        pipeline.set(state: GST_STATE_NULL)
        _ = pipeline.messages()
    }

    /// Pulls a frame, and sometimes changes something.
    func play(_ generator: inout SeededGenerator) throws {
        guard pipeline.pullSample(from: "sink") != nil else { throw SetupFailure("\(pipeline.messages())") }
        switch Int.random(in: 0..<60, using: &generator) {
        case 0:
            let ((width, height), format) = (generator.pick(Self.sizes), generator.pick(Self.formats))
            pipeline.set("caps", "caps", caps(format, width, height))
        case 1: pipeline.set("blend", "background", generator.pick(backgrounds))
        case 2: _ = pipeline.seek(to: Int64.random(in: 0..<250, using: &generator) * 40_000_000)
        case 3: pipeline.set("blend", "blur", generator.pick(["0", "20", "70"]))
        case 4: pipeline.set("blend", "shadow-opacity", generator.pick(["0", "0.7"]))
        case 5: pipeline.set("segment", "feather", generator.pick(["0", "3"]))
        case 6: pipeline.set("segment", "mask-format", generator.pick(["gray8", "f16", "f32"]))
        case 7: pipeline.set("face", "draw", generator.pick(["none", "landmarks"]))
        case 8:
            pipeline.set("blend", "background-source", generator.pick(["auto", "color", "pose", "original"]))
        default: break
        }
    }
}
