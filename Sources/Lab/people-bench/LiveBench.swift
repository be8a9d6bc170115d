import Foundation
import GStreamerKit
import Synchronization

/// Plays elements behind a live source of 30 frames a second, into a sink that drops late frames as windows
/// do, and counts.
///
/// Runs on the idle machine, and then beside one and three threads of other work for each core.
struct LiveBench {
    private static let lines = [
        "personsegment quality=fast name=timed ! blendmask background-color=0xff00b140",
        "personsegment quality=balanced name=timed ! blendmask background-color=0xff00b140",
        "personsegment quality=balanced lookahead=4 name=timed ! blendmask background-color=0xff00b140",
        "facepose name=timed",
    ]
    /// Number of frames of the clip that are stored and played in a loop: three seconds of 1280x720 are 120
    /// MB.
    private static let keptFrames = 90

    /// Number of frames before the count begins: ten seconds.
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
        print("\nlive: \(size) I420, \(options.frameRate) frames/s")
        print("others  frames in  analysed  shown  own masks  moved masks  age ms  latency ms  element")
        let cores = ProcessInfo.processInfo.activeProcessorCount
        for busy in [0, cores, 3 * cores] {
            let work = BusyThreads(count: busy)
            defer { work.stop() }
            for line in Self.lines {
                let counts = try play(line)
                let columns = [
                    (busy, 6), (options.frames, 10), (counts.analysed, 9), (counts.shown, 6),
                    (counts.own, 10), (counts.moved, 12), (counts.age, 7), (counts.latency, 11),
                ]
                print(
                    columns.map { Report.right($0.0, $0.1) }.joined(separator: " "), "",
                    line.replacingOccurrences(of: " name=timed", with: ""))
            }
        }
    }

    private struct Counts {
        /// Numbers of frames that were analysed, and shown.
        let analysed, shown: Int
        /// Numbers of frames with a mask of their own at the wanted level, and of frames with a propagated
        /// mask; the others have masks of `fast`.
        let own, moved: Int
        /// Mean time since the frames from which masks were propagated, in milliseconds.
        let age: Int
        /// Latency of the pipeline, in milliseconds.
        let latency: Int
    }

    private func play(_ line: String) throws -> Counts {
        // Like a camera's driver, the source keeps and announces few frames, and drops frames that are not
        // fetched.
        let frame = 1_000_000_000 / options.frameRate
        let description =
            "appsrc name=source is-live=true format=time do-timestamp=true max-buffers=4 leaky-type=downstream "
            + "min-latency=\(frame) max-latency=\(4 * frame) "
            + "caps=\"\(caps),framerate=\(options.frameRate)/1\" ! \(line) ! queue ! "
            + "fakesink name=sink sync=true qos=true max-lateness=20000000"
        return try Stopwatch.watch(description, of: ["timed"]) { pipeline, stopwatches in
            let sink = try Stopwatch.element("sink", in: pipeline)
            guard let source = GStreamer.AppSource(try Stopwatch.element("source", in: pipeline)) else {
                throw BenchError("no appsrc")
            }
            let masks = MaskCounter(try Stopwatch.element("timed", in: pipeline))
            pipeline.element.setState(.playing)
            // Loading and the first frames do not count.
            try push(Self.warmUp, to: source, pipeline)
            let (analysed, shown, earlier) = (stopwatches[0].seen, sink.renderedCount, masks.reading)
            try push(options.frames, to: source, pipeline)
            let reading = masks.reading
            let moved = reading.moved - earlier.moved
            let age = Int(clamping: reading.age - earlier.age) / max(1, moved)
            return Counts(
                analysed: stopwatches[0].seen - analysed, shown: sink.renderedCount - shown,
                own: reading.own - earlier.own, moved: moved, age: age / 1_000_000,
                latency: Int(clamping: pipeline.element.latency / 1_000_000))
        }
    }

    /// Pushes frames at their times, as a camera does, and recalculates the latency when an element asks for
    /// it.
    private func push(
        _ count: Int, to source: GStreamer.AppSource, _ pipeline: GStreamer.Pipeline
    ) throws {
        let start = ContinuousClock.now
        for index in 0..<count {
            let wait = start + .seconds(index) / options.frameRate - .now
            if wait > .zero { usleep(useconds_t(wait / .microseconds(1))) }
            if let frame = frames[index % frames.count].view.deepCopy {
                // The source sets the arrival time of frames without a time.
                frame.writableView.setPresentationTime(nil)
                frame.writableView.setDecodingTime(nil)
                source.push(frame)
            }
            try answerMessages(of: pipeline)
        }
        // Waits for the last frames.
        usleep(500_000)
    }

    private func answerMessages(of pipeline: GStreamer.Pipeline) throws {
        while let message = pipeline.bus.pop([.latency, .error]) {
            if message.kind == .error { throw BenchError(message.failure.text) }
            pipeline.element.recalculateLatency()
        }
    }
}

/// Counts the masks at an element's source pad.
private final class MaskCounter: Sendable {
    struct Reading {
        /// Number of masks of the frame itself at the element's level.
        var own = 0
        /// Number of masks propagated from an earlier frame.
        var moved = 0
        /// Sum of the ages of propagated masks, in nanoseconds.
        var age: UInt64 = 0
    }

    private let state = Mutex(Reading())

    var reading: Reading { state.withLock { $0 } }

    init(_ element: GStreamer.Element) {
        element.pad("src")?.onBuffer { [self] info in
            guard let fields = info.buffer?.fields(ofMeta: "GstPeopleMask") else { return }
            let level = element.word(of: "quality")
            let age = fields.nanoseconds("motion-age") ?? 0
            state.withLock { state in
                if age > 0 { (state.moved, state.age) = (state.moved + 1, state.age &+ age) }
                if age == 0, fields.string("quality") == level { state.own += 1 }
            }
        }
    }
}

/// Threads that only keep cores busy.
private final class BusyThreads: Sendable {
    private let isStopped = Atomic(false)

    init(count: Int) {
        for _ in 0..<count {
            Thread { [self] in while !isStopped.load(ordering: .relaxed) {} }.start()
        }
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }
}
