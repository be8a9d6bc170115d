import GStreamerKit
import Imaging
import Inference
import PeopleVision

/// Finds people and attaches them to each frame as a `GstPeopleMask`; the picture itself stays as it is.
///
///     gst-launch-1.0 v4l2src ! personsegment quality=fast ! blendmask background=forest.jpg ! autovideosink
final class PersonSegmentElement: VideoElement {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "personsegment", typeName: "GstPersonSegment", longName: "Person segmentation",
            klass: "Filter/Analyzer/Video",
            description: "Attaches a soft mask of the people in each frame (GstPeopleMask)")
    }

    override class var attachedMetas: [CustomMeta] { [PeopleMaskMeta.kind] }

    // MARK: - Properties

    struct Settings: ElementSettings, Equatable {
        var quality = GeneratePersonSegmentationRequest.QualityLevel.balanced
        var revision: Int32 = 0
        var maskFormat = MaskFormat.gray8
        var interval: Int32 = 1
        var smoothing = 0.95
        var threshold = 0.0
        var feather = 0.0
        var expand = 0.0
        var minArea = 0.0
        var device: String? = "CPU"
        var threads: Int32 = 0
        var modelPath: String?
        var precision = ModelPrecision.automatic
        var separatesPeople = false
        var maximumInstances: Int32 = 4
        var overflow = GeneratePersonInstanceMaskRequest.Overflow.merge

        static var properties: [Property<Settings>] {
            [
                .choice("quality", "Speed or detail of the mask", \.quality),
                .int(
                    "revision", "Revision of the analysis, 0 for the newest; fix it to keep results the same",
                    in: 0...Int32(GeneratePersonSegmentationRequest.supportedRevisions.upperBound), \.revision
                ),
                .choice("mask-format", "Sample format of the mask", \.maskFormat),
                .int(
                    "inference-interval",
                    "Analyse every so many frames; those between carry the last mask and its age",
                    in: 1...1000, \.interval),
                .double(
                    "smoothing",
                    "Weight of the past where the picture stands still: 0 no smoothing, 1 most", in: 0...1,
                    \.smoothing),
                .double(
                    "threshold",
                    "Where the mask steps from background to person; 0 leaves it soft",
                    in: 0...1, \.threshold),
                .double(
                    "feather", "Blur of the mask's outline, in percent of its shorter side", in: 0...20,
                    \.feather),
                .double(
                    "expand",
                    "Moves the mask's outline outwards, or inwards if negative, in percent of its shorter side",
                    in: -20...20, \.expand),
                .double(
                    "min-area",
                    "Drops connected parts of the mask that are smaller than this percentage of it",
                    in: 0...100,
                    \.minArea),
                .string("device", "OpenVINO's name of the device to run on: CPU, GPU, NPU, AUTO", \.device),
                .int(
                    "threads", "Threads for inference, 0 for as many as suit the model", in: 0...256,
                    \.threads),
                .string(
                    "model-path",
                    "A prepared model's name, or a model file with its .json, instead of the quality's own; or a directory to search for models first",
                    \.modelPath),
                .choice(
                    "precision", "Arithmetic of the models; f32 for the same masks on every CPU", \.precision),
                .bool(
                    "instances",
                    "Adds each person's own mask, an id that stays with the person, and a label map",
                    \.separatesPeople),
                .int(
                    "max-instances", "Most people to tell apart; of more the most prominent are", in: 1...12,
                    \.maximumInstances),
                .choice("overflow", "What becomes of people beyond max-instances", \.overflow),
            ]
        }
    }

    private let settings = SettingsBox<Settings>()
    override class var settingsType: any ElementSettings.Type { Settings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - State of the stream

    private let instances = GeneratePersonInstanceMaskRequest()
    private var request: GeneratePersonSegmentationRequest { instances.allPeople }
    private var applied: Settings?
    private let lastMask = MaskBuffers()
    private var lastMeta: PeopleMaskMeta?
    /// Presentation time of the frame from which the last mask was made, in nanoseconds.
    private var lastTime: UInt64?
    private var pools = MaskPools()
    private var orientation = ImageOrientation.up

    // MARK: - Life cycle

    override func start() throws(ElementError) {
        apply(settings.snapshot())
        do throws(VisionError) { try request.checkModel() } catch { throw ElementError(error) }
    }

    override func stop() {
        discontinuity()
        pools = MaskPools()
        orientation = .up
        instances.unload()
    }

    override func capsChanged(to info: VideoInfo) throws(ElementError) {
        discontinuity()
        apply(settings.snapshot())
        // Files are analysed the same way each time; a camera does not wait.
        configure(compilesInBackground: isLive)
        do throws(VisionError) {
            try request.prepare(width: info.width, height: info.height, orientation: orientation)
            guard settings.snapshot().separatesPeople else { return }
            try instances.prepare(width: info.width, height: info.height, orientation: orientation)
        } catch { throw ElementError(error) }
    }

    override func discontinuity() {
        lastMask.clear()
        lastMeta = nil
        instances.reset()
    }

    override func orientationChanged(to orientation: ImageOrientation) {
        guard orientation != self.orientation else { return }
        self.orientation = orientation
        discontinuity()
    }

    // MARK: - Frames

    override func process(_ frame: borrowing VideoFrame) throws(ElementError) {
        let settings = settings.snapshot()
        apply(settings)
        let layout = request.maskLayout(
            width: frame.image.width, height: frame.image.height, orientation: orientation)
        let interval = UInt64(max(1, settings.interval)) &* frame.duration
        // Not `??`: it would lose the error's type.
        let reusable = reusableMeta(for: frame, layout, settings, interval)
        var meta = if let reusable { reusable } else { try newMask(of: frame, layout, settings) }
        meta.interval = interval
        lastMeta = meta
        log.frame("frame \(time(of: frame)): mask of \(layout), \(meta.age) ns old", of: self)
        guard meta.attach(lastMask, to: frame) else {
            throw ElementError(.streamFailed, "The mask could not be attached to the frame.")
        }
    }

    /// The last mask's description while it may ride on: until the frame nearest to the end of the interval, whether
    /// those in between have come or not.
    private func reusableMeta(
        for frame: borrowing VideoFrame, _ layout: MaskLayout, _ settings: Settings, _ interval: UInt64
    ) -> PeopleMaskMeta? {
        guard settings.interval > 1, var meta = lastMeta, meta.layout == layout,
            meta.quality == settings.quality, (meta.people != nil) == settings.separatesPeople
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
        of frame: borrowing VideoFrame, _ layout: MaskLayout, _ settings: Settings
    ) throws(ElementError) -> PeopleMaskMeta {
        var meta = PeopleMaskMeta(
            layout: layout, stride: layout.width * layout.format.bytesPerValue,
            quality: request.configuration.qualityLevel, revision: request.configuration.revision,
            orientation: orientation)
        lastMask.clear()
        if settings.separatesPeople {
            meta.people = try separate(frame, layout)
        } else {
            let (image, orientation, request) = (frame.image, orientation, request)
            try pools.keep(layout, in: lastMask.mask) { mask throws(VisionError) in
                try request.perform(on: image, orientation: orientation, into: mask)
            }
        }
        lastTime = frame.presentationTime
        return meta
    }

    /// Analyses `frame` person by person, and keeps all masks in `lastMask`.
    private func separate(
        _ frame: borrowing VideoFrame, _ layout: MaskLayout
    ) throws(ElementError) -> PeopleMaskMeta.People {
        if let time = frame.presentationTime, let lastTime, time > lastTime {
            instances.frameDuration = Double(time - lastTime) / 1e9
        }
        let (instances, found) = (instances, try findInstances(frame))
        try pools.keep(layout, in: lastMask.mask) { mask throws(VisionError) in
            try instances.writeMask(into: mask)
        }
        try pools.keep(layout.labels, in: lastMask.labels) { labels throws(VisionError) in
            try instances.writeLabels(into: labels)
        }
        for person in found {
            try pools.keep(layout, in: lastMask.part(person.label)) { mask throws(VisionError) in
                try instances.writeMask(of: person.label, into: mask)
            }
        }
        return PeopleMaskMeta.People(
            instances: found, crowdLabel: instances.crowdLabel, count: instances.peopleCount)
    }

    private func findInstances(_ frame: borrowing VideoFrame) throws(ElementError) -> [PersonInstance] {
        do throws(VisionError) {
            return try instances.find(in: frame.image, orientation: orientation)
        } catch { throw ElementError(error) }
    }

    private func apply(_ settings: Settings) {
        guard settings != applied else { return }
        applied = settings
        log.info(
            "level \(settings.quality), interval \(settings.interval), device \(settings.device ?? "CPU")",
            of: self)
        let compilesInBackground = request.configuration.compilesInBackground
        instances.configuration = settings.configuration
        configure(compilesInBackground: compilesInBackground)
    }

    private func configure(compilesInBackground: Bool) {
        instances.configuration.segmentation.compilesInBackground = compilesInBackground
        request.configuration = instances.configuration.segmentation
    }
}

extension PersonSegmentElement.Settings {
    /// What the request is asked for.
    fileprivate var configuration: GeneratePersonInstanceMaskRequest.Configuration {
        var configuration = GeneratePersonInstanceMaskRequest.Configuration()
        configuration.segmentation = segmentation
        configuration.maximumInstances = Int(maximumInstances)
        configuration.overflow = overflow
        return configuration
    }

    private var segmentation: GeneratePersonSegmentationRequest.Configuration {
        var configuration = GeneratePersonSegmentationRequest.Configuration()
        configuration.qualityLevel = quality
        configuration.outputPixelFormat = maskFormat
        if revision > 0 { configuration.revision = Int(revision) }
        configuration.smoothing = Float(smoothing)
        configuration.controls.threshold = Float(threshold)
        configuration.controls.feather = Float(feather / 100)
        configuration.controls.expand = Float(expand / 100)
        configuration.controls.minimumArea = Float(minArea / 100)
        configuration.device = device ?? "CPU"
        configuration.threads = Int(threads)
        configuration.modelPath = modelPath
        configuration.precision = precision
        return configuration
    }
}
