import Glibc
public import Imaging
import Synchronization
import Threads

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

/// The threads on which asynchronous calls analyse images, so that no thread of Swift's tasks is blocked.
///
/// Calls of one request are made in their order, one at a time; those of different requests side by side.
/// Threads are started when they are needed, and stay.
final class AnalysisThreads: Sendable {
    /// The threads of the process.
    static let shared = AnalysisThreads()

    /// One for each core; two at least, so that one long call does not hold up the others.
    private static let maximumCount = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    private struct Call {
        let request: ObjectIdentifier
        let work: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Call] = []
        /// The requests whose calls are running.
        var busy: Set<ObjectIdentifier> = []
        var count = 0
        var idleCount = 0

        /// Takes the first call whose request is not busy.
        mutating func next() -> Call? {
            guard let index = waiting.firstIndex(where: { !busy.contains($0.request) }) else { return nil }
            let call = waiting.remove(at: index)
            busy.insert(call.request)
            return call
        }
    }

    private let state = Monitor(State())

    /// Runs `work` on one of the threads, after the earlier calls of the request.
    ///
    /// - Parameter request: the request, which `work` keeps alive.
    func add(_ request: ObjectIdentifier, _ work: @escaping @Sendable () -> Void) {
        let isThreadNeeded = state.update { state in
            state.waiting.append(Call(request: request, work: work))
            guard state.idleCount < state.waiting.count, state.count < Self.maximumCount else { return false }
            state.count += 1
            return true
        }
        guard isThreadNeeded, BackgroundThread({ self.serve() }) == nil else { return }
        let isAlone = state.update { state in
            state.count -= 1
            return state.count == 0
        }
        // The system grants no thread: the caller's does the work.
        if isAlone { run(state.wait { $0.next() }) }
    }

    private func serve() {
        while true {
            state.update { $0.idleCount += 1 }
            run(
                state.wait { state in
                    guard let call = state.next() else { return nil }
                    state.idleCount -= 1
                    return call
                })
        }
    }

    private func run(_ call: Call) {
        call.work()
        _ = state.update { $0.busy.remove(call.request) }
    }
}
