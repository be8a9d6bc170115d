import GStreamerKit
import Imaging

/// The picture behind the people of one stream.
///
/// The picture that a stream starts with is loaded before its first frame. One that is chosen while
/// the stream runs is loaded on another thread; until it is ready, the one before stays.
final class BackgroundPicture: Sendable {
    /// Everything that decides what the picture looks like in the stream.
    struct Wanted: Sendable, Equatable {
        var location: String
        var fit: PictureFit
        var border: UInt32
        var info: VideoInfo
    }

    private struct State: Sendable {
        var decoded: (location: String, picture: StillPicture)?
        var ready: (wanted: Wanted, picture: FittedPicture)?
        var pending: Wanted?
        var failed: Wanted?
    }

    private let state = Guarded(State())

    /// Lets go of everything.
    func clear() { state.update { $0 = State() } }

    /// Decodes the picture at `location`, so that a wrong name is found out before the stream starts.
    func decode(_ location: String) throws(ElementError) { _ = try picture(at: location) }

    /// Makes the picture ready before it returns.
    func load(_ wanted: Wanted) throws(ElementError) {
        let fitted = try FittedPicture(
            picture(at: wanted.location), for: wanted.info, fit: wanted.fit, border: wanted.border)
        state.update { state in
            state.ready = (wanted, fitted)
            state.failed = nil
        }
    }

    /// The picture as wanted or, while that one is being loaded for `element`, the one before.
    func picture(_ wanted: Wanted, for element: Element) -> FittedPicture? {
        let (best, isNew) = state.update { state in
            let best = state.ready?.wanted.info == wanted.info ? state.ready?.picture : nil
            let isKnown = wanted == state.ready?.wanted || wanted == state.failed
            guard !isKnown, state.pending == nil else { return (best, false) }
            state.pending = wanted
            return (best, true)
        }
        if isNew { element.runAsynchronously { [self] () throws(ElementError) in try finish(wanted) } }
        return best
    }

    /// Loads what is pending; a failure is remembered, so that it is reported once and not per frame.
    private func finish(_ wanted: Wanted) throws(ElementError) {
        do throws(ElementError) {
            try load(wanted)
            state.update { $0.pending = nil }
        } catch {
            state.update { state in
                state.pending = nil
                state.failed = wanted
            }
            throw error
        }
    }

    private func picture(at location: String) throws(ElementError) -> StillPicture {
        if let decoded = state.snapshot().decoded, decoded.location == location { return decoded.picture }
        let picture = try StillPicture.load(location)
        state.update { $0.decoded = (location, picture) }
        return picture
    }
}
