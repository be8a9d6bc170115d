import Composer
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

    var composer = FrameComposer()
    private var negotiatesAlpha = false
    private let background = FrameBackground()
    private var orientation = ImageOrientation.up
    private var heads = FrameHeads()
    private var missingMasks = MissingMasks()
    private var lacksBackground = false

    // MARK: - Life cycle

    override func start() throws(ElementError) {
        VideoFrame.prepareRegions()
        do throws(MalformedProperty) { try composer.start(settings.current) } catch {
            throw ElementError(error)
        }
        try background.decode(composer.settings)
    }

    override func stop() {
        // All own scratch memory: with shadows and blurs a megabyte or more.
        (composer, heads) = (FrameComposer(), FrameHeads())
        background.clear()
        negotiatesAlpha = false
        orientation = .up
        missingMasks = MissingMasks()
        lacksBackground = false
    }

    override func discontinuity() {
        background.discontinuity()
        composer.interrupt()
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

    override var isIdle: Bool { FrameComposer.isIdentity(settings.snapshot()) }

    override var negotiationError: ElementError? {
        guard asked.needsAlpha else { return nil }
        return ElementError(
            .coreNegotiation,
            "background-source=transparent makes frames with alpha, but nothing after blendmask takes alpha; "
                + "put videoconvert after blendmask.")
    }

    override func capsChanged(to info: VideoInfo) throws(ElementError) {
        try background.load(composer.settings, info, for: self)
    }

    override func interrupt() { background.interrupt() }

    override func processingMode(converting: Bool) -> ProcessingMode {
        for fault in composer.update(settings.current) { post(warning: ElementError(fault)) }
        let current = composer.settings
        noteLackOfBackground(current)
        if current.needsAlpha != negotiatesAlpha {
            negotiatesAlpha = current.needsAlpha
            renegotiate()
        }
        return current.shown == .mask ? .overwrite : composer.isIdentity ? .passthrough : .modify
    }

    private func noteLackOfBackground(_ current: BlendSettings) {
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
        if frame.isStill, !isLive {
            background.beginScene()
            composer.beginScene()
        }
        let media = background.source(composer.settings, for: frame, of: self)
        let behind = composer.background(media, in: image.format)
        let found = PeopleMaskMeta.newestMask(of: frame, limits)
        let outcome = compose(frame, image, found, behind)
        // Some elements ignore a crop by metadata: they would show the pixels outside of the crop as they
        // were.
        if let (whole, visible) = frame.surroundings { composer.blank(whole, around: visible) }
        let fault = try fault(of: outcome, found)
        log.frame("frame \(time(of: frame)): \(fault.map { "no mask to use, \($0)" } ?? "blended")", of: self)
        let problem = fault ?? (composer.isLost ? .lost : nil)
        if missingMasks.note(problem, lasting: frame.duration), let problem {
            post(warning: .noMask(problem, hasSource: isAttachedUpstream(PeopleMaskMeta.kind)))
        }
        if let fault, missingMasks.areMissingLong, composer.settings.explainsCover {
            ShapeRasterizer(image).writeSign(fault.sign)
        }
        if !composer.settings.keepMask { takeMaskOff(frame, hasFault: fault != nil) }
    }

    private func compose(
        _ frame: borrowing VideoFrame, _ image: MutableImageView,
        _ found: Result<PeopleMaskMeta.Reader, PeopleMaskMeta.Fault>, _ background: BackgroundSource
    ) -> FrameComposer.Outcome {
        guard case .success(let mask) = found else {
            return composer.compose(image, nil as PeopleMaskMeta.Reader?, over: background)
        }
        let heads = composer.needsHeads ? heads.find(in: frame, orientation) : nil
        return composer.compose(image, mask, over: background, heads, at: frame.presentationTime)
    }

    /// Returns the reason why a frame does not show its people; nil for none.
    private func fault(
        of outcome: FrameComposer.Outcome, _ found: Result<PeopleMaskMeta.Reader, PeopleMaskMeta.Fault>
    ) throws(ElementError) -> PeopleMaskMeta.Fault? {
        switch outcome {
        case .shown, .headsHidden: return nil
        case .covered(let fault), .kept(let fault):
            guard case .failure(let missing) = found else { return PeopleMaskMeta.Fault(fault) }
            return missing
        case .refused:
            throw ElementError(
                .streamFailed,
                "A frame without a usable mask reached blendmask; put personsegment before blendmask.")
        case .failed(let error): throw ElementError(error)
        }
    }

    var limits: PeopleMaskMeta.Limits {
        PeopleMaskMeta.Limits(oldest: UInt64(exactly: composer.settings.maximumAge), orientation: orientation)
    }
}
