import Glibc
import Threads

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
