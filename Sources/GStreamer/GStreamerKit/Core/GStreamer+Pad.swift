package import CGStreamer

extension GStreamer {
    /// A pad: the point where data enter or leave an element.
    package struct Pad: ObjectHandle {
        package let reference: ObjectReference

        package init(_ reference: ObjectReference) { self.reference = reference }
    }
}

extension GStreamer.Pad {
    /// The negotiated caps.
    package var currentCaps: GStreamer.Caps? {
        gst_pad_get_current_caps(pointer()).map { GStreamer.Caps(taking: $0) }
    }

    /// All caps that the pad could have.
    package var possibleCaps: GStreamer.Caps? {
        gst_pad_query_caps(pointer(), nil).map { GStreamer.Caps(taking: $0) }
    }

    /// The segment that the times of the stream's buffers belong to; nil before it is known, and for streams
    /// without times.
    package var segment: GStreamer.Segment? {
        gst_pad_get_sticky_event(pointer(), GST_EVENT_SEGMENT, 0)
            .map { GStreamer.Event(taking: $0) }?.segment
    }

    /// Length of the stream in nanoseconds; nil when unknown.
    package var streamDuration: UInt64? {
        var length: gint64 = 0
        let isKnown = gst_pad_query_duration(pointer(), GST_FORMAT_TIME, &length) != 0
        return isKnown && length > 0 ? UInt64(length) : nil
    }

    /// The pad that this pad is linked to.
    package var peer: GStreamer.Pad? { gst_pad_get_peer(pointer()).map { GStreamer.Pad(taking: $0) } }

    /// The element that the pad belongs to.
    package var element: GStreamer.Element? {
        gst_pad_get_parent_element(pointer()).map { GStreamer.Element(taking: $0) }
    }

    package var isLinked: Bool { gst_pad_is_linked(pointer()) != 0 }

    /// Links this source pad to a sink pad.
    @discardableResult
    package func link(to sink: GStreamer.Pad) -> Bool {
        gst_pad_link(pointer(), sink.pointer()) == GST_PAD_LINK_OK
    }

    /// Unlinks this source pad from a sink pad.
    package func unlink(from sink: GStreamer.Pad) { gst_pad_unlink(pointer(), sink.pointer()) }

    /// Sends an event to the pad's element.
    @discardableResult
    package func send(_ event: GStreamer.Event) -> Bool {
        gst_pad_send_event(pointer(), event.retained()) != 0
    }

    /// Shifts the running time of the pad's data by so many nanoseconds.
    package func setOffset(_ nanoseconds: Int64) { gst_pad_set_offset(pointer(), gint64(nanoseconds)) }

    /// Whether the data come from a live source: at the pace of a clock, as a camera's frames do.
    package var hasLiveSource: Bool {
        guard let query = GStreamer.Query(gst_query_new_latency()),
            gst_pad_peer_query(pointer(), query.pointer()) != 0
        else { return false }
        return query.latency.isLive
    }
}

// MARK: - Queries

extension GStreamer {
    /// A question of an element to others.
    package struct Query: MiniObjectHandle {
        package let reference: MiniObjectReference

        package init(_ reference: MiniObjectReference) { self.reference = reference }

        /// Takes over a new query.
        package init?(_ query: UnsafeMutablePointer<GstQuery>?) {
            guard let query else { return nil }
            self.init(taking: query)
        }

        /// The answer of a latency query, in nanoseconds.
        var latency: (isLive: Bool, minimum: UInt64, maximum: UInt64) {
            var (isLive, minimum, maximum): (gboolean, GstClockTime, GstClockTime) = (0, 0, 0)
            gst_query_parse_latency(pointer(), &isLive, &minimum, &maximum)
            return (isLive != 0, UInt64(minimum), UInt64(maximum))
        }
    }
}
