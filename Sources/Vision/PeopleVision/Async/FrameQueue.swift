import Synchronization

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
