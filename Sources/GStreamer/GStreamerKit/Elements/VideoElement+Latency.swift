import CGStreamer

/// The measurements from which an element computes latency and lateness.
///
/// Guarded, because events and queries come on other threads than frames.
struct FrameTiming: Sendable {
    var processing = ProcessingTime()
    var quality = QualityOfService()
    /// Duration of the frames that the element holds back for lookahead, in nanoseconds.
    var lookahead: UInt64 = 0
    /// Latency of a live source, in nanoseconds; nil when the source is not live.
    var upstream: Int64?
}

// MARK: - Latency

extension VideoElement {
    /// Processes a frame, and reports a new latency if the processing takes much longer or shorter than
    /// before.
    func measuring(_ work: () -> GstFlowReturn) -> GstFlowReturn {
        let start = gst_util_get_timestamp()
        let flow = work()
        let time = gst_util_get_timestamp() &- start
        guard flow == GST_FLOW_OK else { return flow }
        let latency = timing.update { timing in
            timing.processing.add(UInt64(time)) ? timing.processing.latency : nil
        }
        guard let latency else { return flow }
        log.info("works \(latency) ns on a frame", of: self)
        gst_element_post_message(gstElement, gst_message_new_latency(gstObject))
        return flow
    }

    /// Adds the element's own latency to the answer from upstream.
    func addLatency(to query: UnsafeMutablePointer<GstQuery>) {
        var (isLive, minimum, maximum): (gboolean, GstClockTime, GstClockTime) = (0, 0, 0)
        gst_query_parse_latency(query, &isLive, &minimum, &maximum)
        let upstream = isLive != 0 ? Int64(clamping: minimum) : nil
        let own = timing.update { timing in
            timing.upstream = upstream
            return timing.processing.latency &+ timing.lookahead
        }
        // GST_CLOCK_TIME_NONE means no limit. Upstream need not keep a frame that is being processed here.
        gst_query_set_latency(
            query, isLive, minimum &+ GstClockTime(own),
            maximum == .max ? maximum : maximum &+ GstClockTime(own))
    }
}

// MARK: - Quality of service

extension VideoElement {
    /// Records events from downstream: reports about frames, or a new latency.
    func noteTiming(_ event: UnsafeMutablePointer<GstEvent>) {
        switch people_event_type(event) {
        case GST_EVENT_QOS:
            var type = GST_QOS_TYPE_OVERFLOW
            var (proportion, jitter, time) = (1.0, GstClockTimeDiff(0), GstClockTime(0))
            gst_event_parse_qos(event, &type, &proportion, &jitter, &time)
            guard type != GST_QOS_TYPE_THROTTLE, let now = runningTime, let time = Int64(exactly: time)
            else { return }
            timing.update {
                $0.quality.report(time, jitter: Int64(jitter), proportion: proportion, now: now)
            }
        case GST_EVENT_LATENCY: timing.update { $0.quality.reset() }
        default: break
        }
    }

    /// Whether the frame would be shown too late, so that its processing would be in vain; posts a QoS
    /// message if so.
    func isLate(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        guard gst_base_transform_is_qos_enabled(gstTransform) != 0,
            gstElement.pointee.current_state == GST_STATE_PLAYING, let now = runningTime,
            let time = runningTime(of: buffer.pointee.pts), let shown = Int64(exactly: time)
        else { return false }
        let (lateness, quality) = timing.update { timing in
            let work = Int64(clamping: timing.processing.usual)
            let late = timing.quality.lateness(of: shown, now: now, work: work, upstream: timing.upstream)
            return (late, timing.quality)
        }
        guard let lateness else { return false }
        log.debug("drops a frame that would be \(lateness) ns late", of: self)
        post(quality, lateness, of: buffer, at: time)
        return true
    }

    private func post(
        _ quality: QualityOfService, _ lateness: Int64, of buffer: UnsafeMutablePointer<GstBuffer>,
        at time: UInt64
    ) {
        let streamTime = streamTime(of: buffer.pointee.pts).map { guint64($0) } ?? .max
        let isLive: gboolean = timing.snapshot().upstream == nil ? 0 : 1
        let message = gst_message_new_qos(
            gstObject, isLive, guint64(time), streamTime, buffer.pointee.pts, buffer.pointee.duration)
        // GStreamer's number for undiminished quality is 1000000.
        gst_message_set_qos_values(message, gint64(lateness), quality.proportion, 1_000_000)
        gst_message_set_qos_stats(
            message, GST_FORMAT_BUFFERS, guint64(quality.processed), guint64(quality.dropped))
        gst_element_post_message(gstElement, message)
    }

    /// The running time of the clock; nil while there is none.
    private var runningTime: Int64? {
        let time = gst_element_get_current_running_time(gstElement)
        return time == .max ? nil : Int64(exactly: time)
    }
}

/// The time that an element works on a frame, and the latency that it reports because of it.
///
/// Times are in nanoseconds.
package struct ProcessingTime: Sendable {
    /// Number of frames whose times are kept.
    ///
    /// The number is large enough to contain two slow frames if every eighth is slow. It is small because a
    /// sink that waits too long delays every frame until the long times are over. Up to 63 times are sorted
    /// without memory of their own.
    private static let window = 16
    /// Smallest change that is reported, since every sink of a pipeline waits again after the message: the
    /// lateness that GStreamer's video sinks accept.
    private static let minimumChange: UInt64 = 5_000_000
    /// Longest time that is not reported: GStreamer's video sinks allow as much for processing
    /// (`processing-deadline`).
    private static let allowed: UInt64 = 15_000_000

    /// The latency that the element reports.
    package private(set) var latency: UInt64 = 0
    /// Median time of a frame.
    package private(set) var usual: UInt64 = 0
    private var times: [UInt64] = []
    private var next = 0
    private var isFirst = true

    package init() { times.reserveCapacity(Self.window) }

    /// Adds the time of a frame; returns whether `latency` has changed.
    package mutating func add(_ time: UInt64) -> Bool {
        // The first frame is slower: memory and caches are cold.
        guard !isFirst else {
            isFirst = false
            return false
        }
        if times.count < Self.window { times.append(time) } else { times[next] = time }
        next = (next + 1) % Self.window
        guard times.count > 1 else { return false }
        let longest = summarize()
        return follow(longest + longest / 4)
    }

    /// Sets `usual`, and returns the second longest time: one frame may be late because of other work of the
    /// machine.
    private mutating func summarize() -> UInt64 {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: times.count) { memory in
            var sorted = memory
            _ = sorted.initialize(from: times)
            sorted.sort()
            usual = sorted[sorted.count / 2]
            return sorted[sorted.count - 2]
        }
    }

    /// Raises the latency at once, and lowers it only if half has been enough for the whole window.
    private mutating func follow(_ needed: UInt64) -> Bool {
        let rises = needed > latency + max(Self.minimumChange, latency / 4)
        let falls = times.count == Self.window && needed < latency / 2
        guard falls || rises && needed > Self.allowed else { return false }
        latency = needed > Self.allowed ? needed : 0
        return true
    }
}

/// The decision which frames are too late to be shown, by the sink's reports (GStreamer's QOS events).
///
/// Times are in nanoseconds of running time.
package struct QualityOfService: Sendable {
    /// Lateness that GStreamer's video sinks accept.
    private static let tolerance: Int64 = 5_000_000
    /// Longest gap between frames that are let through: a sink shows one frame a second, however late it is,
    /// and reports again.
    private static let longestGap: Int64 = 1_000_000_000

    /// Running time of the frame that the sink shows, minus the clock's running time: the negative latency.
    private var offset: Int64?
    private var lastPassed: Int64?
    /// Frames that were let through since the stream started.
    package private(set) var processed: UInt64 = 0
    /// Frames that were left out since the stream started.
    package private(set) var dropped: UInt64 = 0
    /// The sink's estimate of the factor by which frames must come faster; less than 1 when the sink waits.
    package private(set) var proportion = 1.0

    package init() {}

    /// Records a report of the sink.
    ///
    /// - Parameters:
    ///   - time: running time of a frame.
    ///   - jitter: lateness of the frame, negative when it was early.
    ///   - now: running time of the clock.
    package mutating func report(_ time: Int64, jitter: Int64, proportion: Double, now: Int64) {
        // A sink without synchronization shows frames as they come, and reports 0 for each.
        offset = jitter == 0 ? nil : time &+ jitter &- now
        self.proportion = proportion
    }

    /// Discards the reports, after a jump in time or a new latency.
    package mutating func reset() { (offset, lastPassed) = (nil, nil) }

    /// Lateness of the frame of `time` if it is processed; nil when the frame is in time or nothing is known.
    ///
    /// - Parameters:
    ///   - now: running time of the clock.
    ///   - work: processing time of the frame.
    ///   - upstream: the latency of a live source; nil when frames may come ahead of their time.
    package mutating func lateness(of time: Int64, now: Int64, work: Int64, upstream: Int64?) -> Int64? {
        let late = offset.map { offset in
            // A pipeline that allows a live source's frames less time than their processing takes shows all
            // of them late. In that case only frames count that are late already.
            let granted = upstream.map { max(0, 0 &- offset &- $0) } ?? work
            return now &+ offset &+ min(work, granted) &- time
        }
        // When time has jumped back, a second after the last frame may be far off.
        let isOverdue = lastPassed.map { time < $0 || time &- $0 >= Self.longestGap } ?? true
        guard let late, late > Self.tolerance, !isOverdue else {
            lastPassed = time
            processed += 1
            return nil
        }
        dropped += 1
        return late
    }
}

extension VideoElement {
    /// Returns the frame's presentation time in milliseconds, for the log.
    public func time(of frame: borrowing VideoFrame) -> String {
        frame.presentationTime.map { "\($0 / 1_000_000) ms" } ?? "without a time"
    }

    /// Returns the running time at which the frame is shown, in nanoseconds; nil when unknown.
    public func runningTime(of frame: borrowing VideoFrame) -> UInt64? {
        frame.presentationTime.flatMap { runningTime(of: GstClockTime($0)) }
    }

    func runningTime(of time: GstClockTime) -> UInt64? {
        guard hasTimes else { return nil }
        let running = gst_segment_to_running_time(&gstTransform.pointee.segment, GST_FORMAT_TIME, time)
        return running == .max ? nil : UInt64(running)
    }

    /// Returns the stream time of a presentation time; nil when unknown.
    func streamTime(of time: GstClockTime) -> UInt64? {
        guard hasTimes else { return nil }
        let stream = gst_segment_to_stream_time(&gstTransform.pointee.segment, GST_FORMAT_TIME, time)
        return stream == .max ? nil : UInt64(stream)
    }

    /// Whether the segment is in time format; some sources count bytes, and their frames have no times.
    private var hasTimes: Bool { gstTransform.pointee.segment.format == GST_FORMAT_TIME }

    /// Whether frames come at the pace of a clock, as a camera's do, and not as fast as they are taken.
    public var isLive: Bool {
        gstTransform.pointee.sinkpad.map { GStreamer.Pad(retaining: $0).hasLiveSource } ?? false
    }
}

extension VideoElement {
    /// Posts an element message about `frame` on the bus, for applications that do not look at buffers.
    ///
    /// Besides the fields of `fill`, the message has the times at which the frame is shown: `timestamp`,
    /// `stream-time` and `running-time`, in nanoseconds; unknown ones are left out.
    public func post(
        message name: String, at frame: borrowing VideoFrame, _ fill: (StructureWriter) -> Void
    ) {
        guard let structure = gst_structure_new_empty(name) else { return }
        let fields = StructureWriter(structure: structure)
        if let time = frame.presentationTime { writeTimes(time, to: fields) }
        fill(fields)
        gst_element_post_message(gstElement, gst_message_new_element(gstObject, structure))
    }

    private func writeTimes(_ time: UInt64, to fields: StructureWriter) {
        fields.set("timestamp", nanoseconds: time)
        let position = GstClockTime(time)
        if let time = streamTime(of: position) { fields.set("stream-time", nanoseconds: time) }
        if let time = runningTime(of: position) { fields.set("running-time", nanoseconds: time) }
    }
}
