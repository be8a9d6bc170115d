import GStreamerKit
import Imaging
import PeopleVision

/// The settings that an element has last handed to its request.
struct AppliedSettings<Settings: MaskSettings & Equatable> {
    private var last: (settings: Settings, isLive: Bool)?

    /// Nothing has been handed on yet.
    init() {}

    /// Whether others are to be handed on now, which `element`'s log then tells.
    mutating func change(to settings: Settings, isLive: Bool, of element: MaskElement) -> Bool {
        guard last?.settings != settings || last?.isLive != isLive else { return false }
        last = (settings, isLive)
        element.log.info(
            "level \(settings.quality), interval \(settings.interval), device \(settings.device ?? "CPU")",
            of: element)
        return true
    }
}

/// An analyser that attaches a `GstPeopleMask` to every frame.
class MaskElement: VideoElement {
    override class var attachedMetas: [CustomMeta] { [PeopleMaskMeta.kind] }

    /// What the masks are of.
    class var subject: PeopleMaskMeta.Subject { .people }

    /// What of the settings counts frame by frame.
    struct Options: Equatable {
        var quality: GeneratePersonSegmentationRequest.QualityLevel
        var revision: Int
        var interval: Int32
        /// Whether instances are told apart.
        var separates: Bool
    }

    /// The request; subclasses have one.
    var instances: (any InstanceMaskRequest)? { nil }

    /// Hands the element's settings to the request, and says what counts frame by frame; nil without a request.
    ///
    /// - Parameter isLive: frames do not wait while a model is compiled.
    func apply(isLive: Bool) -> Options? { nil }

    /// Loads what frames of this size take.
    func prepare(_ info: VideoInfo, _ options: Options) throws(VisionError) {
        try instances?.prepare(width: info.width, height: info.height, orientation: orientation)
    }

    /// Writes the mask of a frame whose instances are not told apart.
    ///
    /// - Parameter time: of the frame, in nanoseconds.
    /// - Returns: when the frame was taken of which the mask was made; nil for this very frame.
    func segment(
        _ image: ImageView, at time: UInt64?, into mask: MutableMaskView
    ) throws(VisionError) -> UInt64? { nil }

    // MARK: - State of the stream

    private let lastMask = MaskBuffers()
    private var lastMeta: PeopleMaskMeta?
    /// Presentation time of the frame from which the last mask was made, in nanoseconds.
    private var lastTime: UInt64?
    /// Frames that the last mask has been attached to.
    private var carriers: Int32 = 0
    private var pools = MaskPools()
    /// Of the last caps: files are analysed the same way each time; a camera does not wait.
    private var isCamera = false
    /// How frames must be turned to be upright.
    private(set) var orientation = ImageOrientation.up

    // MARK: - Life cycle

    override func stop() {
        discontinuity()
        pools = MaskPools()
        orientation = .up
        instances?.unload()
    }

    override func capsChanged(to info: VideoInfo) throws(ElementError) {
        discontinuity()
        isCamera = isLive
        guard let options = apply(isLive: isCamera) else { return }
        do throws(VisionError) { try prepare(info, options) } catch { throw ElementError(error) }
    }

    override func discontinuity() {
        lastMask.clear()
        lastMeta = nil
        instances?.reset()
    }

    override func orientationChanged(to orientation: ImageOrientation) {
        guard orientation != self.orientation else { return }
        self.orientation = orientation
        discontinuity()
    }

    // MARK: - Frames

    override func process(_ frame: borrowing VideoFrame) throws(ElementError) {
        guard let options = apply(isLive: isCamera), let instances else { return }
        let layout = instances.maskLayout(
            width: frame.image.width, height: frame.image.height, orientation: orientation)
        let interval = UInt64(max(1, options.interval)) &* frame.duration
        // Not `??`: it would lose the error's type.
        let reusable = reusableMeta(for: frame, layout, options, interval)
        var meta = if let reusable { reusable } else { try newMask(of: frame, layout, options, instances) }
        meta.interval = interval
        lastMeta = meta
        carriers = reusable == nil ? 1 : carriers &+ 1
        log.frame("frame \(time(of: frame)): mask of \(layout), \(meta.age) ns old", of: self)
        guard meta.attach(lastMask, to: frame, tracks(in: frame)) else {
            throw ElementError(.streamFailed, "The mask could not be attached to the frame.")
        }
    }

    /// The last mask's description while it may ride on: until the frame nearest to the end of the interval, whether
    /// those in between have come or not, and for no more frames than that, should their times stand still.
    private func reusableMeta(
        for frame: borrowing VideoFrame, _ layout: MaskLayout, _ options: Options, _ interval: UInt64
    ) -> PeopleMaskMeta? {
        guard carriers < options.interval, var meta = lastMeta, meta.layout == layout,
            meta.quality == options.quality, (meta.parts != nil) == options.separates
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

    /// Analyses `frame` and keeps its mask in `lastMask`.
    private func newMask(
        of frame: borrowing VideoFrame, _ layout: MaskLayout, _ options: Options,
        _ instances: any InstanceMaskRequest
    ) throws(ElementError) -> PeopleMaskMeta {
        var meta = PeopleMaskMeta(
            subject: Self.subject, layout: layout, stride: layout.width * layout.format.bytesPerValue,
            quality: options.quality, revision: options.revision, orientation: orientation)
        lastMask.clear()
        if options.separates {
            meta.parts = try separate(frame, layout, instances)
        } else {
            let (image, time) = (frame.image, frame.presentationTime)
            var made: UInt64?
            try pools.keep(layout, in: lastMask.mask) { mask throws(VisionError) in
                made = try segment(image, at: time, into: mask)
            }
            if let time, let made, time > made { meta.motionAge = time - made }
        }
        lastTime = frame.presentationTime
        return meta
    }

    /// Analyses `frame` instance by instance, and keeps all masks in `lastMask`.
    private func separate(
        _ frame: borrowing VideoFrame, _ layout: MaskLayout, _ instances: any InstanceMaskRequest
    ) throws(ElementError) -> PeopleMaskMeta.Parts {
        instances.frameDuration = frame.seconds(since: lastTime)
        let (masks, found) = (instances.masks, try find(in: frame, instances))
        try pools.keep(layout, in: lastMask.mask) { mask throws(VisionError) in
            try masks.writeMask(into: mask)
        }
        try pools.keep(layout.labels, in: lastMask.labels) { labels throws(VisionError) in
            try masks.writeLabels(into: labels)
        }
        for instance in found {
            try pools.keep(layout, in: lastMask.part(instance.label)) { mask throws(VisionError) in
                try masks.writeMask(of: instance.label, into: mask)
            }
        }
        return PeopleMaskMeta.Parts(
            instances: found, crowdLabel: masks.crowdLabel, count: masks.totalCount)
    }

    private func find(
        in frame: borrowing VideoFrame, _ instances: any InstanceMaskRequest
    ) throws(ElementError) -> [MaskInstance] {
        do throws(VisionError) {
            return try instances.find(in: frame.image, orientation: orientation)
        } catch { throw ElementError(error) }
    }
}
