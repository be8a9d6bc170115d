import CGStreamer

/// Decodes a clip again and again into a time line.
///
/// GStreamer's threads come in through callbacks, which hold a reference until `stop`.
final class ClipDecoder: @unchecked Sendable {
    // The converter is used by the one thread that delivers frames, the rest is guarded or constant.
    let timeline: ClipTimeline<ConvertedPicture>
    private let location: MediaLocation
    private let decoder: DecodingPipeline
    private let converter: PictureConverter
    private let phase = ConditionLock(Phase.playing)
    private let failure = Guarded<ElementError?>(nil)

    /// What the pipeline is doing.
    private enum Phase {
        case playing
        /// One thread is changing the pipeline's state.
        case rewinding
        case stopped
    }

    init(
        _ location: MediaLocation, _ converter: PictureConverter, capacity: Int, patience: Int64
    ) throws(ElementError) {
        self.location = location
        self.converter = converter
        decoder = try DecodingPipeline(location)
        timeline = ClipTimeline(capacity: capacity, patience: patience)
    }

    func start() {
        var callbacks = GstAppSinkCallbacks()
        callbacks.new_sample = { sink, data in
            guard let sink, let clip = ClipDecoder.from(data) else { return GST_FLOW_FLUSHING }
            return clip.take(from: sink) ? GST_FLOW_OK : GST_FLOW_FLUSHING
        }
        callbacks.eos = { _, data in ClipDecoder.from(data)?.endRound() }
        gst_app_sink_set_callbacks(decoder.sink, &callbacks, retained, ClipDecoder.release)
        watchErrors()
        decoder.play()
    }

    /// Ends decoding and lets go of the callbacks.
    func stop() {
        // A thread that waits for room in the time line would wait for ever.
        timeline.end()
        guard beginStop() else { return }
        decoder.stop()
        var none = GstAppSinkCallbacks()
        gst_app_sink_set_callbacks(decoder.sink, &none, nil, nil)
        ignoreErrors()
    }

    /// Waits until no rewind is under way; false when it is stopped already.
    private func beginStop() -> Bool {
        phase.wait { phase -> Bool? in
            guard phase != .rewinding else { return nil }
            defer { phase = .stopped }
            return phase == .playing
        } ?? false
    }

    func restyle(_ style: PictureStyle) { converter.restyle(style) }

    func takeFailure() -> ElementError? {
        failure.update { failure in
            defer { failure = nil }
            return failure
        }
    }

    // MARK: - Frames

    /// Takes the next frame; false when no more are wanted.
    private func take(from sink: UnsafeMutablePointer<GstAppSink>) -> Bool {
        guard let sample = gst_app_sink_pull_sample(sink) else { return true }
        defer { gst_sample_unref(sample) }
        return timeline.add(at: Self.time(of: sample), duration: Self.duration(of: sample)) {
            converter.convert(sample, turned: decoder.orientation.snapshot())
        }
    }

    private static func time(of sample: OpaquePointer) -> Int64? {
        guard let buffer = gst_sample_get_buffer(sample)?.pointee,
            let segment = gst_sample_get_segment(sample)
        else { return nil }
        let time = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, buffer.pts)
        return time == .max ? nil : Int64(clamping: time)
    }

    /// Decoders give frames of streams without a frame rate a single nanosecond.
    private static let shortestDuration: GstClockTime = 1_000_000

    /// As the buffer says, else by the frame rate.
    private static func duration(of sample: OpaquePointer) -> Int64? {
        if let duration = gst_sample_get_buffer(sample)?.pointee.duration, duration != .max,
            duration >= shortestDuration
        {
            return Int64(clamping: duration)
        }
        if let rate = VideoInfo(caps: gst_sample_get_caps(sample))?.raw, rate.fps_n > 0, rate.fps_d > 0 {
            return Int64(rate.fps_d) * 1_000_000_000 / Int64(rate.fps_n)
        }
        return nil
    }

    private func endRound() {
        guard timeline.endRound() else { return fail("it has no more frames") }
        // A seek from a streaming thread would wait for that thread.
        callAsynchronously(decoder.pipeline) { [self] _ in rewind() }
    }

    private func rewind() {
        let mayRewind = phase.update { phase in
            guard phase == .playing else { return false }
            phase = .rewinding
            return true
        }
        guard mayRewind else { return }
        defer { phase.update { $0 = .playing } }
        if decoder.seekToStart() { return }
        decoder.play()
    }

    // MARK: - Failures

    private func fail(_ reason: String) {
        failure.update { failure in
            failure = ElementError(
                .resourceRead,
                "The clip \"\(location.text)\" cannot be played further; its last frame stays.",
                debug: reason)
        }
        timeline.end()
    }

    private func watchErrors() {
        guard let bus = gst_element_get_bus(decoder.pipeline) else { return }
        defer { gst_object_unref(bus) }
        // Nothing else reads this bus: messages that are not dropped would pile up.
        gst_bus_set_sync_handler(
            bus,
            { _, message, data in
                if let message, let clip = ClipDecoder.from(data),
                    people_message_type(message) == GST_MESSAGE_ERROR
                {
                    clip.fail(clip.decoder.readFault ?? text(ofError: message))
                }
                gst_message_unref(message)
                return GST_BUS_DROP
            }, retained, ClipDecoder.release)
    }

    private func ignoreErrors() {
        guard let bus = gst_element_get_bus(decoder.pipeline) else { return }
        gst_bus_set_sync_handler(bus, nil, nil, nil)
        gst_object_unref(bus)
    }

    // MARK: - User data

    private var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }

    private static func from(_ data: gpointer?) -> ClipDecoder? {
        data.map { Unmanaged<ClipDecoder>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let release: GDestroyNotify = { data in
        if let data { Unmanaged<ClipDecoder>.fromOpaque(data).release() }
    }
}
