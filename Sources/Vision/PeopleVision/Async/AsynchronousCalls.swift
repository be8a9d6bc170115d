public import Imaging
import Synchronization

extension VisionRequest {
    /// Analyses `frame` on a thread of the library.
    ///
    /// Calls of one request are made in their order. Settings that are changed meanwhile count from the next
    /// call on; synchronous calls of the same request wait. In asynchronous code the name stands for this call;
    /// a synchronous function calls the other.
    ///
    /// - Parameters:
    ///   - frame: the frame, whose memory must stay valid and unchanged until the call returns.
    ///   - isolation: the actor of the caller.
    /// - Throws: the errors of the synchronous call; `VisionError.cancelled`, where the task was cancelled,
    ///   before the next model is run.
    public func perform(
        on frame: InputFrame, isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) -> Observation {
        try await runOnLibraryThread(of: self, isolation) { () throws(VisionError) in
            try self.perform(on: frame)
        }
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

/// Runs `body` on a thread of the library, in the order of the calls of `request`.
func runOnLibraryThread<Value: Sendable>(
    of request: AnyObject, _ isolation: isolated (any Actor)?,
    _ body: @escaping () throws(VisionError) -> Value
) async throws(VisionError) -> Value {
    let calls = CallGroup()
    let call = calls.add(request, body)
    await calls.finish(isolation: isolation)
    return try call.result()
}

/// Asynchronous calls of several requests, which run side by side.
final class CallGroup: Sendable {
    private struct Progress {
        /// The calls that `finish` has yet to make; each keeps the group.
        var calls: [(ObjectIdentifier, @Sendable () -> Void)] = []
        /// The cancellation of each call; each keeps the group until `finish` ends.
        var cancellations: [Cancellation] = []
        var unfinished = 0
        var continuation: CheckedContinuation<Void, Never>?

        /// Returns the calls, and keeps none.
        mutating func takeCalls() -> [(ObjectIdentifier, @Sendable () -> Void)] {
            defer { calls = [] }
            return calls
        }
    }

    private let progress = Mutex(Progress())

    /// Adds a call of a request for the frame that `frame` returns on the thread of the call.
    func add<Request: VisionRequest>(
        _ request: Request, on frame: @escaping () throws(VisionError) -> InputFrame
    ) -> PendingCall<Request.Observation> {
        add(request) { () throws(VisionError) in try request.perform(on: frame()) }
    }

    /// Adds a call of a request, which `finish` makes.
    func add<Value: Sendable>(
        _ request: AnyObject, _ body: @escaping () throws(VisionError) -> Value
    ) -> PendingCall<Value> {
        let call = PendingCall<Value>()
        // Unsafe only for the compiler. The request locks its state; the caller keeps the frame's memory
        // valid, and does nothing else with the frame until `finish` returns.
        nonisolated(unsafe) let body = body
        let cancellation = Cancellation { self.finishOne() }
        let work = { @Sendable in
            call.make {
                () throws(VisionError) in
                try cancellation.cover { () throws(VisionError) in
                    try Cancellation.check()
                    return try body()
                }
            }
            if cancellation.end() { self.finishOne() }
        }
        progress.withLock { progress in
            progress.cancellations.append(cancellation)
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
                        return progress.takeCalls()
                    }
                    guard !calls.isEmpty else { return continuation.resume() }
                    for (request, work) in calls { AnalysisThreads.shared.add(request, work) }
                }
            },
            onCancel: {
                // A call that is abandoned changes `progress`.
                for cancellation in progress.withLock({ $0.cancellations }) { cancellation.request() }
            }, isolation: isolation)
        progress.withLock { $0.cancellations = [] }
    }

    private func finishOne() {
        let continuation = progress.withLock { progress in
            progress.unfinished -= 1
            guard progress.unfinished == 0 else { return nil as CheckedContinuation<Void, Never>? }
            defer { progress.continuation = nil }
            return progress.continuation
        }
        continuation?.resume()
    }
}

/// The result of an asynchronous call, once it has been made.
final class PendingCall<Value: Sendable>: Sendable {
    private let outcome = Mutex(Result<Value, VisionError>.failure(.cancelled))

    /// Makes the call.
    func make(_ call: () throws(VisionError) -> Value) {
        let made = Result(catching: call)
        outcome.withLock { $0 = made }
    }

    /// Returns what the call has returned, or throws its error.
    func result() throws(VisionError) -> Value { try outcome.withLock { $0 }.get() }
}
