import COBS
import Composer
import Framing
import Imaging
import PeopleSettings
import PeopleVision
import Synchronization

/// The filter "People: background" of one source.
///
/// OBS calls `process` and `tick` from its drawing thread, one after the other, and the rest from any thread.
/// Fails closed: a frame without a usable mask is covered completely.
final class BackgroundFilter {
    /// The filter's settings, and the number of times that they have changed.
    private struct Asked: Sendable {
        var settings = FilterSettings()
        var revision = 0
    }

    let report: FilterReport
    private let source: OpaquePointer?
    private let asked = Mutex(Asked())

    // MARK: - State of the frames

    /// The settings of the current frame.
    private var current = Asked()
    private let composer = FrameComposer()
    /// Whether a clip plays in the background.
    private var plays = false
    private let analysis = SourceAnalysis()
    private let masks: FrameMasks
    private let deferred: DeferredFrame
    private let media = FilterBackground()
    private let outputs = OutputFrames()
    private let colorCopy = ColorCopy()
    private let picture = FollowedPicture()
    /// Time of the last frame in nanoseconds.
    private var lastTime: UInt64?
    /// The reason why the settings cannot be used as they are.
    private var fault: String?

    init(_ source: OpaquePointer?) {
        self.source = source
        masks = FrameMasks()
        deferred = DeferredFrame(masks)
        report = FilterReport(source)
    }

    /// Takes over the settings that OBS has stored.
    func update(_ data: OpaquePointer?) {
        let settings = FilterSettings(data)
        asked.withLock { asked in
            asked.settings = settings
            asked.revision &+= 1
        }
    }

    /// Handles a tick of OBS, on the thread of the frames.
    func tick(_ seconds: Float) { media.tick(seconds) }

    /// Handles the removal from a source, after the last frame.
    func leave(_ parent: OpaquePointer?) {
        if let (frame, _) = deferred.take() { obs_source_release_frame(parent, frame) }
        outputs.clear()
        picture.clear()
    }

    // MARK: - Frames

    /// Returns a frame with its background replaced, at the place of `frame`: usually the same one.
    ///
    /// - Returns: nil while the frame before stays.
    func process(_ frame: SourceFrame) -> SourceFrame? {
        follow()
        if deferred.isBusy {
            release(frame)
            return nil
        }
        let finished = deferred.take()
        guard !composer.isIdentity || current.settings.follows else {
            if let finished { release(finished.frame) }
            picture.restart()
            report.set(fault)
            return frame
        }
        guard let image = SourceImage(frame) else {
            if let finished { release(finished.frame) }
            report.set("Frames of this source have a format that the filter cannot read; they are covered.")
            return cover(frame)
        }
        let isNext = noteTime(of: frame)
        guard current.settings.segment.separates else {
            if let finished { release(finished.frame) }
            return show(frame, image, findMask(in: image, of: frame))
        }
        if let finished, !isNext { release(finished.frame) }
        return exchange(frame, image, isNext ? finished : nil)
    }

    /// Holds a frame back for its masks, and returns the one that was held back before.
    ///
    /// A mask of each person may take longer than OBS's drawing may wait.
    private func exchange(
        _ frame: SourceFrame, _ image: SourceImage, _ finished: (frame: SourceFrame, error: VisionError?)?
    ) -> SourceFrame? {
        let shown = finished.flatMap { held in
            SourceImage(held.frame).flatMap {
                show(held.frame, $0, held.error.map { .fault($0.description) })
            }
        }
        switch analysis.request(for: image, current.settings.segment, attempt: current.revision) {
        case .ready(let request, separates: true):
            deferred.hold(frame, image.input(at: frame.pointee.timestamp), request)
            return shown
        case .ready, .loading: return replace(frame, image, shown, .loading)
        case .failed(let error): return replace(frame, image, shown, .fault(error.description))
        }
    }

    /// Returns the frame that is already composed, if there is one, and else a covered one.
    private func replace(
        _ frame: SourceFrame, _ image: SourceImage, _ shown: SourceFrame?, _ problem: Problem
    ) -> SourceFrame? {
        guard let shown else { return show(frame, image, problem) }
        release(frame)
        return shown
    }

    /// Composes a frame, or covers it if there is a problem, and returns it, or one of the filter's own with the part of it that
    /// follows the people.
    private func show(_ frame: SourceFrame, _ image: SourceImage, _ problem: Problem?) -> SourceFrame? {
        let composed = composed(frame, image, problem)
        guard current.settings.follows else { return composed }
        if case .loading? = problem {
            // The people of the first frame with masks are shown at once, however long that takes.
            picture.restart()
        } else {
            let people = problem == nil ? shownPeople(in: image) : []
            picture.follow(people, current.settings.framing.shot, in: image, at: lastTime)
        }
        guard let composed, let part = picture.part(of: composed) else { return composed }
        release(composed)
        return part
    }

    /// Returns the people whom a composed frame shows; one for all, if they are not separated.
    private func shownPeople(in image: SourceImage) -> [FramedPerson] {
        let hidesPeople = composer.hidesPeople
        return picture.people(in: masks, of: image) { !hidesPeople || composer.shows($0) }
    }

    /// Returns a frame composed, or covered if there is a problem: itself or one of the filter's own.
    private func composed(_ frame: SourceFrame, _ image: SourceImage, _ problem: Problem?) -> SourceFrame? {
        guard composer.settings.needsAlpha, image.view.format.layout.alpha == nil else {
            compose(image, problem)
            return frame
        }
        guard let output = outputs.next(image.view.format.withAlpha, like: frame),
            let target = SourceImage(output), colorCopy.copy(ImageView(image.view), to: target.view)
        else { return cover(frame) }
        compose(target, problem)
        return replace(frame, by: output)
    }

    /// Takes over changed settings.
    private func follow() {
        let asked = asked.withLock { $0 }
        guard asked.revision != current.revision else { return }
        current = asked
        fault = composer.update(asked.settings.blend).first?.description
        let drawn = composer.settings
        plays = drawn.source != .picture && drawn.location.map { FilterLayout.isClip($0) } ?? false
    }

    /// The reason why a frame has no usable mask.
    private enum Problem {
        case loading
        case fault(String)
    }

    /// Finds the frame's masks; returns the reason if there are none.
    private func findMask(in image: SourceImage, of frame: SourceFrame) -> Problem? {
        switch analysis.request(for: image, current.settings.segment, attempt: current.revision) {
        case .loading: return .loading
        case .failed(let error): return .fault(error.description)
        case .ready(let request, let separates):
            do throws(VisionError) {
                try masks.find(in: image.input(at: frame.pointee.timestamp), request, separates: separates)
                return nil
            } catch { return .fault(error.description) }
        }
    }

    /// Returns whether a frame follows the last one; forgets the stream so far if not.
    private func noteTime(of frame: SourceFrame) -> Bool {
        let time = frame.pointee.timestamp
        defer { lastTime = time }
        guard let lastTime else { return true }
        let follows = time >= lastTime && time - lastTime <= Self.longestGap
        if !follows {
            analysis.reset()
            composer.beginScene()
            picture.restart()
        }
        return follows
    }

    /// Longest time from one frame to the next of a stream, in nanoseconds: two seconds.
    private static let longestGap: UInt64 = 2_000_000_000

    /// Composes a frame in place, or covers it.
    private func compose(_ image: SourceImage, _ problem: Problem?) {
        // It is only followed.
        guard !composer.isIdentity else { return report.set(unfollowed(problem) ?? fault, isFault: false) }
        let background = composer.background(media(for: image), in: image.view.format)
        let outcome = composer.compose(
            image.view, problem == nil ? masks : nil, over: background, at: lastTime)
        switch (problem, outcome) {
        case (.loading?, _):
            report.set("The models are being loaded; frames are covered meanwhile.", isFault: false)
        case (.fault(let reason)?, _): report.set("Frames are covered. \(reason)")
        case (nil, .shown), (nil, .headsHidden), (nil, .kept): report.set(remark)
        case (nil, .covered(let fault)): report.set("Frames are covered. \(Self.text(fault))")
        case (nil, .failed(let error)): report.set("Frames are covered. \(error.description)")
        case (nil, .refused): break
        }
        if case .refused = outcome { composer.cover(image.view, with: background) }
    }

    /// The reason why the picture follows nobody; nil for none.
    private func unfollowed(_ problem: Problem?) -> String? {
        switch problem {
        case nil: nil
        case .loading: "The models are being loaded; nobody is followed meanwhile."
        case .fault(let reason): "Nobody is followed. \(reason)"
        }
    }

    /// The setting that is not fulfilled, although the frame is blended; nil for none.
    private var remark: String? {
        if let fault { return fault }
        if composer.isLost { return "The chosen people are not in the picture." }
        return composer.settings.location == nil ? nil : media.problem
    }

    private static func text(_ fault: FrameComposer.Fault) -> String {
        switch fault {
        case .noInstances: "The masks of each person are being prepared."
        case .noMask, .malformed: "The mask cannot be read."
        case .lost: "The people to be hidden are not in the picture."
        }
    }

    /// Returns the picture or clip behind the people; nil while there is none.
    private func media(for image: SourceImage) -> BackgroundSource? {
        composer.settings.location.flatMap {
            media.picture($0, plays: plays, composer.settings, for: image)
        }
    }

    // MARK: - Covered frames

    /// Returns a covered frame in the place of one that cannot be read; nil where there is no memory.
    private func cover(_ frame: SourceFrame) -> SourceFrame? {
        guard let output = outputs.next(VIDEO_FORMAT_BGRA, like: frame), let image = SourceImage(output)
        else {
            release(frame)
            return nil
        }
        composer.cover(image.view, with: composer.background(nil, in: image.view.format))
        return replace(frame, by: output)
    }

    /// Gives a frame back to its source, and returns one of the filter's own.
    private func replace(_ frame: SourceFrame, by output: SourceFrame) -> SourceFrame {
        release(frame)
        return outputs.give(output)
    }

    /// Gives a frame back to its source, which does not show it.
    private func release(_ frame: SourceFrame) {
        obs_source_release_frame(obs_filter_get_parent(source), frame)
    }
}

extension SourceImage {
    /// Returns the image as a request takes it.
    fileprivate func input(at time: UInt64) -> InputFrame {
        InputFrame(ImageView(view), orientation: orientation, nanoseconds: time)
    }
}
