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
