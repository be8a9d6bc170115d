import COBS
import Synchronization

/// Frames of filters that are gone, which the source may still be about to show.
///
/// A source points to its current frame from one tick of OBS to the next, and to the one before while it is
/// deinterlaced. No function tells when it is done with a frame that is not its own.
final class RetiredFrames: Sendable {
    static let shared = RetiredFrames()

    /// Ticks after which no source points to a frame any more: one that is under way, and two whole ones.
    private static let patience = 3

    // OBS finds a callback to remove by its address.
    private static let onTick: @convention(c) (UnsafeMutableRawPointer?, Float) -> Void = { _, _ in
        RetiredFrames.shared.tick()
    }

    private struct Entry: @unchecked Sendable {
        // Unchecked: nobody else has the frame.
        let frame: UnsafeMutablePointer<obs_source_frame>
        var ticks: Int
    }
    private let entries = Mutex<[Entry]>([])

    /// Begins to count ticks.
    func begin() { obs_add_tick_callback(Self.onTick, nil) }

    /// Ends counting, and releases all frames.
    func end() {
        obs_remove_tick_callback(Self.onTick, nil)
        let rest = entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
        for entry in rest { obs_source_frame_destroy(entry.frame) }
    }

    /// Takes over a frame that no filter uses any more.
    func add(_ frame: UnsafeMutablePointer<obs_source_frame>) {
        let entry = Entry(frame: frame, ticks: Self.patience)
        entries.withLock { $0.append(entry) }
    }

    private func tick() {
        let done = entries.withLock { entries in
            guard !entries.isEmpty else { return [Entry]() }
            for index in entries.indices { entries[index].ticks -= 1 }
            defer { entries.removeAll { $0.ticks <= 0 } }
            return entries.filter { $0.ticks <= 0 }
        }
        for entry in done { obs_source_frame_destroy(entry.frame) }
    }
}
