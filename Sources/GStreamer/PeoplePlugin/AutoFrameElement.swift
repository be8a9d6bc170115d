import Framing
import GStreamerKit
import Imaging
import PeopleSettings
import PeopleVision

/// Crops and scales frames to the people that `facepose`, `bodypose` or `personsegment` found, and follows them.
///
///     gst-launch-1.0 v4l2src ! facepose ! autoframe framing=upper-body ! autovideosink
final class AutoFrameElement: VideoElement {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "autoframe", typeName: "GstAutoFrame", longName: "Automatic framing",
            klass: "Filter/Effect/Video",
            description: "Crops and scales each frame to the people in it, and follows them")
    }

    override class var base: Base { .filter }
    override class var changesSize: Bool { true }

    // MARK: - Properties

    private let settings = SettingsBox<FramingSettings>()
    override class var settingsType: any ElementSettings.Type { FramingSettings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - State of the stream

    private var orientation = ImageOrientation.up
    /// Width over height of the stored frames, as displayed.
    private var aspects = (input: 1.0, output: 1.0)
    private var space = ShotSpace(frameAspect: 1, outputAspect: 1)
    private var path = LivePath(in: ShotSpace(frameAspect: 1, outputAspect: 1))
    private let people = FramePeople()
    private var choice = PersonChoice()
    private var company = Company()
    private var scenes = SceneChange()
    private var (wish, refused) = (PersonChoice.Wish.anybody, FramingSettings?.none)
    private var lastTime: UInt64?
    /// The parts of the stored frame that are shown; read on any thread.
    private let parts = Guarded(ShownParts.whole)
    /// The next frame's description.
    private var description = PeopleFramingMeta()
    private let scaler = PartScaler()
    private let moved = MovedMetas()
    private var uninformed = UninformedFrames()
    /// The properties that the negotiated size was chosen by.
    private var sized: FramingSettings.Output?

    // MARK: - Life cycle

    override func start() throws(ElementError) {
        VideoFrame.prepareRegions()
        do throws(MalformedProperty) {
            wish = try settings.current.wish()
            _ = try settings.current.outputAspect()
        } catch { throw ElementError(error) }
        (refused, sized) = (nil, settings.current.output)
    }

    override func stop() {
        restart()
        orientation = .up
        uninformed = UninformedFrames()
    }

    override func discontinuity() { restart() }

    override func orientationChanged(to orientation: ImageOrientation) {
        guard orientation != self.orientation else { return }
        self.orientation = orientation
        restart()
        measureSpace()
    }

    private func restart() {
        path.cut()
        choice.restart()
        company.restart()
        scenes.reset()
        lastTime = nil
    }

    // MARK: - Negotiation

    override func outputSize(for input: VideoInfo) -> (width: Int, height: Int)? {
        let pixel = input.pixelAspectRatio
        return settings.snapshot().outputSize(
            for: Size(width: input.width, height: input.height),
            pixelAspect: Double(pixel.numerator) / Double(pixel.denominator))
    }

    override func sizesChanged(from input: VideoInfo, to output: VideoInfo) {
        aspects = (input.displayAspectRatio, output.displayAspectRatio)
        measureSpace()
    }

    private func measureSpace() {
        space = ShotSpace(
            frameAspect: UprightView(orientation, aspectRatio: aspects.input).aspect,
            outputAspect: UprightView(orientation, aspectRatio: aspects.output).aspect)
        path = LivePath(in: space)
        show(space.widest)
    }

    override func processingMode(converting: Bool) -> ProcessingMode {
        parts.snapshot() == .whole && !settings.current.describes ? .passthrough : .modify
    }

    override func inputPoint(of point: Point) -> Point { parts.snapshot().inputPoint(of: point) }

    // MARK: - Frames

    override func examine(_ frame: borrowing VideoFrame) throws(ElementError) {
        followSettings()
        description = PeopleFramingMeta()
        description.isCut = beginScene(frame)
        let seconds = frame.seconds(since: lastTime)
        lastTime = frame.presentationTime
        if showsFixedParts() { return path.cut() }
        people.read(frame, orientation)
        if uninformed.note(people.isInformed, lasting: frame.duration) { post(warning: .noPeople) }
        let (first, others) = chosenPeople(after: seconds)
        let members = company.members(of: others, beside: first, after: seconds)
        let shown = (first.map { [$0] } ?? []) + (settings.current.shot.framing == .everyone ? members : [])
        let wanted = WantedShot(of: shown, settings.current.shot, in: space)
        description.wanted = wanted.map { space.crop($0.shot) }
        description.heads = wanted.map { space.normalised($0.heads) }
        if settings.current.describes {
            description.people = ([first].compactMap { $0 } + others).map {
                (space.normalised($0.headBox), $0.mouth)
            }
        }
        show(path.shot(for: wanted, settings.current.shot, after: seconds))
    }

    /// Begins again where the scene changes; returns whether it does.
    private func beginScene(_ frame: borrowing VideoFrame) -> Bool {
        if frame.isStill, !isLive {
            restart()
            return true
        }
        guard scenes.isCut(frame.image) else { return false }
        log.info("the scene changes at \(time(of: frame))", of: self)
        path.cut()
        company.restart()
        return true
    }

    private func followSettings() {
        let current = settings.current
        if current.output != sized {
            sized = current.output
            renegotiate()
        }
        guard current != refused else { return }
        do throws(MalformedProperty) {
            wish = try current.wish()
            _ = try current.outputAspect()
        } catch {
            refused = current
            post(warning: ElementError(error))
        }
    }

    /// Returns the one who is followed, if anybody is, and the others.
    private func chosenPeople(after seconds: Double) -> (first: FramedPerson?, others: [FramedPerson]) {
        let chosen = choice.choose(
            among: people.people, wish, after: seconds, frameAspect: space.frameAspect)
        return (chosen, people.people.filter { $0 != chosen })
    }

    /// Shows the parts that a program has chosen; returns false if there are none.
    private func showsFixedParts() -> Bool {
        guard let fixed = settings.current.fixedShot(in: space) else { return false }
        let screen = SplitScreen(of: space)
        if let both = settings.current.fixedShots(in: screen) {
            let chosen = ShownParts(both, in: screen, orientation)
            parts.update { $0 = chosen }
        } else {
            show(fixed)
        }
        return true
    }

    private func show(_ shot: Shot) {
        let chosen = ShownParts(shot, in: space, orientation)
        parts.update { $0 = chosen }
    }

    override func render(
        _ frame: borrowing VideoFrame, into output: borrowing VideoFrame
    ) throws(ElementError) {
        guard let image = output.mutableImage else {
            throw ElementError(.streamFailed, "The memory of a video frame could not be written.")
        }
        let parts = parts.snapshot()
        let isSplit = scaler.scale(parts, of: frame.image, into: image)
        if !isSplit { moved.move(from: frame, to: output, part: parts.first.part, orientation) }
        if settings.current.describes {
            let upright = FrameTransform.orientation(orientation).inverse ?? .identity
            description.shown = upright.map(parts.first.part)
            description.second = isSplit ? parts.second.map { upright.map($0.part) } : nil
            description.attach(to: output)
        }
        log.frame("frame \(time(of: frame)): shows \(parts)", of: self)
    }
}

/// Detects that a stream's frames have no metadata about people.
private struct UninformedFrames {
    /// Duration without metadata that is reported, in nanoseconds: some frames may lack it although nothing is wrong.
    private static let patience: UInt64 = 1_000_000_000

    private var time: UInt64 = 0
    private var isReported = false

    /// Records a frame; returns true once, when a second of frames in a row has no metadata.
    ///
    /// - Parameter duration: duration of the frame in nanoseconds.
    mutating func note(_ isInformed: Bool, lasting duration: UInt64) -> Bool {
        time = isInformed ? 0 : time &+ min(duration, Self.patience)
        guard !isReported, time >= Self.patience else { return false }
        isReported = true
        return true
    }
}

extension ElementError {
    /// The message to a user whose frames say nothing about people.
    fileprivate static let noPeople = ElementError(
        .streamFailed,
        "The frames say nothing about people, so they are shown as a whole. Put facepose, bodypose or personsegment before "
            + "autoframe.")
}
