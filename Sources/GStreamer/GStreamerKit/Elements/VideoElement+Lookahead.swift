import CGStreamer

// MARK: - Lookahead

/// Lookahead: analysers hold frames back until the next frames have come.
///
/// Frames are held back as they came, and are neither copied nor mapped meanwhile.
extension VideoElement {
    /// GStreamer's function that passes a frame to `transform_ip`, and returns the result.
    typealias Generate =
        @convention(c) (
            UnsafeMutablePointer<GstBaseTransform>?, UnsafeMutablePointer<UnsafeMutablePointer<GstBuffer>?>?
        ) -> GstFlowReturn

    /// Takes the frame that has come, and processes the frame whose lookahead is complete, if there is one.
    func generate(
        _ generate: Generate, _ output: UnsafeMutablePointer<UnsafeMutablePointer<GstBuffer>?>
    ) -> GstFlowReturn {
        output.pointee = nil
        let lookahead = lookahead
        guard let buffer = gstTransform.pointee.queued_buf else {
            guard queuedFrames.count > lookahead else { return GST_FLOW_OK }
            return measuring { generateFirst(generate, output) }
        }
        if breaksOff(at: buffer) {
            gstTransform.pointee.queued_buf = nil
            let flow = drain(generate)
            gstTransform.pointee.queued_buf = buffer
            guard flow == GST_FLOW_OK else { return flow }
            discontinuity()
        }
        return measuring {
            guard hold(buffer, lookahead) else { return GST_FLOW_ERROR }
            let isDue = queuedFrames.isEmpty || queuedFrames.count > lookahead
            return isDue ? generateFirst(generate, output) : GST_FLOW_OK
        }
    }

    /// Processes all frames that are held back, with the lookahead that there is, and sends them on.
    @discardableResult
    func drain(_ generate: Generate) -> GstFlowReturn {
        while !queuedFrames.isEmpty {
            var output: UnsafeMutablePointer<GstBuffer>?
            let flow = generateFirst(generate, &output)
            guard flow == GST_FLOW_OK else {
                queuedFrames.removeAll()
                // An unusable frame is left out, and the stream goes on.
                if flow == people_flow_dropped { continue }
                return flow
            }
            guard let output else { continue }
            let pushed = gst_pad_push(gstTransform.pointee.srcpad, output)
            guard pushed == GST_FLOW_OK else {
                queuedFrames.removeAll()
                return pushed
            }
        }
        return GST_FLOW_OK
    }

    /// Holds the new frame back, or leaves it for immediate processing; false after an error.
    private func hold(_ buffer: UnsafeMutablePointer<GstBuffer>, _ lookahead: Int) -> Bool {
        // Without lookahead the frame is processed at once.
        guard lookahead > 0 || !queuedFrames.isEmpty else { return true }
        gstTransform.pointee.queued_buf = nil
        queuedFrames.append(GStreamer.Buffer(taking: buffer))
        timing.update { $0.lookahead = UInt64(queuedFrames.count) &* (info?.frameDuration ?? 0) }
        return lookahead == 0 || preview(buffer)
    }

    private func preview(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Bool {
        // Frames that cannot be mapped are reported when they are processed.
        guard let info, mode != .passthrough, let frame = VideoFrame(mapping: buffer, as: info, .read) else {
            return true
        }
        return reporting { () throws(ElementError) in try lookAhead(to: frame) }
    }

    private func generateFirst(
        _ generate: Generate, _ output: UnsafeMutablePointer<UnsafeMutablePointer<GstBuffer>?>
    ) -> GstFlowReturn {
        if !queuedFrames.isEmpty { gstTransform.pointee.queued_buf = queuedFrames.removeFirst().retained() }
        return generate(gstTransform, output)
    }

    /// Asks upstream for as many more buffers as frames are held back.
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
            // A maximum of 0 means no limit.
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
