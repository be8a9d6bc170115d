import CGStreamer
import Imaging

extension GStreamer {
    /// An event, which elements send each other along the stream.
    package struct Event: MiniObjectHandle {
        package let reference: MiniObjectReference

        package init(_ reference: MiniObjectReference) { self.reference = reference }

        /// Kinds that callers distinguish.
        package enum Kind: Sendable {
            case streamStart, caps, segment, tag, tableOfContents, endOfStream, other
        }
    }
}

extension GStreamer.Event {
    package var kind: Kind {
        switch people_event_type(pointer()) {
        case GST_EVENT_STREAM_START: .streamStart
        case GST_EVENT_CAPS: .caps
        case GST_EVENT_SEGMENT: .segment
        case GST_EVENT_TAG: .tag
        case GST_EVENT_TOC: .tableOfContents
        case GST_EVENT_EOS: .endOfStream
        default: .other
        }
    }

    /// The caps of a caps event.
    package var caps: GStreamer.Caps? {
        guard kind == .caps else { return nil }
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_event_parse_caps(pointer(), &caps)
        return caps.map { GStreamer.Caps(retaining: $0) }
    }

    /// The segment of a segment event; nil for a segment that is not in time format.
    package var segment: GStreamer.Segment? {
        guard kind == .segment else { return nil }
        var segment: UnsafePointer<GstSegment>?
        gst_event_parse_segment(pointer(), &segment)
        guard let segment, segment.pointee.format == GST_FORMAT_TIME else { return nil }
        return GStreamer.Segment(segment.pointee)
    }

    /// The tags of a tag event.
    package var tags: GStreamer.TagList? {
        guard kind == .tag else { return nil }
        var list: UnsafeMutablePointer<GstTagList>?
        gst_event_parse_tag(pointer(), &list)
        return list.map { GStreamer.TagList(retaining: $0) }
    }

    // MARK: - New events

    private init?(_ event: UnsafeMutablePointer<GstEvent>?) {
        guard let event else { return nil }
        self.init(taking: event)
    }

    package init?(_ caps: GStreamer.Caps) { self.init(gst_event_new_caps(caps.pointer())) }

    package init?(_ segment: GStreamer.Segment) {
        var raw = segment.raw
        self.init(gst_event_new_segment(&raw))
    }

    package init?(_ tags: GStreamer.TagList) { self.init(gst_event_new_tag(tags.retained())) }

    package static var endOfStream: Self? { Self(gst_event_new_eos()) }

    package static var flushStart: Self? { Self(gst_event_new_flush_start()) }
    /// The end of a flush, after which running time goes on.
    package static var flushStop: Self? { Self(gst_event_new_flush_stop(0)) }

    /// Returns a flushing seek to a time, in nanoseconds; demuxers go to the exact frame.
    package static func seek(to time: UInt64) -> Self? {
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
        return Self(
            gst_event_new_seek(
                1, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, gint64(clamping: time), GST_SEEK_TYPE_NONE, -1))
    }

    /// Returns a report that the frame of running time `time` came late by `delay`, both in nanoseconds.
    package static func late(by delay: Int64, at time: UInt64) -> Self? {
        Self(gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 1, GstClockTimeDiff(delay), GstClockTime(time)))
    }
}

// MARK: - Tags

extension GStreamer {
    /// Tags of a stream or a file.
    package struct TagList: MiniObjectHandle {
        package let reference: MiniObjectReference

        package init(_ reference: MiniObjectReference) { self.reference = reference }

        /// The names of the tags that describe the work, not its encoding.
        package var metadataNames: [String] {
            (0..<max(0, gst_tag_list_n_tags(pointer()))).compactMap { index in
                guard let name = gst_tag_list_nth_tag_name(pointer(), guint(index)),
                    gst_tag_get_flag(name) == GST_TAG_FLAG_META
                else { return nil }
                return String(cString: name)
            }
        }

        /// Returns GStreamer's short name of a tag for users.
        package static func nickname(of tag: String) -> String? {
            gst_tag_get_nick(tag).map { String(cString: $0) }
        }

        /// Returns the value of a tag that is a text.
        package func string(_ tag: String) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard gst_tag_list_get_string(pointer(), tag, &text) != 0 else { return nil }
            return text.map(copyAndFree)
        }

        /// The date and time of recording, in seconds since 1970; nil where the time of day is unknown.
        package var recorded: Int64? {
            var date: OpaquePointer?
            guard gst_tag_list_get_date_time(pointer(), "datetime", &date) != 0, let date else { return nil }
            defer { gst_date_time_unref(date) }
            guard gst_date_time_has_time(date) != 0, let moment = gst_date_time_to_g_date_time(date) else {
                return nil
            }
            defer { g_date_time_unref(moment) }
            return Int64(g_date_time_to_unix(moment))
        }

        /// Returns a copy without a tag; nil if the list has no such tag.
        package func removing(_ tag: String) -> TagList? {
            guard gst_tag_list_get_tag_size(pointer(), tag) > 0, let rest = gst_tag_list_copy(pointer())
            else {
                return nil
            }
            gst_tag_list_remove_tag(rest, tag)
            return TagList(taking: rest)
        }
    }
}

extension GStreamer.TagList {
    /// The turn that makes the stream's frames upright, if the tags have one.
    var orientation: ImageOrientation? { string("image-orientation").flatMap { ImageOrientation(tag: $0) } }
}

extension ImageOrientation {
    /// Parses the value of GStreamer's `image-orientation` tag: the clockwise turn that makes the image
    /// upright; `flip-` stands for a mirror image before the turn.
    init?(tag: String) {
        switch tag {
        case "rotate-0": self = .up
        case "flip-rotate-0": self = .upMirrored
        case "rotate-180": self = .down
        case "flip-rotate-180": self = .downMirrored
        case "flip-rotate-270": self = .leftMirrored
        case "rotate-90": self = .right
        case "flip-rotate-90": self = .rightMirrored
        case "rotate-270": self = .left
        default: return nil
        }
    }
}

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
