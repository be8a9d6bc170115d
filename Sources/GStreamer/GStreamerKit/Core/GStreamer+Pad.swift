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

extension GStreamer {
    /// Kinds of data that a probe is called for.
    package struct ProbeKinds: OptionSet, Sendable {
        package let rawValue: GstPadProbeType.RawValue

        package init(rawValue: GstPadProbeType.RawValue) { self.rawValue = rawValue }
        private init(_ type: GstPadProbeType) { rawValue = type.rawValue }

        package static let buffer = ProbeKinds(GST_PAD_PROBE_TYPE_BUFFER)
        package static let events = ProbeKinds(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM)
        package static let flushes = ProbeKinds(GST_PAD_PROBE_TYPE_EVENT_FLUSH)
        package static let push = ProbeKinds(GST_PAD_PROBE_TYPE_PUSH)
        /// A probe before a read; a buffer probe is called after a successful read.
        package static let read = ProbeKinds(
            rawValue: GST_PAD_PROBE_TYPE_BLOCK.rawValue | GST_PAD_PROBE_TYPE_PULL.rawValue)
        /// Blocks the pad while the probe answers `.ok`.
        package static let block = ProbeKinds(GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM)
        /// A probe that is called while no data pass the pad.
        package static let idle = ProbeKinds(GST_PAD_PROBE_TYPE_IDLE)
    }

    /// The answer of a probe: what is done with the data.
    package enum ProbeAnswer: Sendable {
        case ok, drop, remove, pass
        /// The probe has taken the data.
        case handled

        fileprivate var raw: GstPadProbeReturn {
            switch self {
            case .ok: GST_PAD_PROBE_OK
            case .drop: GST_PAD_PROBE_DROP
            case .remove: GST_PAD_PROBE_REMOVE
            case .pass: GST_PAD_PROBE_PASS
            case .handled: GST_PAD_PROBE_HANDLED
            }
        }
    }

    /// The result for the caller that sent or requested the data.
    package enum Flow {
        case error, endOfStream

        fileprivate var raw: GstFlowReturn {
            switch self {
            case .error: GST_FLOW_ERROR
            case .endOfStream: GST_FLOW_EOS
            }
        }
    }

    /// A probe at a pad.
    package struct Probe: Sendable {
        fileprivate let pad: Pad
        fileprivate let id: gulong

        package func remove() { gst_pad_remove_probe(pad.pointer(), id) }
    }

    /// The data that pass a pad; valid during the call of a probe.
    package struct ProbeInfo {
        fileprivate let padPointer: UnsafeMutablePointer<GstPad>
        fileprivate let raw: UnsafeMutablePointer<GstPadProbeInfo>
    }
}

extension GStreamer.Pad {
    /// Calls `body` for data that pass the pad, on their streaming thread, as long as the pad exists.
    ///
    /// The pad keeps the closure; the closure must not keep the pad, which `ProbeInfo` has.
    @discardableResult
    package func addProbe(
        _ kinds: GStreamer.ProbeKinds,
        _ body: @escaping @Sendable (GStreamer.ProbeInfo) -> GStreamer.ProbeAnswer
    ) -> GStreamer.Probe {
        typealias Box = ClosureBox<@Sendable (GStreamer.ProbeInfo) -> GStreamer.ProbeAnswer>
        let id = gst_pad_add_probe(
            pointer(), GstPadProbeType(rawValue: kinds.rawValue),
            { pad, info, data in
                guard let pad, let info, let body = Box.body(data) else { return GST_PAD_PROBE_OK }
                return body(GStreamer.ProbeInfo(padPointer: pad, raw: info)).raw
            }, Box(body).retained, releaseClosure)
        return GStreamer.Probe(pad: self, id: id)
    }

    /// Calls `body` for each buffer that passes.
    package func onBuffer(_ body: @escaping @Sendable (GStreamer.ProbeInfo) -> Void) {
        addProbe(.buffer) { info in
            body(info)
            return .ok
        }
    }

    /// Calls `body` for each event that passes downstream.
    package func onEvent(_ body: @escaping @Sendable (GStreamer.Event, GStreamer.ProbeInfo) -> Void) {
        addProbe(.events) { info in
            if let event = info.event { body(event, info) }
            return .ok
        }
    }
}

extension GStreamer.ProbeInfo {
    /// The pad that the data pass.
    package var pad: GStreamer.Pad { GStreamer.Pad(retaining: padPointer) }

    private func has(_ kinds: GstPadProbeType...) -> Bool {
        kinds.contains { raw.pointee.type.rawValue & $0.rawValue != 0 }
    }

    /// The buffer that passes; nil for other data.
    package var buffer: GStreamer.BufferView? {
        guard has(GST_PAD_PROBE_TYPE_BUFFER), let data = raw.pointee.data else { return nil }
        return GStreamer.BufferView(data.assumingMemoryBound(to: GstBuffer.self))
    }

    /// The buffer for writing, copied first if it is shared; nil for other data.
    package var writableBuffer: GStreamer.WritableBufferView? {
        guard has(GST_PAD_PROBE_TYPE_BUFFER), let data = raw.pointee.data,
            let writable = gst_mini_object_make_writable(data.assumingMemoryBound(to: GstMiniObject.self))
        else { return nil }
        raw.pointee.data = UnsafeMutableRawPointer(writable)
        return GStreamer.WritableBufferView(
            UnsafeMutableRawPointer(writable).assumingMemoryBound(to: GstBuffer.self))
    }

    /// The event that passes; nil for other data.
    package var event: GStreamer.Event? {
        guard has(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_EVENT_FLUSH),
            let data = raw.pointee.data
        else { return nil }
        return GStreamer.Event(retaining: data)
    }

    /// Replaces the data that pass.
    package func replace(with other: some MiniObjectHandle) {
        discard()
        raw.pointee.data = UnsafeMutableRawPointer(other.retained(GstMiniObject.self))
    }

    /// Removes the data from the stream, and sets the result for the caller.
    package func finish(_ flow: GStreamer.Flow) -> GStreamer.ProbeAnswer {
        discard()
        raw.pointee.ABI.abi.flow_ret = flow.raw
        return .handled
    }

    private func discard() {
        if let data = raw.pointee.data { _ = MiniObjectReference(taking: data) }
        raw.pointee.data = nil
    }
}

/// A temporary branch at a `tee` of a running pipeline.
package final class Tap {
    private let chain: GStreamer.Element
    private let tee: GStreamer.Element
    private let source: GStreamer.Pad
    package let branch: GStreamer.Element

    /// - Parameters:
    ///   - chain: the bin that contains the tee and gets the branch.
    ///   - elements: pipeline description of the branch. It begins with a queue and ends with an `appsink`
    ///     called `frames`.
    ///   - onFrame: called with each frame, on the branch's thread.
    package init?(
        _ chain: GStreamer.Element, at tee: String, _ elements: String,
        onFrame: @escaping @Sendable (GStreamer.Sample) -> Void
    ) {
        guard let tee = chain.element(named: tee), let branch = try? GStreamer.Element(parsing: elements),
            let frames = GStreamer.AppSink(branch.element(named: "frames")), let input = branch.pad("sink"),
            let source = tee.requestPad("src_%u")
        else { return nil }
        (self.chain, self.tee, self.source, self.branch) = (chain, tee, source, branch)
        frames.setCallbacks(
            onSample: { sink in
                if let frame = sink.pull(within: 0) { onFrame(frame) }
                return true
            }, onEnd: {})
        chain.add(branch)
        guard branch.syncStateWithParent(), source.link(to: input) else {
            remove()
            return nil
        }
    }

    /// Removes the branch between two frames.
    package func remove() {
        source.addProbe(.idle) { [chain, tee, branch] info in
            if let input = branch.pad("sink") { info.pad.unlink(from: input) }
            branch.setState(.null)
            chain.remove(branch)
            tee.release(info.pad)
            return .remove
        }
    }

    /// A queue that keeps only the newest frame, for branches that may be slow.
    package static let newest = "queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0"
    /// An appsink for `init`, which never delays the other branches.
    package static let frames = "appsink name=frames sync=false async=false max-buffers=1 drop=true"
}
