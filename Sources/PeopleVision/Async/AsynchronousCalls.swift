public import Imaging
import Synchronization

extension VisionRequest {
    /// Analyses `frame` on a thread of the library.
    ///
    /// Calls of one request are made in their order. Settings that are changed meanwhile count from the next
    /// call on; synchronous calls of the same request wait. In asynchronous code the name stands for this call;
    /// a synchronous function calls the other.
    ///
    /// - Parameter isolation: the actor of the caller.
    /// - Throws: the errors of the synchronous call; `VisionError.cancelled`, where the task was cancelled,
    ///   before the next model is run.
    public func perform(
        on frame: InputFrame, isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) -> Observation {
        let calls = CallGroup()
        let call = calls.add(self) { () throws(VisionError) in frame }
        await calls.finish(isolation: isolation)
        return try call.result()
    }

    /// Analyses a single image on a thread of the library.
    ///
    /// - Parameters:
    ///   - image: pixels, which must stay valid and unchanged until the call returns.
    ///   - orientation: rotation or reflection that makes the stored image upright.
    ///   - isolation: the actor of the caller.
    /// - Throws: the errors of `perform(on:)` for a frame.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) -> Observation {
        try await perform(
            on: InputFrame(image, orientation: orientation, isStill: true), isolation: isolation)
    }
}

/// Asynchronous calls of several requests, which run side by side.
final class CallGroup: Sendable {
    private struct Progress {
        var calls: [(ObjectIdentifier, @Sendable () -> Void)] = []
        var unfinished = 0
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let progress = Mutex(Progress())
    private let cancellation = Cancellation()

    /// Adds a call, which `finish` makes.
    ///
    /// - Parameter frame: returns the frame; called on the thread of the call.
    func add<Request: VisionRequest>(
        _ request: Request, on frame: @escaping () throws(VisionError) -> InputFrame
    ) -> PendingCall<Request.Observation> {
        let call = PendingCall<Request.Observation>()
        // Unsafe only for the compiler. The request locks its state; the caller keeps the frame's memory
        // valid, and does nothing else with the frame until `finish` returns.
        nonisolated(unsafe) let perform = { () throws(VisionError) in try request.perform(on: frame()) }
        let work = { @Sendable [cancellation] in
            call.make {
                () throws(VisionError) in
                try cancellation.cover { () throws(VisionError) in
                    try Cancellation.check()
                    return try perform()
                }
            }
            self.finishOne()
        }
        progress.withLock { progress in
            progress.calls.append((ObjectIdentifier(request), work))
            progress.unfinished += 1
        }
        return call
    }

    /// Makes the calls, and returns after the last one.
    func finish(isolation: isolated (any Actor)?) async {
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: isolation) { continuation in
                    let calls = progress.withLock { progress in
                        progress.continuation = continuation
                        return progress.calls
                    }
                    for (request, work) in calls { AnalysisThreads.shared.add(request, work) }
                }
            }, onCancel: { cancellation.request() }, isolation: isolation)
    }

    private func finishOne() {
        let continuation = progress.withLock { progress in
            progress.unfinished -= 1
            return progress.unfinished == 0 ? progress.continuation : nil
        }
        continuation?.resume()
    }
}

/// The result of an asynchronous call, once it has been made.
final class PendingCall<Observation: Sendable>: Sendable {
    private let outcome = Mutex(Result<Observation, VisionError>.failure(.cancelled))

    /// Makes the call.
    func make(_ call: () throws(VisionError) -> Observation) {
        let made = Result(catching: call)
        outcome.withLock { $0 = made }
    }

    /// Returns what the call has returned, or throws its error.
    func result() throws(VisionError) -> Observation { try outcome.withLock { $0 }.get() }
}
