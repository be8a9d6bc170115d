import Threads

/// Compiled models that are kept for a while after the last request that uses them has been released.
///
/// A program that makes a request for each photo would otherwise load all models for each photo.
package final class RecentModels: Sendable {
    /// The models of the process.
    package static let shared = RecentModels(lifetime: 10)

    /// Models of one kind, of which the one of the newest size is kept.
    private struct Key: Hashable {
        let info: ModelInfo
        let options: ComputeOptions
    }

    private struct State {
        var models: [Key: (model: CompiledModel, end: ContinuousClock.Instant)] = [:]
        /// Whether a thread waits for the end of the models' time.
        var isWatched = false

        /// Removes the models whose time has ended, all of them if the caller says so.
        mutating func takeEnded(at time: ContinuousClock.Instant?) -> [CompiledModel] {
            let ended = models.filter { _, kept in time.map { kept.end <= $0 } ?? true }
            for key in ended.keys { models[key] = nil }
            return ended.values.map(\.model)
        }
    }

    private let state = Monitor(State())
    private let lifetime: Double

    /// Creates an empty collection.
    ///
    /// - Parameter lifetime: the time for which a model is kept, in seconds.
    package init(lifetime: Double) { self.lifetime = lifetime }

    /// Keeps a model for its time from now on; one of another size is kept no longer.
    package func keep(_ model: CompiledModel) {
        let end = ContinuousClock.now + .seconds(lifetime)
        let key = Key(info: model.info, options: model.options)
        let (former, isWatched) = state.update { state in
            let former = state.models.updateValue((model, end), forKey: key)
            defer { state.isWatched = true }
            return (former?.model, state.isWatched)
        }
        // Models are released outside of the lock, because that takes long.
        withExtendedLifetime(former) {}
        guard !isWatched, BackgroundThread({ self.watch() }) == nil else { return }
        // The system grants no thread: nothing is kept.
        state.update { $0.isWatched = false }
        release()
    }

    /// Keeps no model any longer.
    package func release() {
        let models = state.update { $0.takeEnded(at: nil) }
        withExtendedLifetime(models) {}
    }

    /// Removes models when their time has ended, until there are none.
    private func watch() {
        while let end = nextEnd() {
            let seconds = (end - ContinuousClock.now) / .seconds(1)
            _ = state.wait(until: Deadline(in: seconds)) { $0.models.isEmpty ? true : nil }
            let ended = state.update { $0.takeEnded(at: ContinuousClock.now) }
            withExtendedLifetime(ended) {}
        }
    }

    /// The moment at which the first model's time ends; nil where there are none, and the thread ends.
    private func nextEnd() -> ContinuousClock.Instant? {
        state.update { state in
            let first = state.models.values.map(\.end).min()
            state.isWatched = first != nil
            return first
        }
    }
}
