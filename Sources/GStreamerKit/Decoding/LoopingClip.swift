import CGStreamer
import Imaging

/// A clip that plays over and over, fitted to a stream's frames and paced by that stream's own times.
///
/// It is decoded and converted on threads of its own, a few frames ahead. Nothing that happens to it stops
/// the stream: while a frame is late, or none comes any more, the last one stays.
public final class LoopingClip: Sendable {
    private let decoder: ClipDecoder

    /// Starts to decode.
    ///
    /// - Parameters:
    ///   - location: a path, relative to the current directory unless absolute, or a URI.
    ///   - waits: for streams without a clock of their own: waits for a late frame, half a minute at most, and two
    ///     seconds where it comes over a network, once for each time that the clip is late, so that transcoding shows
    ///     the right frames.
    public init(
        _ location: String, for info: VideoInfo, _ style: PictureStyle, waits: Bool
    ) throws(ElementError) {
        let location = try MediaLocation(location)
        decoder = try ClipDecoder(
            location, PictureConverter(for: info, style),
            capacity: Self.capacity(bytes: Int(clamping: info.raw.size)),
            patience: waits ? Self.patience(for: location) : 0)
        decoder.start()
    }

    /// In microseconds: a file's next frame comes, however busy the machine; a server may stall.
    private static func patience(for location: MediaLocation) -> Int64 {
        location.isFile ? 30_000_000 : 2_000_000
    }

    deinit { decoder.stop() }

    /// Frames decoded ahead: a quarter of a second, less when they are large.
    private static func capacity(bytes: Int) -> Int { max(2, min(8, (64 << 20) / max(1, bytes))) }

    /// The frame to show at a running time of the stream; nil until the first one is decoded.
    ///
    /// The first call starts the clip; when time jumps back, the clip goes on where it was.
    public func frame(at time: UInt64?) -> ConvertedPicture? { decoder.timeline.frame(at: time) }

    /// Fits the frames that are decoded from now on in another way.
    public func restyle(_ style: PictureStyle) { decoder.restyle(style) }

    /// Why no more frames come, the first time that it is asked.
    public func takeFailure() -> ElementError? { decoder.takeFailure() }

    /// Ends all waiting for frames, and decodes no more.
    public func interrupt() { decoder.timeline.end() }

    /// Ends decoding; waits for the frame that is being decoded.
    public func stop() { decoder.stop() }
}

/// Decodes a clip again and again into a time line.
///
/// GStreamer's threads come in through callbacks, which hold a reference until `stop`.
final class ClipDecoder: @unchecked Sendable {
    // Unchecked: the converter is used by the one thread that delivers frames, the rest is guarded or constant.
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
        decoder.sink.setCallbacks(
            onSample: { [self] sink in take(from: sink) }, onEnd: { [self] in endRound() })
        // Nothing else reads this bus: messages that are not taken would pile up.
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
    private func take(from sink: GStreamer.AppSink) -> Bool {
        guard let sample = sink.pull() else { return true }
        let time = sample.streamTime.map { Int64(clamping: $0) }
        return timeline.add(at: time, duration: Self.duration(of: sample)) {
            converter.convert(sample, orientation: decoder.orientation.snapshot())
        }
    }

    /// Decoders give frames of streams without a frame rate a single nanosecond.
    private static let shortestDuration: UInt64 = 1_000_000

    /// As the buffer says, else by the frame rate.
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
