import Foundation
import GStreamerKit
import Synchronization

/// Plays elements behind a live source of 30 frames a second into a sink that drops late frames as windows do, and counts.
///
/// Once as the machine is, and then with one and with three threads of other work for each of its cores.
struct LiveBench {
    private static let lines = [
        "personsegment quality=fast name=timed ! blendmask background-color=0xff00b140",
        "personsegment quality=balanced name=timed ! blendmask background-color=0xff00b140",
        "facepose name=timed",
    ]
    private static let frameRate = 30
    /// Frames of the clip that are kept ready, in a loop: three seconds of 1280x720 are 120 MB.
    private static let keptFrames = 90

    /// Frames before the count begins: ten seconds.
    private static let warmUp = 300

    private let options: Options
    private let size: Size2D
    private let caps: String
    private let frames: [GStreamer.Buffer]

    init(_ options: Options, _ size: Size2D) throws {
        self.options = options
        self.size = size
        caps = "video/x-raw,format=I420,width=\(size.width),height=\(size.height)"
        GStreamer.initialize()
        frames = try ElementBench.frames(caps, count: Self.keptFrames).compactMap { $0.buffer?.retained }
    }

    func run() throws {
        print("\nlive: \(size) I420, \(Self.frameRate) frames/s")
        print("others  frames in  analysed  shown  moved masks  age ms  latency ms  element")
        let cores = ProcessInfo.processInfo.activeProcessorCount
        for busy in [0, cores, 3 * cores] {
            let work = BusyThreads(count: busy)
            defer { work.stop() }
            for line in Self.lines {
                let counts = try play(line)
                let columns = [
                    (busy, 6), (options.frames, 10), (counts.analysed, 9), (counts.shown, 6),
                    (counts.moved, 12),
                    (counts.age, 7), (counts.latency, 11),
                ]
                print(
                    columns.map { Report.right($0.0, $0.1) }.joined(separator: " "), "",
                    line.replacingOccurrences(of: " name=timed", with: ""))
            }
        }
    }

    private struct Counts {
        /// Frames that were analysed and shown.
        let analysed, shown: Int
        /// Frames whose mask has moved along from an earlier one.
        let moved: Int
        /// The mean time since the frames from which masks have moved along, in milliseconds.
        let age: Int
        /// The pipeline's, in milliseconds.
        let latency: Int
    }

    private func play(_ line: String) throws -> Counts {
        // Like a camera's driver, the source keeps few frames, says so, and drops what nobody fetches.
        let frame = 1_000_000_000 / Self.frameRate
        let description =
            "appsrc name=source is-live=true format=time do-timestamp=true max-buffers=4 leaky-type=downstream "
            + "min-latency=\(frame) max-latency=\(4 * frame) "
            + "caps=\"\(caps),framerate=\(Self.frameRate)/1\" ! \(line) ! queue ! "
            + "fakesink name=sink sync=true qos=true max-lateness=20000000"
        return try Stopwatch.watch(description, of: ["timed"]) { pipeline, stopwatches in
            let sink = try Stopwatch.element("sink", in: pipeline)
            guard let source = GStreamer.AppSource(try Stopwatch.element("source", in: pipeline)) else {
                throw BenchError("no appsrc")
            }
            let masks = MovedMasks(try Stopwatch.element("timed", in: pipeline))
            pipeline.element.setState(.playing)
            // What loading and the first frames take is not what is counted here.
            try push(Self.warmUp, to: source, pipeline)
            let (analysed, shown, earlier) = (stopwatches[0].seen, sink.renderedCount, masks.reading)
            try push(options.frames, to: source, pipeline)
            let moved = masks.reading.count - earlier.count
            let age = Int(clamping: masks.reading.age - earlier.age) / max(1, moved)
            return Counts(
                analysed: stopwatches[0].seen - analysed, shown: sink.renderedCount - shown, moved: moved,
                age: age / 1_000_000, latency: Int(clamping: pipeline.element.latency / 1_000_000))
        }
    }

    /// Pushes frames at their times, as a camera does, and has latency distributed again when an element asks for it.
    private func push(
        _ count: Int, to source: GStreamer.AppSource, _ pipeline: GStreamer.Pipeline
    ) throws {
        let start = ContinuousClock.now
        for index in 0..<count {
            let wait = start + .seconds(index) / Self.frameRate - .now
            if wait > .zero { usleep(useconds_t(wait / .microseconds(1))) }
            if let frame = frames[index % frames.count].view.deepCopy {
                // The source notes when a frame without a time arrives.
                frame.writableView.setPresentationTime(nil)
                frame.writableView.setDecodingTime(nil)
                source.push(frame)
            }
            try answerMessages(of: pipeline)
        }
        // The last frames are on their way.
        usleep(500_000)
    }

    private func answerMessages(of pipeline: GStreamer.Pipeline) throws {
        while let message = pipeline.bus.pop([.latency, .error]) {
            if message.kind == .error { throw BenchError(message.failure.text) }
            pipeline.element.recalculateLatency()
        }
    }
}

/// Counts the masks at an element's source pad that have moved along from an earlier frame.
private final class MovedMasks: Sendable {
    private let state = Mutex((count: 0, age: UInt64(0)))

    /// How many there were, and the sum of their ages in nanoseconds.
    var reading: (count: Int, age: UInt64) { state.withLock { $0 } }

    init(_ element: GStreamer.Element) {
        element.pad("src")?.onBuffer { [self] info in
            let age = info.buffer?.fields(ofMeta: "GstPeopleMask")?.nanoseconds("motion-age") ?? 0
            guard age > 0 else { return }
            state.withLock { $0 = ($0.count + 1, $0.age &+ age) }
        }
    }
}

/// Threads that do nothing but keep cores busy.
private final class BusyThreads: Sendable {
    private let isStopped = Atomic(false)

    init(count: Int) {
        for _ in 0..<count {
            Thread { [self] in while !isStopped.load(ordering: .relaxed) {} }.start()
        }
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }
}
