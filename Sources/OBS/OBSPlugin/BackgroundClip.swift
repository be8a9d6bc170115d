import COBS
import Synchronization

/// A clip that plays in a loop, without sound, in a media source that belongs to no scene.
///
/// libobs has no other decoder of videos. A thread that draws no frames opens and closes the source, since both
/// wait for locks that OBS holds while it draws.
final class BackgroundClip: Sendable {
    private struct State: @unchecked Sendable {
        // Unchecked: libobs' functions for sources may be called from any thread.
        var path: String?
        var source: OpaquePointer?
        /// The newest frame, which `frame(of:)` has not returned yet.
        var newest: SourceFrame?
        /// The frame that `frame(of:)` has returned last.
        var current: SourceFrame?
        /// Seconds until the first frame.
        var wait: Float = 0

        /// Whether there will be no more frames: the source plays in a loop, and ends only where it cannot read on.
        var hasFailed: Bool {
            guard let source, newest == nil else { return false }
            return obs_source_media_get_state(source) == OBS_MEDIA_STATE_ENDED
                || current == nil && wait > BackgroundClip.longestWait
        }
    }

    /// Seconds until a file without a frame counts as unreadable, as in `blendmask`.
    private static let longestWait: Float = 10

    private let state = Mutex(State())

    deinit { stop() }

    /// Whether a file is open.
    var isOpen: Bool { state.withLock { $0.path != nil } }

    /// Whether `frame` would return another frame than before, or none.
    func hasNews(of path: String) -> Bool {
        state.withLock { $0.path != path || $0.newest != nil || $0.hasFailed }
    }

    /// Takes the clip's newest frame; called with each tick of OBS, because the source drops frames that are not
    /// taken.
    func tick(_ seconds: Float) {
        state.withLock { state in
            guard let source = state.source else { return }
            state.wait += seconds
            guard let frame = obs_source_get_frame(source) else { return }
            obs_source_release_frame(source, state.newest)
            state.newest = frame
        }
    }

    /// Returns the newest frame, which stays valid until the next call; nil if there is none yet.
    ///
    /// Opens the file, in the place of the one before.
    func frame(of path: String) throws(BackgroundError) -> SourceFrame? {
        if !state.withLock({ $0.path == path }) {
            stop()
            try open(path)
        }
        let now = state.withLock { state in
            if state.newest != nil {
                obs_source_release_frame(state.source, state.current)
                (state.current, state.newest) = (state.newest, nil)
            }
            return state
        }
        if now.hasFailed { throw .unplayable(path) }
        return now.current
    }

    /// Closes the file.
    func stop() {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        for frame in [old.newest, old.current] { obs_source_release_frame(old.source, frame) }
        obs_source_release(old.source)
    }

    private func open(_ path: String) throws(BackgroundError) {
        // libobs also makes sources of kinds that it does not know.
        guard obs_get_source_output_flags(Self.kind) & UInt32(OBS_SOURCE_ASYNC) != 0 else { throw .noPlayer }
        let settings = obs_data_create()
        defer { obs_data_release(settings) }
        obs_data_set_string(settings, "local_file", path)
        obs_data_set_bool(settings, "looping", true)
        // Otherwise it would wait for a scene that shows it.
        obs_data_set_bool(settings, "restart_on_activate", false)
        obs_data_set_bool(settings, "clear_on_media_end", false)
        guard let source = obs_source_create_private(Self.kind, path, settings) else { throw .noPlayer }
        obs_source_set_muted(source, true)
        // The newest frame counts.
        obs_source_set_async_unbuffered(source, true)
        let opened = State(path: path, source: source)
        state.withLock { $0 = opened }
    }

    private static let kind = "ffmpeg_source"
}
