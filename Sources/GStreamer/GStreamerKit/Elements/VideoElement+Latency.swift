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
