import CGStreamer
import GStreamerKit
import Threads

/// Threads for long work, so that the server's thread never waits.
final class Workers {
    fileprivate struct State {
        var waiting: [Job] = []
        var isEnding = false
    }

    private let state: Monitor<State>
    /// The threads; fewer, or none, where the system grants no more.
    private let threads: [BackgroundThread]

    /// Makes `count` threads.
    init(_ count: Int) {
        let state = Monitor(State())
        self.state = state
        threads = (0..<count).compactMap { _ in BackgroundThread { Self.work(state) } }
    }

    deinit { state.update { $0.isEnding = true } }

    /// Discards waiting work, and waits for the end of work that has begun.
    func end() {
        state.update { state in (state.waiting, state.isEnding) = ([], true) }
        for thread in threads { thread.wait() }
    }

    private static func work(_ state: Monitor<State>) {
        while let job = state.wait(for: { $0.next }) { job.run() }
    }

    /// Calls `work` on another thread, and then `done` with the result on the thread of the main context.
    func run<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result, then done: @escaping (Result) -> Void
    ) {
        // `done` is called and released on the thread that made it.
        nonisolated(unsafe) let done = done
        let job = Job {
            let result = work()
            return { done(result) }
        }
        guard !threads.isEmpty else { return job.run() }
        state.update { if !$0.isEnding { $0.waiting.append(job) } }
    }

    fileprivate final class Job: @unchecked Sendable {
        // Unchecked: only one thread at a time uses it.
        private let work: () -> () -> Void
        private var finish: () -> Void = {}

        init(_ work: @escaping () -> () -> Void) { self.work = work }

        func run() {
            finish = work()
            g_idle_add(
                { job in
                    if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().finish() }
                    return 0
                }, Unmanaged.passRetained(self).toOpaque())
        }
    }
}

extension Workers.State {
    /// The next job, or nil at the end; nil as a whole while there is none.
    fileprivate var next: Workers.Job?? {
        mutating get {
            if isEnding { return .some(nil) }
            guard !waiting.isEmpty else { return nil }
            return .some(waiting.removeFirst())
        }
    }
}
