import GStreamerKit
import Imaging
import Inference
import PeopleSettings
import PeopleVision

/// An analyser that attaches a `GstPeopleMask` to every frame.
class MaskElement<Settings: AttachedMaskSettings>: VideoElement {
    override class var attachedMetas: [CustomMeta] { [PeopleMaskMeta.kind] }

    private let settings = SettingsBox<Settings>()
    override class var settingsType: any ElementSettings.Type { Settings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - State of the stream

    private let analysis = Settings.Analysis()
    private var applied: (settings: Settings, isLive: Bool, request: any MaskRequest)?
    private let lastMask = MaskBuffers()
    private var lastMeta: PeopleMaskMeta?
    /// Presentation time of the frame that the last mask was made of, in nanoseconds.
    private var lastTime: UInt64?
    /// The quality level that was set when the last mask was made.
    private var lastLevel = GeneratePersonSegmentationRequest.QualityLevel.fast
    /// Number of frames that the last mask has been attached to.
    private var carriers = 0
    private var pools = MaskPools()
    private let people = StreamPeople()
    /// Whether the frames come from a camera, which does not wait; files are analysed in the same way each
    /// time.
    private var isCamera = false
    /// Rotation and mirroring that make the stored frames upright.
    private var orientation = ImageOrientation.up

    // MARK: - Life cycle

    override func start() throws(ElementError) {
        let request = apply(isLive: false)
        do throws(VisionError) { try request.checkModels() } catch { throw ElementError(error) }
    }

    override func stop() {
        discontinuity()
        pools = MaskPools()
        orientation = .up
        analysis.unload()
    }

    override func capsChanged(to info: VideoInfo) throws(ElementError) {
        discontinuity()
        isCamera = isLive
        let request = apply(isLive: isCamera)
        do throws(VisionError) {
            try request.prepare(width: info.width, height: info.height, orientation: orientation)
        } catch { throw ElementError(error) }
    }

    override func discontinuity() {
        lastMask.clear()
        lastMeta = nil
        analysis.reset()
        people.reset()
    }

    override func orientationChanged(to orientation: ImageOrientation) {
        guard orientation != self.orientation else { return }
        self.orientation = orientation
        discontinuity()
    }

    // MARK: - Frames

    override func process(_ frame: borrowing VideoFrame) throws(ElementError) {
        let request = apply(isLive: isCamera)
        let interval = UInt64(max(1, settings.current.interval)) &* frame.duration
        if isStill(frame) { beginScene() }
        // A `??` would lose the error's type.
        let reusable = reusableMeta(for: frame, interval)
        var meta = if let reusable { reusable } else { try newMask(of: frame, request) }
        meta.interval = interval
        lastMeta = meta
        carriers = reusable == nil ? 1 : carriers &+ 1
        log.frame("frame \(time(of: frame)): mask of \(meta.layout), \(meta.age) ns old", of: self)
        guard meta.attach(lastMask, to: frame, tracks(in: frame)) else {
            throw ElementError(.streamFailed, "The mask could not be attached to the frame.")
        }
        people.write(to: frame)
    }

    /// Returns the request, configured with the current settings.
    private func apply(isLive: Bool) -> any MaskRequest {
        let settings = settings.current
        if let applied, applied.settings == settings, applied.isLive == isLive { return applied.request }
        log.info(
            "level \(settings.segmentation.qualityLevel), interval \(settings.interval), "
                + "device \(settings.segmentation.device)", of: self)
        let request = analysis.apply(settings, isLive: isLive)
        applied = (settings, isLive, request)
        return request
    }

    /// Returns the last mask's description, if the frame may use that mask; nil if it needs a new one.
    ///
    /// A mask is used until the frame nearest to the end of the interval, even if frames in between are
    /// missing. If the frames' times stand still, it is used for the interval's number of frames.
    private func reusableMeta(
        for frame: borrowing VideoFrame, _ interval: UInt64
    ) -> PeopleMaskMeta? {
        let settings = settings.current
        // Frames of another size have other caps, which clear the last mask.
        guard !isStill(frame), carriers < settings.interval, var meta = lastMeta,
            meta.layout.format == settings.segmentation.outputPixelFormat,
            lastLevel == settings.segmentation.qualityLevel, (meta.parts != nil) == settings.separates
        else { return nil }
        switch (frame.presentationTime, lastTime) {
        case (let time?, let made?):
            guard time >= made else { return nil }
            meta.age = time - made
        case (nil, nil): meta.age &+= frame.duration
        default: return nil
        }
        return meta.age &+ frame.duration / 2 < interval ? meta : nil
    }

    /// Analyses `frame` and stores its masks in `lastMask`.
    private func newMask(
        of frame: borrowing VideoFrame, _ request: any MaskRequest
    ) throws(ElementError) -> PeopleMaskMeta {
        let settings = settings.current
        lastMask.clear()
        let masks = try find(in: frame, request)
        let layout = masks.layout
        var meta = PeopleMaskMeta(
            subject: Settings.subject, layout: layout, stride: layout.width * layout.format.bytesPerValue,
            quality: masks.qualityLevel, revision: masks.revision,
            orientation: orientation)
        try pools.keep(layout, in: lastMask.mask) { mask throws(VisionError) in
            try masks.writeMask(into: mask)
        }
        if settings.separates { meta.parts = try keep(masks) }
        if let time = frame.presentationTime, let made = masks.nanoseconds {
            meta.motionAge = time > made ? time - made : made - time
        }
        (lastTime, lastLevel) = (frame.presentationTime, settings.segmentation.qualityLevel)
        return meta
    }

    override var lookahead: Int {
        // Frames that use another frame's mask need no lookahead of their own.
        settings.current.interval == 1 ? settings.current.lookahead(isLive: isCamera) : 0
    }

    override func lookAhead(to frame: borrowing VideoFrame) throws(ElementError) {
        let request = apply(isLive: isCamera)
        do throws(VisionError) {
            try request.lookAhead(to: InputFrame(frame, orientation, isStill: isStill(frame)))
        } catch { throw ElementError(error) }
    }

    private func beginScene() {
        people.reset()
        beginTracks()
    }

    /// Whether the frame is a scene by itself; some frames of cameras have no duration either.
    private func isStill(_ frame: borrowing VideoFrame) -> Bool { frame.isStill && !isCamera }

    private func find(
        in frame: borrowing VideoFrame, _ request: any MaskRequest
    ) throws(ElementError) -> InstanceMasks {
        do throws(VisionError) {
            return try request.find(in: InputFrame(frame, orientation, isStill: isStill(frame)))
        } catch { throw ElementError(error) }
    }

    /// Stores the label map and the mask of each instance.
    private func keep(_ masks: InstanceMasks) throws(ElementError) -> PeopleMaskMeta.Parts {
        let layout = masks.layout
        try pools.keep(layout.labels, in: lastMask.labels) { labels throws(VisionError) in
            try masks.writeLabels(into: labels)
        }
        for instance in masks.instances {
            try pools.keep(layout, in: lastMask.part(instance.label)) { mask throws(VisionError) in
                try masks.writeMask(of: instance.label, into: mask)
            }
        }
        return PeopleMaskMeta.Parts(
            instances: masks.instances, crowdLabel: masks.crowdLabel, count: masks.totalCount)
    }
}

extension InputFrame {
    /// Makes a request's input from a GStreamer frame.
    init(_ frame: borrowing VideoFrame, _ orientation: ImageOrientation, isStill: Bool = false) {
        self.init(
            frame.image, orientation: orientation, nanoseconds: frame.presentationTime,
            seconds: Double(frame.duration) / 1e9, isStill: isStill)
    }
}

/// The settings of an element that attaches masks, with the kind of things that they show.
protocol AttachedMaskSettings: MaskSettings {
    static var subject: PeopleMaskMeta.Subject { get }
}
