import GStreamerKit
import Imaging

/// The picture or the looping clip behind the people of one stream.
///
/// What a stream starts with is loaded before its first frame. What is chosen while the stream runs is
/// loaded on another thread; until it is ready, the one before stays.
final class BackgroundMedia: Sendable {
    /// Everything that decides what the background looks like in the stream.
    struct Wanted: Sendable, Equatable {
        var location: String
        var style: PictureStyle
        /// Whether a clip plays; otherwise its first frame is the picture.
        var plays: Bool
        var info: VideoInfo
    }

    fileprivate struct Ready: Sendable {
        var wanted: Wanted
        var picture: FittedPicture
        var clip: LoopingClip?
        /// Whether the picture is a makeshift, shown until the one wanted is decoded again.
        var isStandIn = false

        /// Whether this is what is wanted; a colour that is nowhere seen may differ.
        func isAsked(by other: Wanted) -> Bool {
            var asked = other
            if !picture.showsBorder { asked.style.border = wanted.style.border }
            return asked == wanted && !isStandIn
        }
    }

    fileprivate struct State: Sendable {
        var decoded: (location: String, picture: StillPicture)?
        var ready: Ready?
        var pending: Wanted?
        var failed: Wanted?
    }

    private let state = Guarded(State())
    /// Larger decoded pictures are let go of once they are fitted: more than 4096x2304 pixels of RGBA.
    private static let mostBytesKept = 36 << 20

    /// Lets go of everything; returns when nothing is decoded any more.
    func clear() {
        let old = state.update { state in
            defer { state = State() }
            return state.ready
        }
        old?.clip?.stop()
    }

    /// Decodes what is at `location`, so that a wrong name is found out before the stream starts.
    func decode(_ location: String) throws(ElementError) { _ = try picture(at: location) }

    /// Makes the background ready for `element` before it returns.
    func load(_ wanted: Wanted, for element: VideoElement) throws(ElementError) {
        let standIn = standIn(for: wanted)
        let ready = if let standIn { standIn } else { try make(wanted, waits: !element.isLive) }
        // What is being loaded for other caps must not take its place.
        let old = state.update { state in
            defer { (state.ready, state.pending, state.failed) = (ready, nil, nil) }
            return state.ready
        }
        guard let clip = old?.clip else { return }
        // Its threads end when they are done with their frames: nothing that a stream should wait for.
        element.runAsynchronously { () throws(ElementError) in clip.stop() }
    }

    /// The background of a frame, or what was there before while the one wanted is loaded for `element`.
    ///
    /// - Parameter time: running time of the frame, in nanoseconds.
    func picture(_ wanted: Wanted, for element: VideoElement, at time: UInt64?) -> FittedPicture? {
        let (ready, isNew) = state.update { $0.want(wanted) }
        if isNew {
            let waits = !element.isLive
            element.runAsynchronously { [self] () throws(ElementError) in try finish(wanted, waits: waits) }
        }
        guard let clip = ready?.clip else { return ready?.picture }
        if let failure = clip.takeFailure() { element.post(warning: failure) }
        return clip.frame(at: time) ?? ready?.picture
    }

    // MARK: - Loading

    /// Loads what is pending; a failure is remembered, so that it is reported once and not per frame.
    private func finish(_ wanted: Wanted, waits: Bool) throws(ElementError) {
        do throws(ElementError) {
            let ready = try make(wanted, waits: waits)
            state.update { $0.install(ready) }?.clip?.stop()
        } catch {
            state.update { $0.fail(wanted) }
            throw error
        }
    }

    private func make(_ wanted: Wanted, waits: Bool) throws(ElementError) -> Ready {
        let still = try picture(at: wanted.location)
        let picture = try FittedPicture.fitting(still, to: wanted.info, wanted.style)
        if still.byteCount > Self.mostBytesKept { state.update { $0.decoded = nil } }
        guard wanted.plays, still.isClip else { return Ready(wanted: wanted, picture: picture, clip: nil) }
        let clip = try LoopingClip(wanted.location, for: wanted.info, wanted.style, waits: waits)
        return Ready(wanted: wanted, picture: picture, clip: clip)
    }

    /// What is shown, scaled to other frames, when the picture would have to be decoded again.
    ///
    /// Decoding a large picture takes longer than a frame.
    private func standIn(for wanted: Wanted) -> Ready? {
        let state = state.snapshot()
        guard let ready = state.ready, ready.wanted.location == wanted.location,
            state.decoded?.location != wanted.location
        else { return nil }
        return ready.picture.refitted(to: wanted.info).map {
            Ready(wanted: wanted, picture: $0, clip: nil, isStandIn: true)
        }
    }

    private func picture(at location: String) throws(ElementError) -> StillPicture {
        if let decoded = state.snapshot().decoded, decoded.location == location { return decoded.picture }
        let picture = try StillPicture.load(location)
        state.update { $0.decoded = (location, picture) }
        return picture
    }
}

extension BackgroundMedia.State {
    /// What to show, and whether what is wanted must be loaded.
    fileprivate mutating func want(_ wanted: BackgroundMedia.Wanted) -> (BackgroundMedia.Ready?, Bool) {
        guard let best = ready, best.wanted.info == wanted.info else { return (nil, start(wanted)) }
        if best.isAsked(by: wanted) || wanted == failed { return (best, false) }
        if let clip = best.clip, wanted.isSameMedia(as: best.wanted) {
            clip.restyle(wanted.style)
            ready?.wanted = wanted
            return (best, false)
        }
        return (best, start(wanted))
    }

    private mutating func start(_ wanted: BackgroundMedia.Wanted) -> Bool {
        guard pending == nil, wanted != failed else { return false }
        pending = wanted
        return true
    }

    /// Puts in what was pending; returns what is not used any more.
    fileprivate mutating func install(_ new: BackgroundMedia.Ready) -> BackgroundMedia.Ready? {
        guard pending == new.wanted else { return new }
        defer { (ready, pending, failed) = (new, nil, nil) }
        return ready
    }

    fileprivate mutating func fail(_ wanted: BackgroundMedia.Wanted) {
        guard pending == wanted else { return }
        (pending, failed) = (nil, wanted)
    }
}

extension BackgroundMedia.Wanted {
    fileprivate func isSameMedia(as other: Self) -> Bool {
        location == other.location && plays == other.plays && info == other.info
    }
}
