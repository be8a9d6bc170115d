import CGStreamer

extension GStreamer {
    /// The relation of buffer times to stream time and running time; times are in nanoseconds.
    package struct Segment: Sendable {
        private var flags: GstSegmentFlags.RawValue
        private var (rate, appliedRate): (Double, Double)
        private var format: GstFormat.RawValue
        private var (offset, duration): (UInt64, UInt64)
        /// Running time of the segment's start.
        package var base: UInt64
        /// The first buffer time that is shown, and the first that is no longer shown.
        package var start, stop: UInt64
        /// Stream time of the segment's start; nil when unknown.
        package var time: UInt64?
        /// Current buffer time of the stream.
        package var position: UInt64

        init(_ raw: GstSegment) {
            (flags, format) = (raw.flags.rawValue, raw.format.rawValue)
            (rate, appliedRate) = (raw.rate, raw.applied_rate)
            (base, offset) = (UInt64(raw.base), UInt64(raw.offset))
            (start, stop) = (UInt64(raw.start), UInt64(raw.stop))
            time = raw.time == .max ? nil : UInt64(raw.time)
            (position, duration) = (UInt64(raw.position), UInt64(raw.duration))
        }

        /// Creates a segment whose buffer times, stream times and running times are the same.
        package init() {
            var raw = GstSegment()
            gst_segment_init(&raw, GST_FORMAT_TIME)
            self.init(raw)
        }

        var raw: GstSegment {
            var raw = GstSegment()
            gst_segment_init(&raw, GstFormat(rawValue: format))
            raw.flags = GstSegmentFlags(rawValue: flags)
            (raw.rate, raw.applied_rate) = (rate, appliedRate)
            (raw.base, raw.offset) = (guint64(base), guint64(offset))
            (raw.start, raw.stop) = (guint64(start), guint64(stop))
            raw.time = time.map { guint64($0) } ?? .max
            (raw.position, raw.duration) = (guint64(position), guint64(duration))
            return raw
        }

        /// Returns the stream time of a buffer time, as a player shows it; nil outside of the segment.
        package func streamTime(of time: UInt64) -> UInt64? {
            var raw = raw
            let converted = gst_segment_to_stream_time(&raw, GST_FORMAT_TIME, guint64(time))
            return converted == .max ? nil : UInt64(converted)
        }

        /// Returns the running time of a buffer time; nil outside of the segment.
        package func runningTime(of time: UInt64) -> UInt64? {
            var raw = raw
            let converted = gst_segment_to_running_time(&raw, GST_FORMAT_TIME, guint64(time))
            return converted == .max ? nil : UInt64(converted)
        }

        /// Returns the running time of a buffer time, negative before the output began.
        package func fullRunningTime(of time: UInt64) -> Int64? {
            var raw = raw
            var running: guint64 = 0
            let sign = gst_segment_to_running_time_full(&raw, GST_FORMAT_TIME, guint64(time), &running)
            guard sign != 0, let distance = Int64(exactly: running) else { return nil }
            return Int64(sign) * distance
        }
    }
}
