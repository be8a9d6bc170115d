import GStreamerKit
import Imaging
import PeopleSettings

/// Replaces the background of the people that `personsegment` found, in the frame's own format.
///
///     gst-launch-1.0 v4l2src ! personsegment quality=fast ! blendmask background=forest.jpg ! autovideosink
///
/// Fails closed: a frame without a usable mask is covered completely, unless `no-mask` says otherwise.
final class BlendMaskElement: VideoElement {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "blendmask", typeName: "GstBlendMask", longName: "Background replacement",
            klass: "Filter/Effect/Video",
            description: "Replaces, blurs or removes the background by a mask (GstPeopleMask)")
    }

    override class var base: Base { .filter }
    // A sink may accept only formats that the camera does not give.
    override class var changesFormat: Bool { true }

    override class var mayBeIdle: Bool { true }

    // MARK: - Properties

    private let settings = SettingsBox<BlendSettings>()
    /// The settings that are drawn from now on, on any thread.
    private var asked: BlendSettings { settings.snapshot().drawn }
    override class var settingsType: any ElementSettings.Type { BlendSettings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - State of the stream

    /// The settings that are drawn in the current frame.
    private var current = BlendSettings()
    private var plan = CompositionPlan()
    private var negotiatesAlpha = false
    private let media = BackgroundMedia()
    /// The background of the current frame, whose memory it keeps alive.
    private var shown: BackgroundMedia.Shown?
    private var poseColor = PoseColor()
    private var orientation = ImageOrientation.up
    private var selection = InstanceSelection()
    private var heads = FrameHeads()
    private var missingMasks = MissingMasks()
    private var lacksBackground = false
    private var compositor = MaskCompositor()
    /// Masks of frames that are kept or replaced as a whole.
    private let (keptMask, replacedMask) = (MaskMemory.plain(1), MaskMemory.plain(0))

    // MARK: - Life cycle

    override func start() throws(ElementError) {
        let settings = settings.current.drawn
        VideoFrame.prepareRegions()
        do throws(MalformedProperty) {
            try selection.start(settings)
            try heads.start(settings)
        } catch { throw ElementError(error) }
        if let location = settings.location { try media.decode(location) }
    }

    override func stop() {
        // All own scratch memory: with shadows and blurs a megabyte or more.
        (compositor, selection, heads) = (MaskCompositor(), InstanceSelection(), FrameHeads())
        shown = nil
        media.clear()
        poseColor = PoseColor()
        negotiatesAlpha = false
        orientation = .up
        missingMasks = MissingMasks()
        lacksBackground = false
    }

    override func discontinuity() {
        poseColor.interrupt()
        heads.interrupt()
    }

    override func pressed(at point: Point) -> Bool {
        guard asked.selectsByClick else { return false }
        log.info("clicked at \(point.x),\(point.y)", of: self)
        set("instances-at", to: "\(point.x),\(point.y)")
        return true
    }

    override func orientationChanged(to orientation: ImageOrientation) { self.orientation = orientation }

    // MARK: - Negotiation

    override func canOutput(_ format: PixelFormat) -> Bool {
        format.layout.alpha != nil || !asked.needsAlpha
    }

    override var isIdle: Bool {
        var plan = CompositionPlan()
        plan.follow(asked)
        return plan.isIdentity
    }

    override var negotiationError: ElementError? {
        guard asked.needsAlpha else { return nil }
        return ElementError(
            .coreNegotiation,
            "background-source=transparent makes frames with alpha, but nothing after blendmask takes alpha; "
                + "put videoconvert after blendmask.")
    }

    override func capsChanged(to info: VideoInfo) throws(ElementError) {
        try media.load(BackgroundMedia.Wanted(current, info), for: self)
    }

    override func interrupt() { media.interrupt() }

    override func processingMode(converting: Bool) -> ProcessingMode {
        current = settings.current.drawn
        plan.follow(current)
        noteLackOfBackground()
        do throws(MalformedProperty) { try selection.follow(current) } catch {
            post(warning: ElementError(error))
        }
        do throws(MalformedProperty) { try heads.follow(current) } catch {
            post(warning: ElementError(error))
        }
        if current.needsAlpha != negotiatesAlpha {
            negotiatesAlpha = current.needsAlpha
            renegotiate()
        }
        return current.shown == .mask ? .overwrite : plan.isIdentity ? .passthrough : .modify
    }

    private func noteLackOfBackground() {
        let asks = current.source == .picture || current.source == .clip
        defer { lacksBackground = asks && current.location == nil }
        if asks, current.location == nil, !lacksBackground { post(warning: .noBackground) }
    }

    // MARK: - Frames

    override func process(_ frame: borrowing VideoFrame) throws(ElementError) {
        guard let image = frame.mutableImage else {
            throw ElementError(.streamFailed, "The memory of a video frame could not be written.")
        }
        // Some frames of cameras have no duration.
        if frame.isStill, !isLive { beginScene() }
        let source = source(for: frame)
        let fault = try blend(frame, image, source)
        // Some elements ignore a crop by metadata: they would show the pixels outside of the crop as they
        // were.
        if let (whole, visible) = frame.surroundings { compositor.blank(whole, around: visible) }
        if let fault {
            log.frame("frame \(time(of: frame)): no mask to use, \(fault)", of: self)
            try withoutMask(image, source)
        } else {
            log.frame("frame \(time(of: frame)): blended", of: self)
        }
        let problem = fault ?? (selection.isActive && selection.isLost ? .lost : nil)
        if missingMasks.note(problem, lasting: frame.duration), let problem {
            post(warning: .noMask(problem, hasSource: isAttachedUpstream(PeopleMaskMeta.kind)))
        }
        if !current.keepMask { takeMaskOff(frame, hasFault: fault != nil) }
    }

    /// Removes the mask, and metadata about people whom the frame does not show.
    private func takeMaskOff(_ frame: borrowing VideoFrame, hasFault: Bool) {
        defer { frame.remove(PeopleMaskMeta.kind) }
        // A frame with a fault is covered, or passes as it is.
        if hasFault, current.noMask == .pass { return }
        let selects = selection.hidesPeople(hides: current.inverts)
        guard hasFault || selects || current.inverts else { return }
        frame.removeDescriptions()
        frame.remove(PeopleDepthMeta.kind)
        guard selects else { return }
        for (kind, list) in findingsLists {
            frame.keep(kind, list) { entry in
                entry.person.map { !hasFault && selection.shows($0, hides: current.inverts) } ?? false
            }
        }
        guard !hasFault, case .success(let mask) = PeopleMaskMeta.newestMask(of: frame, limits) else {
            return
        }
        let tracks = tracks(in: frame)
        for person in mask.instances ?? [] {
            guard let id = person.id, selection.shows(id, hides: current.inverts) else { continue }
            mask.attachRegion(of: person, to: frame, tracks)
        }
    }

    private var limits: PeopleMaskMeta.Limits {
        PeopleMaskMeta.Limits(oldest: UInt64(exactly: current.maximumAge), orientation: orientation)
    }

    private func source(for frame: borrowing VideoFrame) -> BackgroundSource {
        let color = RGBColor(argb: current.color)
        switch current.resolvedSource {
        case .original: return .original
        case .pose:
            let pose = PeopleFacesMeta.largestPose(in: frame)
            return .color(poseColor.color(pose, showing: current.poseAngle, at: frame.presentationTime))
        case .transparent where frame.image.format.layout.alpha != nil:
            return .transparent(premultiplied: current.premultiplies)
        case .picture, .clip:
            let time = runningTime(of: frame)
            let wanted = BackgroundMedia.Wanted(current, frame.info)
            shown = wanted.flatMap { media.picture($0, for: self, at: time) }
            guard let shown else { return .color(color) }
            return .picture(shown.picture.image, revision: shown.isStill ? shown.picture.revision : nil)
        // The property was changed after the caps of this frame were negotiated.
        case .transparent, .auto, .color: return .color(color)
        }
    }

    /// Begins an image that shares nothing with those before it, ids included.
    private func beginScene() {
        poseColor = PoseColor()
        selection.lookAgain()
        heads.beginScene()
    }

    /// Blends the frame by its mask; returns the reason if it has no usable one.
    private func blend(
        _ frame: borrowing VideoFrame, _ image: MutableImageView, _ source: BackgroundSource
    ) throws(ElementError) -> PeopleMaskMeta.Fault? {
        let mask: PeopleMaskMeta.Reader
        switch PeopleMaskMeta.newestMask(of: frame, limits) {
        case .success(let newest): mask = newest
        case .failure(let fault): return fault
        }
        guard try hideHeads(frame, image, mask) else { return .malformed }
        let composition = plan.composition(source, isMatte: mask.isMatte)
        let outcome: Result<Void, CompositingError>?
        if selection.isActive {
            let chosen: MaskView
            do throws(SelectionFault) {
                chosen = try selection.mask(of: mask, hides: current.inverts)
            } catch { return PeopleMaskMeta.Fault(error) }
            outcome = use(chosen, image, composition)
        } else {
            outcome = mask.withMask { use($0, image, composition) }
        }
        guard let outcome else { return .malformed }
        do throws(CompositingError) { try outcome.get() } catch { throw ElementError(error) }
        return nil
    }

    /// Hides the heads of people in the frame itself, so that no effect on it shows them; returns false for a
    /// malformed mask.
    private func hideHeads(
        _ frame: borrowing VideoFrame, _ image: MutableImageView, _ mask: PeopleMaskMeta.Reader
    ) throws(ElementError) -> Bool {
        guard current.heads != .keep, current.shown == .result else { return true }
        guard let cover = heads.mask(of: frame, mask, orientation) else { return false }
        guard let composition = plan.heads(radius: heads.largestRadius) else { return true }
        do throws(CompositingError) { try heads.compositor.composite(image, mask: cover, composition) } catch
        {
            throw ElementError(error)
        }
        return true
    }

    private func use(
        _ mask: MaskView, _ image: MutableImageView, _ composition: Composition
    ) -> Result<Void, CompositingError> {
        Result { () throws(CompositingError) in
            guard current.shown == .mask else {
                return try compositor.composite(image, mask: mask, composition)
            }
            compositor.showMask(image, mask: mask, invert: current.inverts)
        }
    }

    /// Applies the `no-mask` policy; covers with the colour if the background would show the original.
    private func withoutMask(
        _ image: MutableImageView, _ source: BackgroundSource
    ) throws(ElementError) {
        switch (current.noMask, current.shown) {
        case (.pass, .result): break
        case (.pass, .mask): compositor.show(keptMask, in: image)
        case (.cover, .mask): compositor.show(replacedMask, in: image)
        case (.cover, .result):
            var cover = plan.composition(source, isMatte: false)
            if case .original = cover.source {
                cover = Composition(source: .color(RGBColor(argb: current.color)))
            }
            do throws(CompositingError) {
                try compositor.cover(image, cover)
            } catch { throw ElementError(error) }
        case (.error, _):
            throw ElementError(
                .streamFailed,
                "A frame without a usable mask reached blendmask; put personsegment before blendmask."
            )
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

extension PeopleMaskMeta.Reader {
    /// Whether the mask comes from a quality level that makes mattes.
    ///
    /// `fast` is for streams in which milliseconds count. Masks from other programs do not have a quality
    /// level.
    fileprivate var isMatte: Bool { quality == .balanced || quality == .accurate }
}

extension MaskMemory {
    /// Returns a mask with the same value everywhere.
    fileprivate static func plain(_ value: Float) -> MaskMemory? {
        let mask = MaskMemory(format: .gray8, width: 1, height: 1)
        mask?.mutableView.writeRow(0, from: [value])
        return mask
    }
}

extension MaskCompositor {
    fileprivate func show(_ mask: MaskMemory?, in frame: MutableImageView) {
        if let mask { showMask(frame, mask: mask.view, invert: false) }
    }
}
