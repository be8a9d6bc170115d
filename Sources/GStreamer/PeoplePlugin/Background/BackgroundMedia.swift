import Composer
import GStreamerKit
import Imaging
import PeopleSettings

/// The background picture or looping clip of one stream.
///
/// The first background of a stream is loaded before its first frame. Live frames do not wait for a
/// background on another machine. A background that is chosen while the stream runs is loaded on another
/// thread; the previous one stays until the new one is ready, or for good if the new one cannot be read.
///
/// Locks follow the rule of `Guarded`: under the lock the state only decides what is shown and who loads.
/// Loading, converting, restyling and stopping happen outside of it.
final class BackgroundMedia: Sendable {
    /// The settings and caps that determine the background's picture in the stream.
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
        /// Whether the picture is a placeholder, shown until the wanted one has been decoded again.
        var isStandIn = false

        /// Whether this background is the one that `other` asks for; an invisible border colour may differ.
        func isAsked(by other: Wanted) -> Bool {
            var asked = other
            if !picture.showsBorder { asked.style.border = wanted.style.border }
            return asked == wanted && !isStandIn
        }
    }

    /// The background of a frame.
    struct Shown {
        let picture: ConvertedPicture
        /// Whether the next frames show the same picture.
        let isStill: Bool
    }

    /// The action that makes the background the wanted one, carried out outside the lock.
    fileprivate enum Task: Sendable { case nothing, restyle, load }

    fileprivate struct State: Sendable {
        var decoded: (location: String, picture: StillPicture)?
        var ready: Ready?
        var pending: Wanted?
        var failed: Wanted?
        /// Whether the stream has begun, so that an unreadable background no longer ends it.
        var isUnderWay = false
        /// Whether the stream is about to end, so that nothing is loaded any more.
        var isInterrupted = false
        /// Number of the stream; loads for an earlier stream are discarded.
        var stream = 0
    }

    private let state = Guarded(State())
    /// Size above which decoded pictures are released after their conversion: more than 4096x2304 pixels of
    /// RGBA.
    private static let maximumBytesKept = 36 << 20

    /// Releases everything; returns when decoding has ended.
    func clear() {
        let old = state.update { state in
            defer {
                let stream = state.stream &+ 1
                state = State()
                state.stream = stream
            }
            return state.ready
        }
        old?.clip?.stop()
    }

    /// Ends all waits, and loads nothing until `clear`, because the stream ends.
    func interrupt() {
        let clip = state.update { state in
            state.isInterrupted = true
            return state.ready?.clip
        }
        clip?.interrupt()
    }

    /// Decodes the picture at `location`, so that a wrong name is reported before the stream starts; does
    /// nothing for a picture on another machine, which may take longer than a change of state.
    func decode(_ location: String) throws(ElementError) {
        if try StillPicture.isOnThisMachine(location) { _ = try picture(at: location) }
    }

    /// Loads the wanted background for `element` before it returns; does nothing if there is none.
    ///
    /// - Throws: errors of `StillPicture.load`, if the stream has not begun.
    func load(_ wanted: Wanted?, for element: VideoElement) throws(ElementError) {
        let isUnderWay = state.update { state in
            defer { state.isUnderWay = true }
            return state.isUnderWay
        }
        guard let wanted, !isReady(wanted) else { return }
        if isUnderWay { return follow(wanted, for: element) }
        do throws(ElementError) { try start(wanted, for: element) } catch {
            // GStreamer sends refused caps again, before the next data.
            fail(wanted)
            throw error
        }
    }

    private func start(_ wanted: Wanted, for element: VideoElement) throws(ElementError) {
        let isRemote = try needsOtherMachine(wanted)
        if isRemote, element.isLive {
            state.update { $0.pending = wanted }
            return loadAsynchronously(wanted, for: element, isFatal: true)
        }
        if let ready = try make(wanted, waits: !element.isLive) { install(ready, for: element) }
    }

    /// Converts the background for new caps; converts the previous one if the wanted one cannot be loaded.
    private func follow(_ wanted: Wanted, for element: VideoElement) {
        if let standIn = standIn(for: wanted) { return install(standIn, for: element) }
        let (before, failed) = state.update { ($0.ready, $0.failed) }
        if failed?.location != wanted.location {
            do throws(ElementError) {
                if let ready = try make(wanted, waits: !element.isLive) { install(ready, for: element) }
                return
            } catch { element.post(warning: error) }
        }
        guard var last = before?.wanted else { return fail(wanted) }
        last.info = wanted.info
        let made = try? make(last, waits: !element.isLive)
        let stretched = before?.picture.stretched(to: wanted.info).map { Ready(wanted: last, picture: $0) }
        if let ready = made ?? stretched { install(ready, for: element) }
        fail(wanted)
    }

    private func fail(_ wanted: Wanted) { state.update { $0.failed = wanted } }

    private func isReady(_ wanted: Wanted) -> Bool { state.snapshot().ready?.isAsked(by: wanted) ?? false }

    private func needsOtherMachine(_ wanted: Wanted) throws(ElementError) -> Bool {
        guard state.snapshot().decoded?.location != wanted.location else { return false }
        return try !StillPicture.isOnThisMachine(wanted.location)
    }

    private func install(_ ready: Ready, for element: VideoElement) {
        let kind = ready.clip == nil ? "picture" : "clip"
        element.log.info("background is the \(kind) \(ready.wanted.location)", of: element)
        // A background that is being loaded for other caps must not replace this one.
        let old = state.update { state in
            defer { (state.ready, state.pending, state.failed) = (ready, nil, nil) }
            return state.ready
        }
        guard let clip = old?.clip else { return }
        // The clip's threads end after their current frames, for which a stream should not wait.
        element.runAsynchronously { () throws(ElementError) in clip.stop() }
    }

    /// Returns the background of a frame, or the previous one while `element` loads the wanted one.
    ///
    /// - Parameter time: running time of the frame, in nanoseconds.
    func picture(_ wanted: Wanted, for element: VideoElement, at time: UInt64?) -> Shown? {
        let (ready, task) = state.update { $0.want(wanted) }
        switch task {
        case .nothing: break
        case .restyle: ready?.clip?.restyle(wanted.style)
        case .load: loadAsynchronously(wanted, for: element, isFatal: false)
        }
        guard let still = ready?.picture else { return nil }
        guard let clip = ready?.clip else { return Shown(picture: still, isStill: true) }
        if let failure = clip.takeFailure() { element.post(warning: failure) }
        return clip.frame(at: time).map { Shown(picture: $0, isStill: false) }
            ?? Shown(picture: still, isStill: true)
    }

    // MARK: - Loading

    /// Loads the pending background on another thread.
    private func loadAsynchronously(_ wanted: Wanted, for element: VideoElement, isFatal: Bool) {
        let waits = !element.isLive
        element.runAsynchronously(isFatal: isFatal) { [self] () throws(ElementError) in
            try finish(wanted, waits: waits)
        }
    }

    /// Loads the pending background; stores a failure, so that it is reported once and not per frame.
    private func finish(_ wanted: Wanted, waits: Bool) throws(ElementError) {
        do throws(ElementError) {
            guard let ready = try make(wanted, waits: waits) else { return }
            let unused = state.update { $0.install(ready) }
            unused?.clip?.stop()
        } catch {
            state.update { $0.fail(wanted) }
            throw error
        }
    }

    /// Makes the background; nil when the stream has ended meanwhile.
    private func make(_ wanted: Wanted, waits: Bool) throws(ElementError) -> Ready? {
        let stream = state.snapshot().stream
        guard let still = try picture(at: wanted.location) else { return nil }
        let picture = try ConvertedPicture.converting(still, to: wanted.info, wanted.style)
        if still.byteCount > Self.maximumBytesKept { state.update { $0.decoded = nil } }
        guard wanted.plays, still.isClip else { return Ready(wanted: wanted, picture: picture, clip: nil) }
        guard !isOver(stream) else { return nil }
        let clip = try LoopingClip(wanted.location, for: wanted.info, wanted.style, waits: waits)
        return Ready(wanted: wanted, picture: picture, clip: clip)
    }

    /// Returns the current picture, stretched to other frames, if the wanted one would have to be decoded
    /// again.
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

    /// Whether a stream has ended, or is about to.
    private func isOver(_ stream: Int) -> Bool {
        let state = state.snapshot()
        return state.isInterrupted || state.stream != stream
    }

    private func picture(at location: String) throws(ElementError) -> StillPicture? {
        let state = state.snapshot()
        if let decoded = state.decoded, decoded.location == location { return decoded.picture }
        guard !state.isInterrupted else { return nil }
        let stream = state.stream
        guard let picture = try StillPicture.load(location, isCancelled: { isOver(stream) }) else {
            return nil
        }
        self.state.update { if $0.stream == stream { $0.decoded = (location, picture) } }
        return picture
    }
}

extension BackgroundMedia.State {
    /// Returns the background to show, and the action that makes the wanted one ready.
    fileprivate mutating func want(
        _ wanted: BackgroundMedia.Wanted
    ) -> (BackgroundMedia.Ready?, BackgroundMedia.Task) {
        guard let best = ready, best.wanted.info == wanted.info else { return (nil, start(wanted)) }
        if best.isAsked(by: wanted) || wanted.location == failed?.location { return (best, .nothing) }
        if best.clip != nil, wanted.isSameMedia(as: best.wanted) {
            ready?.wanted = wanted
            return (best, .restyle)
        }
        return (best, start(wanted))
    }

    private mutating func start(_ wanted: BackgroundMedia.Wanted) -> BackgroundMedia.Task {
        guard pending == nil, wanted.location != failed?.location else { return .nothing }
        pending = wanted
        return .load
    }

    /// Installs the pending background; returns the one that is no longer used.
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

/// The background that settings ask for beside the frames themselves: a picture, a clip, or a colour that follows a head.
final class FrameBackground {
    private let media = BackgroundMedia()
    /// The picture of the current frame, whose memory it keeps alive.
    private var shown: BackgroundMedia.Shown?
    private var poseColor = PoseColor()

    /// Decodes the picture, so that a wrong name is reported before the stream starts.
    func decode(_ settings: BlendSettings) throws(ElementError) {
        if let location = settings.location { try media.decode(location) }
    }

    /// Loads the picture or clip for frames.
    func load(
        _ settings: BlendSettings, _ info: VideoInfo, for element: VideoElement
    ) throws(ElementError) {
        try media.load(BackgroundMedia.Wanted(settings, info), for: element)
    }

    /// Ends all waits, because the stream ends; called from any thread.
    func interrupt() { media.interrupt() }

    /// Releases everything.
    func clear() {
        shown = nil
        media.clear()
        poseColor = PoseColor()
    }

    /// Handles a frame that does not follow the last one.
    func discontinuity() { poseColor.interrupt() }

    /// Begins an image that shares nothing with those before it.
    func beginScene() { poseColor = PoseColor() }

    /// Returns the picture or colour of a frame, valid until the next call; nil while there is none.
    func source(
        _ settings: BlendSettings, for frame: borrowing VideoFrame, of element: VideoElement
    ) -> BackgroundSource? {
        switch settings.resolvedSource {
        case .pose:
            let pose = PeopleFacesMeta.largestPose(in: frame)
            return .color(
                poseColor.color(pose, showing: settings.poseAngle, at: frame.presentationTime))
        case .picture, .clip:
            let time = element.runningTime(of: frame)
            let wanted = BackgroundMedia.Wanted(settings, frame.info)
            shown = wanted.flatMap { media.picture($0, for: element, at: time) }
            return shown.map {
                .picture($0.picture.image, revision: $0.isStill ? $0.picture.revision : nil)
            }
        case .auto, .original, .color, .transparent: return nil
        }
    }
}

extension BackgroundMedia.Wanted {
    fileprivate init?(_ settings: BlendSettings, _ info: VideoInfo) {
        guard let location = settings.location else { return nil }
        let style = PictureStyle(
            fit: settings.fit, isMirrored: settings.isMirrored, border: settings.color)
        self.init(location: location, style: style, plays: settings.source != .picture, info: info.timeless)
    }
}
