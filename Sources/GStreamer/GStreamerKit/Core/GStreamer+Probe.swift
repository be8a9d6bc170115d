package import CGStreamer

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
