import GStreamerKit
import Imaging

/// The background picture or looping clip of one stream.
///
/// What a stream starts with is loaded before its first frame. What is chosen while the stream runs is
/// loaded on another thread; until it is ready, the one before stays.
///
/// Locks follow `Guarded`'s rule: under the state's lock it is only decided what is to be shown and who loads;
/// loading, converting, restyling and stopping happen outside.
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
        var picture: ConvertedPicture
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

    /// What a frame's background shows.
    struct Shown {
        let picture: ConvertedPicture
        /// Whether further frames show the same picture.
        let isStill: Bool
    }

    /// What is to be done, outside the lock, so that the state becomes what is wanted.
    fileprivate enum Task: Sendable { case nothing, restyle, load }

    fileprivate struct State: Sendable {
        var decoded: (location: String, picture: StillPicture)?
        var ready: Ready?
        var pending: Wanted?
        var failed: Wanted?
    }

    private let state = Guarded(State())
    /// Larger decoded pictures are let go of once they are converted: more than 4096x2304 pixels of RGBA.
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
    func picture(_ wanted: Wanted, for element: VideoElement, at time: UInt64?) -> Shown? {
        let (ready, task) = state.update { $0.want(wanted) }
        switch task {
        case .nothing: break
        case .restyle: ready?.clip?.restyle(wanted.style)
        case .load:
            let waits = !element.isLive
            element.runAsynchronously { [self] () throws(ElementError) in try finish(wanted, waits: waits) }
        }
        guard let still = ready?.picture else { return nil }
        guard let clip = ready?.clip else { return Shown(picture: still, isStill: true) }
        if let failure = clip.takeFailure() { element.post(warning: failure) }
        return clip.frame(at: time).map { Shown(picture: $0, isStill: false) }
            ?? Shown(picture: still, isStill: true)
    }

    // MARK: - Loading

    /// Loads what is pending; a failure is remembered, so that it is reported once and not per frame.
    private func finish(_ wanted: Wanted, waits: Bool) throws(ElementError) {
        do throws(ElementError) {
            let ready = try make(wanted, waits: waits)
            let unused = state.update { $0.install(ready) }
            unused?.clip?.stop()
        } catch {
            state.update { $0.fail(wanted) }
            throw error
        }
    }

    private func make(_ wanted: Wanted, waits: Bool) throws(ElementError) -> Ready {
        let still = try picture(at: wanted.location)
        let picture = try ConvertedPicture.converting(still, to: wanted.info, wanted.style)
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
        return ready.picture.stretched(to: wanted.info).map {
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
    /// What to show, and what is to be done for what is wanted.
    fileprivate mutating func want(
        _ wanted: BackgroundMedia.Wanted
    ) -> (BackgroundMedia.Ready?, BackgroundMedia.Task) {
        guard let best = ready, best.wanted.info == wanted.info else { return (nil, start(wanted)) }
        if best.isAsked(by: wanted) || wanted == failed { return (best, .nothing) }
        if best.clip != nil, wanted.isSameMedia(as: best.wanted) {
            ready?.wanted = wanted
            return (best, .restyle)
        }
        return (best, start(wanted))
    }

    private mutating func start(_ wanted: BackgroundMedia.Wanted) -> BackgroundMedia.Task {
        guard pending == nil, wanted != failed else { return .nothing }
        pending = wanted
        return .load
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
