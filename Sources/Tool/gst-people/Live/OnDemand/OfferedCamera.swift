import CommandKit
import GStreamerKit
import Glibc
import Synchronization
import Threads

/// A virtual camera that other programs see all the time, whether frames come or not.
final class OfferedCamera {
    let gate: CoverGate
    private let pipeline: GStreamer.Pipeline
    private var feed: CameraFeed?

    /// - Parameter picture: a covered frame with the caps of all frames.
    init(_ sink: VirtualCamera.Sink, _ picture: GStreamer.Sample) throws(ToolError) {
        pipeline = try .make()
        let start = "\(FramePlace.elements("frames")) ! \(VirtualCamera.copies) name=feed"
        let end = if case .elements(let elements) = sink { " ! \(elements)" } else { "" }
        let chain = try pipeline.add(chain: start + end, hasEnds: false)
        // The clock of pipewiresink (1.4) jumps when a program opens the camera.
        pipeline.element.useSystemClock()
        gate = CoverGate(try FramePlace(chain, "frames", of: pipeline.element), picture)
        switch sink {
        case .elements:
            if let pad = chain.element(named: "feed")?.pad("src") { gate.guardOutput(pad) }
        case .feed(let elements):
            feed = try CameraFeed(chain, elements) { [gate] in gate.guardOutput($0) }
        }
    }

    deinit { pipeline.element.setState(.null) }

    /// Starts the camera with a few covered frames, with which other programs see it.
    func start() throws(ToolError) {
        try pipeline.start { ToolError(liveError: $0.failure) }
        gate.open()
        gate.close()
    }

    /// Handles messages and silences; to be called several times a second.
    func check() throws(ToolError) {
        while let message = pipeline.bus.pop([.error, .latency]) {
            if message.kind == .latency {
                pipeline.element.recalculateLatency()
            } else if !VirtualCamera.hasLostReader(message.failure) {
                throw ToolError(liveError: message.failure)
            }
        }
        try feed?.check()
    }
}

/// The point at which frames enter an offered camera: finished ones, or covered ones in their place.
///
/// All methods may be called on any thread.
final class CoverGate: Sendable {
    /// The phases in which covered frames are sent.
    private enum Phase: Equatable {
        /// None are sent: nobody reads.
        case idle
        /// They are sent while no finished ones come.
        case open
        /// So many more are sent, so that they replace all others in the buffers of a driver.
        case closing(Int)
    }

    private struct State {
        var picture: GStreamer.Sample
        var phase = Phase.idle
        /// Time of the last finished frame since the camera was opened; nil before the first.
        var lastFinished: ContinuousClock.Instant?
        var isCovered = false
        /// Running time of the first covered frame since the camera was covered.
        var coveredSince = UInt64.max
        /// Number of covered frames that have left since then.
        var coveredCount = 0
        var isPumping = false
    }

    private let place: FramePlace
    private let state: Mutex<State>

    /// Time from one covered frame to the next, in microseconds.
    private static let interval: UInt32 = 50_000
    /// Time without a finished frame after which covered ones are sent.
    private static let patience = Duration.seconds(1)
    /// v4l2loopback has 32 buffers at most.
    private static let closingCount = 32
    /// Covered frames after which no other is on its way: two in queues and PipeWire's exchange of buffers, and
    /// one that is being written.
    private static let confirmingCount = 3
    /// Longest time in which a sink takes so many frames.
    private static let confirmingTime = Duration.seconds(1)

    /// - Parameter picture: a covered frame with the caps of all frames.
    init(_ place: FramePlace, _ picture: GStreamer.Sample) {
        self.place = place
        state = Mutex(State(picture: picture))
    }

    /// Whether a finished frame has passed since the camera was opened.
    var hasFinished: Bool { state.withLock { $0.lastFinished != nil } }

    var isCovered: Bool { state.withLock { $0.isCovered } }

    /// Replaces the covered frame by another one.
    func setPicture(_ picture: GStreamer.Sample) { state.withLock { $0.picture = picture } }

    // MARK: - Frames

    /// Passes a finished frame on, or a covered one in its place.
    func pass(_ frame: GStreamer.Sample) {
        state.withLock { state in
            guard state.phase == .open else { return }
            state.lastFinished = .now
            if state.isCovered { pushPicture(&state) } else { place.push(frame) }
        }
    }

    private func pushPicture(_ state: inout State) {
        guard let time = place.push(state.picture), state.isCovered else { return }
        state.coveredSince = min(state.coveredSince, time)
    }

    /// Drops frames that are still on their way when the camera is covered.
    ///
    /// - Parameter pad: the pad before the sink.
    func guardOutput(_ pad: GStreamer.Pad) {
        pad.addProbe(.buffer) { [weak self] info in
            guard let self, let time = info.buffer?.presentationTime else { return .ok }
            return state.withLock { state in
                guard state.isCovered else { return .ok }
                guard time >= state.coveredSince else { return .drop }
                state.coveredCount += 1
                return .ok
            }
        }
    }

    // MARK: - Covering

    /// Covers the camera; when the call returns, all frames that readers get are covered.
    ///
    /// - Throws: when the sink takes no frames, as when a reader is stopped. The camera is covered all the same.
    func cover() throws(ToolError) {
        state.withLock { state in
            guard !state.isCovered else { return }
            (state.isCovered, state.coveredSince, state.coveredCount) = (true, .max, 0)
        }
        let start = ContinuousClock.now
        while state.withLock({ $0.coveredCount }) < Self.confirmingCount {
            guard .now - start < Self.confirmingTime else {
                throw ToolError(
                    .failed,
                    "The camera is covered, but a program that reads it takes no frames, and may show its last one."
                )
            }
            state.withLock { pushPicture(&$0) }
            usleep(Self.interval / 4)
        }
    }

    func uncover() { state.withLock { $0.isCovered = false } }

    // MARK: - Opening and closing

    /// Sends covered frames until finished ones come, and whenever they fail to come.
    func open() {
        state.withLock { ($0.phase, $0.lastFinished) = (.open, nil) }
        startPump()
    }

    /// Lets no frames pass any more, and overwrites those in the sink's buffers.
    func close() { state.withLock { $0.phase = .closing(Self.closingCount) } }

    private func startPump() {
        let mustStart = state.withLock { state in
            defer { state.isPumping = true }
            return !state.isPumping
        }
        guard mustStart else { return }
        let thread = BackgroundThread { [self] in while pump() { usleep(Self.interval) } }
        if thread == nil { state.withLock { $0.isPumping = false } }
    }

    /// Sends a covered frame if one is due.
    ///
    /// - Returns: whether there may be more.
    private func pump() -> Bool {
        state.withLock { state in
            switch state.phase {
            case .open:
                let isQuiet = state.lastFinished.map { .now - $0 > Self.patience } ?? true
                if isQuiet { pushPicture(&state) }
            case .closing(let count):
                pushPicture(&state)
                state.phase = count > 1 ? .closing(count - 1) : .idle
            case .idle:
                state.isPumping = false
                return false
            }
            return true
        }
    }
}
