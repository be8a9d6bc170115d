import COBS
import Synchronization

/// The reason why a filter covers frames, for its settings and OBS's log.
final class FilterReport: @unchecked Sendable {
    // Unchecked: OBS's functions for a source may be called from any thread.
    private let source: OpaquePointer?
    private let stored = Mutex<String?>(nil)

    init(_ source: OpaquePointer?) { self.source = source }

    /// A sentence or two; nil while frames are shown as they are asked for.
    var text: String? { stored.withLock { $0 } }

    /// Stores the reason, and tells it once.
    ///
    /// - Parameter isFault: whether it is written to the log as a warning.
    func set(_ reason: String?, isFault: Bool = true) {
        let isNew = stored.withLock { text in
            defer { text = reason }
            return text != reason
        }
        guard isNew else { return }
        if let reason {
            if isFault { Log.warn(reason, of: source) } else { Log.info(reason, of: source) }
        }
        // Open settings are drawn again.
        obs_source_update_properties(source)
    }
}
