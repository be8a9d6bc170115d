import CGStreamer

/// Notes when buffers pass an element's two pads; both probes run on the one streaming thread.
final class Stopwatch {
    static let warmUp = 5

    private(set) var times: [Duration] = []
    /// When the last frame of the warm-up left, and when the last one of all did.
    private(set) var firstEnd, lastEnd: ContinuousClock.Instant?
    private var arrival: ContinuousClock.Instant?
    /// Frames that have left.
    private(set) var seen = 0

    /// Plays the launch line to its end and times its element `name`.
    static func run(_ launchLine: String, of name: String) throws -> Stopwatch {
        guard let stopwatch = try run(launchLine, of: [name]).first else {
            throw BenchError("no element \(name)")
        }
        return stopwatch
    }

    /// Plays the launch line to its end and times its elements `names`, each by a stopwatch of its own.
    static func run(_ launchLine: String, of names: [String]) throws -> [Stopwatch] {
        try watch(launchLine, of: names) { pipeline, stopwatches in
            try play(pipeline)
            return stopwatches
        }
    }

    /// Makes a pipeline with stopwatches at its elements `names`, which `body` may play; stops it at the end.
    static func watch<Result>(
        _ launchLine: String, of names: [String],
        _ body: (UnsafeMutablePointer<GstElement>, [Stopwatch]) throws -> Result
    ) throws -> Result {
        var failure: UnsafeMutablePointer<GError>?
        guard let pipeline = gst_parse_launch(launchLine, &failure) else {
            defer { g_clear_error(&failure) }
            throw BenchError(failure.map { String(cString: $0.pointee.message) } ?? launchLine)
        }
        defer { gst_object_unref(pipeline) }
        let stopwatches = try names.map { name in
            let element = try element(name, in: pipeline)
            defer { gst_object_unref(element) }
            let stopwatch = Stopwatch()
            stopwatch.watch(element, "sink") { $0.arrival = .now }
            stopwatch.watch(element, "src") { $0.note() }
            return stopwatch
        }
        defer { gst_element_set_state(pipeline, GST_STATE_NULL) }
        return try body(pipeline, stopwatches)
    }

    /// The element `name` of a pipeline, with a reference that the caller gives back.
    static func element(
        _ name: String, in pipeline: UnsafeMutablePointer<GstElement>
    ) throws -> UnsafeMutablePointer<GstElement> {
        let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
        guard let element = gst_bin_get_by_name(bin, name) else { throw BenchError("no element \(name)") }
        return element
    }

    private func note() {
        seen += 1
        let now = ContinuousClock.now
        if seen == Self.warmUp { firstEnd = now }
        guard let arrival, seen > Self.warmUp else { return }
        times.append(now - arrival)
        lastEnd = now
    }

    private func watch(
        _ element: UnsafeMutablePointer<GstElement>, _ pad: String, _ action: @escaping (Stopwatch) -> Void
    ) {
        let box = Unmanaged.passRetained(Watch(stopwatch: self, action: action)).toOpaque()
        let pad = gst_element_get_static_pad(element, pad)
        gst_pad_add_probe(
            pad, GST_PAD_PROBE_TYPE_BUFFER,
            { _, _, data in
                guard let data else { return GST_PAD_PROBE_OK }
                let watch = Unmanaged<Watch>.fromOpaque(data).takeUnretainedValue()
                watch.action(watch.stopwatch)
                return GST_PAD_PROBE_OK
            }, box, { data in data.map { Unmanaged<Watch>.fromOpaque($0).release() } })
        gst_object_unref(pad)
    }
}

extension ContinuousClock.Instant {
    fileprivate static func - (late: Self, early: Self) -> Duration { early.duration(to: late) }
}

private final class Watch {
    let stopwatch: Stopwatch
    let action: (Stopwatch) -> Void

    init(stopwatch: Stopwatch, action: @escaping (Stopwatch) -> Void) {
        self.stopwatch = stopwatch
        self.action = action
    }
}

/// Plays `pipeline` until its end or an error.
private func play(_ pipeline: UnsafeMutablePointer<GstElement>) throws {
    gst_element_set_state(pipeline, GST_STATE_PLAYING)
    guard let bus = gst_element_get_bus(pipeline) else { throw BenchError("the pipeline has no bus") }
    defer { gst_object_unref(bus) }
    let types = GstMessageType(rawValue: GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
    guard let message = gst_bus_timed_pop_filtered(bus, .max, types) else { return }
    defer { gst_message_unref(message) }
    if let error = Stopwatch.error(in: message) { throw error }
}

extension Stopwatch {
    /// What an error message says; nil for a message of another type.
    static func error(in message: UnsafeMutablePointer<GstMessage>) -> BenchError? {
        guard people_message_type(message) == GST_MESSAGE_ERROR else { return nil }
        var error: UnsafeMutablePointer<GError>?
        gst_message_parse_error(message, &error, nil)
        defer { g_clear_error(&error) }
        return BenchError(error.map { String(cString: $0.pointee.message) } ?? "unknown error")
    }
}
