import CGStreamer
import Imaging
import Threads

/// A clip that plays over and over, fitted to a stream's frames and paced by the stream's own times.
///
/// The clip is decoded and converted on threads of its own, a few frames ahead. Errors of the clip do not
/// stop the stream: while a frame is late, or no more frames come, the last one stays.
package final class LoopingClip: Sendable {
    private let decoder: ClipDecoder

    /// Starts to decode.
    ///
    /// - Parameters:
    ///   - location: a path, relative to the current directory unless absolute, or a URI.
    ///   - waits: true for streams without a clock of their own, so that transcoding shows the right frames.
    ///     A late frame is then waited for, half a minute at most (two seconds over a network), once for
    ///     each time that the clip becomes late.
    package init(
        _ location: String, for info: VideoInfo, _ style: PictureStyle, waits: Bool
    ) throws(ElementError) {
        let location = try MediaLocation(location)
        decoder = try ClipDecoder(
            location, PictureConverter(for: info, style),
            capacity: Self.capacity(bytes: Int(clamping: info.raw.size)),
            patience: waits ? Self.patience(for: location) : 0)
        decoder.start()
    }

    /// Returns the longest wait for a late frame, in microseconds.
    ///
    /// A file's next frame comes, however busy the machine; a server may stall.
    private static func patience(for location: MediaLocation) -> Int64 {
        location.isFile ? 30_000_000 : 2_000_000
    }

    deinit { decoder.stop() }

    /// Returns the number of frames decoded ahead: a quarter of a second, fewer if frames are large.
    private static func capacity(bytes: Int) -> Int { max(2, min(8, (64 << 20) / max(1, bytes))) }

    /// Returns the frame to show at a running time of the stream; nil until the first one is decoded.
    ///
    /// The first call starts the clip. When time jumps back, the clip goes on from its position.
    package func frame(at time: UInt64?) -> ConvertedPicture? { decoder.timeline.frame(at: time) }

    /// Changes the style of the frames that are decoded from now on.
    package func restyle(_ style: PictureStyle) { decoder.restyle(style) }

    /// Returns the reason why no more frames come; nil if there is none, and after the first call that
    /// returned it.
    package func takeFailure() -> ElementError? { decoder.takeFailure() }

    /// Ends all waits for frames, and decoding.
    package func interrupt() { decoder.timeline.end() }

    /// Ends decoding, after the frame that is being decoded.
    package func stop() { decoder.stop() }
}

/// Decodes a clip again and again into a time line.
///
/// GStreamer's threads call back into the decoder; the callbacks keep it alive until `stop`.
final class ClipDecoder: @unchecked Sendable {
    // Unchecked: only the thread that delivers frames uses the converter; the rest is guarded or constant.
    let timeline: ClipTimeline<ConvertedPicture>
    private let location: MediaLocation
    private let decoder: DecodingPipeline
    private let converter: PictureConverter
    private let phase = Monitor(Phase.playing)
    private let failure = Guarded<ElementError?>(nil)

    /// The state of the pipeline.
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
        decoder.sink.setCallbacks(
            onSample: { [self] sink in take(from: sink) }, onEnd: { [self] in endRound() })
        // Nothing else reads this bus, and unread messages would pile up.
        decoder.bus.consume { [self] message in
            if message.kind == .error { fail(decoder.readFault ?? message.failure.text) }
        }
        decoder.play()
    }

    /// Ends decoding and releases the callbacks.
    func stop() {
        // A thread that waits for room in the time line would wait for ever.
        timeline.end()
        guard beginStop() else { return }
        decoder.stop()
        decoder.sink.removeCallbacks()
        decoder.bus.stopConsuming()
    }

    /// Waits until no rewind is running; false when the decoder has already been stopped.
    private func beginStop() -> Bool {
        phase.wait { phase -> Bool? in
            guard phase != .rewinding else { return nil }
            defer { phase = .stopped }
            return phase == .playing
        }
    }

    func restyle(_ style: PictureStyle) { converter.restyle(style) }

    func takeFailure() -> ElementError? {
        failure.update { failure in
            defer { failure = nil }
            return failure
        }
    }

    // MARK: - Frames

    /// Adds the next frame to the time line; false when no more frames are wanted.
    private func take(from sink: GStreamer.AppSink) -> Bool {
        guard let sample = sink.pull() else { return true }
        let time = sample.streamTime.map { Int64(clamping: $0) }
        return timeline.add(at: time, duration: Self.duration(of: sample)) {
            converter.convert(sample, orientation: decoder.orientation.snapshot())
        }
    }

    /// Shortest duration that counts, in nanoseconds: decoders give frames of streams without a frame rate
    /// one nanosecond.
    private static let shortestDuration: UInt64 = 1_000_000

    /// Returns the frame's duration: the buffer's, else that of the frame rate.
    private static func duration(of sample: GStreamer.Sample) -> Int64? {
        if let duration = sample.buffer?.duration, duration >= shortestDuration {
            return Int64(clamping: duration)
        }
        if let rate = sample.caps.flatMap({ VideoInfo($0) })?.raw, rate.fps_n > 0, rate.fps_d > 0 {
            return Int64(rate.fps_d) * 1_000_000_000 / Int64(rate.fps_n)
        }
        return nil
    }

    private func endRound() {
        guard timeline.endRound() else { return fail("it has no more frames") }
        // A seek from a streaming thread would wait for that thread.
        decoder.pipeline.callAsynchronously { [self] _ in rewind() }
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
}
