public import Imaging
import Synchronization

extension VisionRequest {
    /// Returns the observations of a stream, in the order of its frames.
    ///
    ///     for try await (frame, faces) in request.results(of: frames, mode: .camera) { ... }
    ///
    /// Each frame is analysed, on a thread of the library, when its result is asked for. Meanwhile one more
    /// frame is fetched: a recording waits then, a camera goes on, and what is late is dropped.
    ///
    /// - Parameters:
    ///   - frames: the frames; a `FrameQueue` where they are pushed.
    ///   - mode: the origin of the frames, which becomes the request's.
    public func results<Frames: AsyncSequence & Sendable>(
        of frames: Frames, mode: AnalysisMode = .recording
    ) -> StreamResults<Self> where Frames.Element == StreamFrame {
        configuration.mode = mode
        if let queue = frames as? FrameQueue {
            return StreamResults(request: self, queue: queue, source: nil)
        }
        let queue = FrameQueue(mode: mode)
        let source = Task {
            do {
                for try await frame in frames { await queue.push(frame) }
                queue.finish()
            } catch { queue.finish(throwing: error) }
        }
        return StreamResults(request: self, queue: queue, source: source)
    }
}

/// The frames of a stream with what a request has found in each.
public struct StreamResults<Request: VisionRequest>: AsyncSequence {
    /// A frame, and what the request has found in it.
    public typealias Element = (frame: StreamFrame, observation: Request.Observation)

    let request: Request
    let queue: FrameQueue
    private let source: Source

    init(request: Request, queue: FrameQueue, source: Task<Void, Never>?) {
        (self.request, self.queue) = (request, queue)
        self.source = Source(queue, source)
    }

    /// The number of a camera's frames that were dropped, because they were late.
    public var droppedCount: Int { queue.droppedCount }

    /// The task that fetches the frames; it ends with the results.
    private final class Source: Sendable {
        private let queue: FrameQueue
        private let task: Task<Void, Never>?

        init(_ queue: FrameQueue, _ task: Task<Void, Never>?) { (self.queue, self.task) = (queue, task) }

        deinit {
            guard let task else { return }
            task.cancel()
            queue.cancel()
        }
    }

    /// The results, for one task.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let results: StreamResults

        init(_ results: StreamResults) { self.results = results }

        /// Analyses the next frame; nil at the end, and where the task was cancelled.
        ///
        /// - Throws: `VisionError`, and the error of the source.
        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        /// Analyses the next frame; nil at the end, and where the task was cancelled.
        ///
        /// - Throws: `VisionError`, and the error of the source.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(any Error) -> Element? {
            guard let frame = try await results.queue.next(isolation: actor) else { return nil }
            defer { withExtendedLifetime(frame) {} }
            let observation = try await results.request.perform(on: frame.input, isolation: actor)
            return (frame, observation)
        }
    }

    /// Returns the results, for one task.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// A frame of a stream, with the owner of its memory, so that it may wait and go from task to task.
public struct StreamFrame: Sendable {
    // Unsafe only for the compiler: the creator promises that nobody changes the memory.
    nonisolated(unsafe) let image: ImageView
    nonisolated(unsafe) private let depth: DepthView?
    private let orientation: ImageOrientation
    private let owner: any AnyObject & Sendable
    /// The time at which the frame was taken, from the stream's beginning; nil if unknown.
    public let time: Duration?

    /// Creates a frame of `image`.
    ///
    /// - Parameters:
    ///   - image: the pixels, which must not change as long as the frame lives.
    ///   - orientation: rotation or reflection that makes the image upright.
    ///   - time: the time at which the frame was taken; negative times count as 0.
    ///   - depth: distances of the things in the image, whose memory `owner` keeps as well.
    ///   - owner: owner of the image's memory.
    public init(
        _ image: ImageView, orientation: ImageOrientation = .up, time: Duration? = nil,
        depth: DepthView? = nil, keeping owner: any AnyObject & Sendable
    ) {
        (self.image, self.orientation, self.time) = (image, orientation, time)
        (self.depth, self.owner) = (depth, owner)
    }

    /// The frame as requests take it, valid as long as this one.
    var input: InputFrame {
        InputFrame(image, orientation: orientation, nanoseconds: time?.nanoseconds, depth: depth)
    }
}

/// Frames on their way from one task to another, which analyses them.
///
/// One frame waits. The next one of a recording is not taken before that; the next one of a camera takes its place,
/// and is counted as dropped.
public final class FrameQueue: AsyncSequence, Sendable {
    /// A frame.
    public typealias Element = StreamFrame

    private struct State {
        var frame: StreamFrame?
        /// Pushed frames of a recording that wait for the place, with numbers of their own.
        var pushed: [(number: UInt, frame: StreamFrame, continuation: CheckedContinuation<Void, Never>)] = []
        /// Number of frames that were pushed.
        var pushedCount: UInt = 0
        /// Numbers of frames whose task was cancelled before they could wait.
        var cancelled: Set<UInt> = []
        var consumer: CheckedContinuation<StreamFrame?, Never>?
        var isFinished = false
        var error: (any Error)?
        var droppedCount = 0

        /// Takes the frame that waits, and lets the next one wait.
        mutating func take() -> StreamFrame? {
            let taken = frame
            frame = nil
            if !pushed.isEmpty {
                let next = pushed.removeFirst()
                frame = next.frame
                next.continuation.resume()
            }
            return taken
        }
    }

    private let drops: Bool
    private let state = Mutex(State())

    /// Creates an empty queue.
    ///
    /// - Parameter mode: frames of a camera are dropped where they are late; others wait.
    public init(mode: AnalysisMode) { drops = mode == .camera }

    /// The number of frames that were dropped because a newer one came before their turn.
    public var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Adds a frame; returns when it waits for its analysis, at once for a camera.
    ///
    /// A frame whose task is cancelled before it has a place is not added.
    public func push(_ frame: StreamFrame) async {
        let number = state.withLock { state in
            state.pushedCount &+= 1
            return state.pushedCount
        }
        await withTaskCancellationHandler {
            await add(frame, number)
        } onCancel: {
            forget(number)
        }
        _ = state.withLock { $0.cancelled.remove(number) }
    }

    /// Removes a frame that has no place yet.
    private func forget(_ number: UInt) {
        let continuation = state.withLock { state in
            guard let index = state.pushed.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil as CheckedContinuation<Void, Never>?
            }
            return state.pushed.remove(at: index).continuation
        }
        continuation?.resume()
    }

    private func add(_ frame: StreamFrame, _ number: UInt) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.isFinished || state.cancelled.contains(number) { return true }
                if let consumer = state.consumer {
                    state.consumer = nil
                    consumer.resume(returning: frame)
                } else if state.frame == nil {
                    state.frame = frame
                } else if drops {
                    state.frame = frame
                    state.droppedCount += 1
                } else {
                    state.pushed.append((number, frame, continuation))
                    return false
                }
                return true
            }
            if isDone { continuation.resume() }
        }
    }

    /// Ends the stream after the frames that were pushed.
    public func finish() { finish(throwing: nil) }

    /// Ends the stream after the frames that were pushed, with an error of their source.
    func finish(throwing error: (any Error)?) {
        state.withLock { state in
            guard !state.isFinished else { return }
            (state.isFinished, state.error) = (true, error)
            state.consumer?.resume(returning: nil)
            state.consumer = nil
        }
    }

    /// Ends the stream at once.
    func cancel() {
        state.withLock { state in
            for pushed in state.pushed { pushed.continuation.resume() }
            (state.frame, state.pushed) = (nil, [])
        }
        finish()
    }

    /// Returns the next frame; nil at the end, and where the task was cancelled.
    func next(isolation: isolated (any Actor)?) async throws -> StreamFrame? {
        let frame = await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: isolation) {
                    (continuation: CheckedContinuation<StreamFrame?, Never>) in
                    state.withLock { state in
                        if let frame = state.take() {
                            continuation.resume(returning: frame)
                        } else if state.isFinished {
                            continuation.resume(returning: nil)
                        } else {
                            state.consumer = continuation
                        }
                    }
                }
            }, onCancel: { cancel() }, isolation: isolation)
        if frame == nil, let error = state.withLock({ $0.error }) { throw error }
        return frame
    }

    /// The frames, for one task.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let queue: FrameQueue

        /// Returns the next frame; nil at the end.
        public func next() async throws -> StreamFrame? { try await queue.next(isolation: nil) }

        /// Returns the next frame; nil at the end.
        public func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> StreamFrame? {
            try await queue.next(isolation: actor)
        }
    }

    /// Returns the frames, for one task.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: self) }
}
