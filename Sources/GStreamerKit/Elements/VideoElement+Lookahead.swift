import CGStreamer

// MARK: - Frames that wait for those after them

/// Analysers that look ahead hold frames until they have seen the next ones. The frames are held as they came, and are neither
/// copied nor mapped meanwhile.
extension VideoElement {
    /// GStreamer's function that hands a frame to `transform_ip`, and returns what comes of it.
    typealias Generate =
        @convention(c) (
            UnsafeMutablePointer<GstBaseTransform>?, UnsafeMutablePointer<UnsafeMutablePointer<GstBuffer>?>?
        ) -> GstFlowReturn

    /// Takes the frame that has come, and works on the one whose turn it is, if there is any.
    func generate(
        _ generate: Generate, _ output: UnsafeMutablePointer<UnsafeMutablePointer<GstBuffer>?>
    ) -> GstFlowReturn {
        output.pointee = nil
        guard let buffer = gstTransform.pointee.queued_buf else {
            return held.count > lookahead ? measuring { generateFirst(generate, output) } : GST_FLOW_OK
        }
        if breaksOff(at: buffer) {
            gstTransform.pointee.queued_buf = nil
            let flow = drain(generate)
            gstTransform.pointee.queued_buf = buffer
            guard flow == GST_FLOW_OK else { return flow }
            discontinuity()
        }
        return measuring {
            guard hold(buffer) else { return GST_FLOW_ERROR }
            let isDue = held.isEmpty || held.count > lookahead
            return isDue ? generateFirst(generate, output) : GST_FLOW_OK
        }
    }

    /// Works on all frames that are held, without those that would come after them, and sends them on.
    @discardableResult
    func drain(_ generate: Generate) -> GstFlowReturn {
        while !held.isEmpty {
            var output: UnsafeMutablePointer<GstBuffer>?
            let flow = generateFirst(generate, &output)
            guard flow == GST_FLOW_OK else {
                held.removeAll()
                // A frame that cannot be used is left out, and the stream goes on.
                if flow == people_flow_dropped { continue }
                return flow
            }
            guard let output else { continue }
            let pushed = gst_pad_push(gstTransform.pointee.srcpad, output)
            guard pushed == GST_FLOW_OK else {
                held.removeAll()
                return pushed
            }
        }
        return GST_FLOW_OK
    }

    /// Holds the frame that has come; false after an error.
    private func hold(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        // With nothing to wait for, it is worked on at once.
        guard lookahead > 0 || !held.isEmpty else { return true }
        gstTransform.pointee.queued_buf = nil
        held.append(GStreamer.Buffer(taking: buffer))
        timing.update { $0.held = UInt64(held.count) &* (info?.frameDuration ?? 0) }
        return lookahead == 0 || preview(buffer)
    }

    private func preview(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        // Frames that cannot be mapped are reported when their turn comes.
        guard let info, mode != .passthrough, let frame = VideoFrame(mapping: buffer, as: info, .read) else {
            return true
        }
        return reporting { () throws(ElementError) in try lookAhead(to: frame) }
    }

    private func generateFirst(
        _ generate: Generate, _ output: UnsafeMutablePointer<UnsafeMutablePointer<GstBuffer>?>
    ) -> GstFlowReturn {
        if !held.isEmpty { gstTransform.pointee.queued_buf = held.removeFirst().retained() }
        return generate(gstTransform, output)
    }

    /// Tells upstream that its pool of buffers must be larger by the frames that are held.
    func reserveBuffers(in query: UnsafeMutablePointer<GstQuery>) {
        let count = guint(clamping: lookahead)
        guard count > 0 else { return }
        let pools = gst_query_get_n_allocation_pools(query)
        for index in 0..<pools {
            var (pool, size, minimum, maximum) = (
                UnsafeMutablePointer<GstBufferPool>?.none, guint(0), guint(0), guint(0)
            )
            gst_query_parse_nth_allocation_pool(query, index, &pool, &size, &minimum, &maximum)
            let reference = pool.map { ObjectReference(taking: $0) }
            defer { withExtendedLifetime(reference) {} }
            // No maximum is 0.
            gst_query_set_nth_allocation_pool(
                query, index, pool, size, minimum &+ count, maximum == 0 ? 0 : maximum &+ count)
        }
        guard pools == 0 else { return }
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_query_parse_allocation(query, &caps, nil)
        guard let size = VideoInfo(caps: caps)?.raw.size else { return }
        gst_query_add_allocation_pool(query, nil, guint(clamping: size), count, 0)
    }
}
