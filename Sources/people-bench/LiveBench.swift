import CGStreamer
import Foundation

/// Plays elements behind a live source of 30 frames a second into a sink that drops late frames as windows do, and counts.
///
/// Once as the machine is, and once with all its cores busy with other work.
struct LiveBench {
    private static let lines = [
        "personsegment quality=fast name=timed ! blendmask background-color=0xff00b140",
        "personsegment quality=balanced name=timed ! blendmask background-color=0xff00b140",
        "facepose name=timed",
    ]
    private static let frameRate = 30
    private static let caps = "video/x-raw,format=I420,width=1280,height=720"
    /// Frames of the clip that are kept ready, in a loop: three seconds are 120 MB.
    private static let keptFrames = 90

    /// Frames before the count begins: ten seconds.
    private static let warmUp = 300

    private let options: Options
    private let frames: [UnsafeMutablePointer<GstBuffer>]

    init(_ options: Options) throws {
        self.options = options
        gst_init(nil, nil)
        frames = try Self.decode()
    }

    func run() throws {
        print(
            "\nlive: 1280x720 I420, \(Self.frameRate) frames/s, \(options.frames) frames of the packaged clip"
        )
        print("cores  frames in  analysed  shown  latency ms  element")
        for busy in [0, ProcessInfo.processInfo.activeProcessorCount] {
            let work = BusyThreads(count: busy)
            defer { work.stop() }
            for line in Self.lines {
                let counts = try play(line)
                print(
                    busy > 0 ? " busy" : " idle", Report.right(options.frames, 10),
                    Report.right(counts.analysed, 9),
                    Report.right(counts.shown, 6), Report.right(counts.latency, 11),
                    "", line.replacingOccurrences(of: " name=timed", with: ""))
            }
        }
    }

    private struct Counts {
        let analysed, shown, latency: Int
    }

    private func play(_ line: String) throws -> Counts {
        // Like a camera's driver, the source keeps few frames, says so, and drops what nobody fetches.
        let frame = 1_000_000_000 / Self.frameRate
        let launch =
            "appsrc name=source is-live=true format=time do-timestamp=true max-buffers=4 leaky-type=downstream "
            + "min-latency=\(frame) max-latency=\(4 * frame) "
            + "caps=\"\(Self.caps),framerate=\(Self.frameRate)/1\" ! \(line) ! queue ! "
            + "fakesink name=sink sync=true qos=true max-lateness=20000000"
        return try Stopwatch.watch(launch, of: ["timed"]) { pipeline, stopwatches in
            let (source, sink) = (
                try Stopwatch.element("source", in: pipeline), try Stopwatch.element("sink", in: pipeline)
            )
            defer {
                gst_object_unref(source)
                gst_object_unref(sink)
            }
            gst_element_set_state(pipeline, GST_STATE_PLAYING)
            // What loading and the first frames take is not what is counted here.
            try push(Self.warmUp, to: source, pipeline)
            let (analysed, shown) = (stopwatches[0].seen, Self.rendered(by: sink))
            try push(options.frames, to: source, pipeline)
            return Counts(
                analysed: stopwatches[0].seen - analysed, shown: Self.rendered(by: sink) - shown,
                latency: Self.latency(of: pipeline))
        }
    }

    /// Pushes frames at their times, as a camera does, and has latency distributed again when an element asks for it.
    private func push(
        _ count: Int, to source: UnsafeMutablePointer<GstElement>,
        _ pipeline: UnsafeMutablePointer<GstElement>
    ) throws {
        let appsrc = UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstAppSrc.self)
        let start = ContinuousClock.now
        for index in 0..<count {
            let wait = start + .seconds(index) / Self.frameRate - .now
            if wait > .zero { usleep(useconds_t(wait / .microseconds(1))) }
            if let frame = gst_buffer_copy_deep(frames[index % frames.count]) {
                // The source notes when a frame without a time arrives.
                (frame.pointee.pts, frame.pointee.dts) = (.max, .max)
                gst_app_src_push_buffer(appsrc, frame)
            }
            try answerMessages(of: pipeline)
        }
        // The last frames are on their way.
        usleep(500_000)
    }

    private func answerMessages(of pipeline: UnsafeMutablePointer<GstElement>) throws {
        let bus = gst_element_get_bus(pipeline)
        defer { gst_object_unref(bus) }
        let types = GstMessageType(rawValue: GST_MESSAGE_LATENCY.rawValue | GST_MESSAGE_ERROR.rawValue)
        while let message = gst_bus_pop_filtered(bus, types) {
            defer { gst_message_unref(message) }
            if let error = Stopwatch.error(in: message) { throw error }
            let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
            gst_bin_recalculate_latency(bin)
        }
    }

    /// What the pipeline adds to a frame's time, in milliseconds.
    private static func latency(of pipeline: UnsafeMutablePointer<GstElement>) -> Int {
        let query = gst_query_new_latency()
        defer { gst_query_unref(query) }
        var (isLive, least, most): (gboolean, GstClockTime, GstClockTime) = (0, 0, 0)
        if gst_element_query(pipeline, query) != 0 { gst_query_parse_latency(query, &isLive, &least, &most) }
        return Int(clamping: least / 1_000_000)
    }

    private static func rendered(by sink: UnsafeMutablePointer<GstElement>) -> Int {
        let base = UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstBaseSink.self)
        guard let statistics = gst_base_sink_get_stats(base) else { return 0 }
        defer { gst_structure_free(statistics) }
        var rendered: guint64 = 0
        gst_structure_get_uint64(statistics, "rendered", &rendered)
        return Int(clamping: rendered)
    }

    private static func decode() throws -> [UnsafeMutablePointer<GstBuffer>] {
        let line =
            "filesrc location=\(ElementBench.clip) ! decodebin ! videoconvert ! videoscale ! \(caps) ! "
            + "identity eos-after=\(keptFrames + 1) ! appsink name=frames sync=false"
        var frames: [UnsafeMutablePointer<GstBuffer>] = []
        try Stopwatch.watch(line, of: []) { pipeline, _ in
            let element = try Stopwatch.element("frames", in: pipeline)
            defer { gst_object_unref(element) }
            gst_element_set_state(pipeline, GST_STATE_PLAYING)
            let sink = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstAppSink.self)
            while let sample = gst_app_sink_pull_sample(sink) {
                if let buffer = gst_sample_get_buffer(sample) { frames.append(gst_buffer_ref(buffer)) }
                gst_sample_unref(sample)
            }
        }
        guard !frames.isEmpty else {
            throw BenchError("\(ElementBench.clip) cannot be decoded; run pipelines/setup")
        }
        return frames
    }
}

/// Threads that do nothing but keep cores busy.
private final class BusyThreads: @unchecked Sendable {
    private let lock = NSLock()
    private var isStopped = false

    init(count: Int) {
        for _ in 0..<count {
            Thread { [self] in while !stopped {} }.start()
        }
    }

    private var stopped: Bool { lock.withLock { isStopped } }

    func stop() { lock.withLock { isStopped = true } }
}
