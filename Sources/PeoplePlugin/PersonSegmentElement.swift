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
            ]
        }
    }

    private let settings = SettingsBox<Settings>()
    override class var settingsType: any ElementSettings.Type { Settings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - State of the stream

    private let request = GeneratePersonSegmentationRequest()
    private var applied: Settings?
    private let lastMask = BufferSlot()
    private var lastMeta: PeopleMaskMeta?
    /// Presentation time of the frame from which the last mask was made, in nanoseconds.
    private var lastTime: UInt64?
    private var pool: MemoryPool?
    private var orientation = ImageOrientation.up

    // MARK: - Life cycle

    override func start() throws(ElementError) {
        apply(settings.snapshot())
        do throws(VisionError) { try request.checkModel() } catch { throw ElementError(error) }
    }

    override func stop() {
        discontinuity()
        pool = nil
        orientation = .up
        request.unload()
    }

    override func capsChanged(to info: VideoInfo) throws(ElementError) {
        discontinuity()
        apply(settings.snapshot())
        // Files are analysed the same way each time; a camera does not wait.
        request.configuration.compilesInBackground = isLive
        do throws(VisionError) {
            try request.prepare(width: info.width, height: info.height, orientation: orientation)
        } catch { throw ElementError(error) }
    }

    override func discontinuity() {
        lastMask.clear()
        lastMeta = nil
        request.reset()
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
        var meta = if let reusable { reusable } else { try newMask(of: frame, layout) }
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
            meta.quality == settings.quality
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
        of frame: borrowing VideoFrame, _ layout: MaskLayout
    ) throws(ElementError) -> PeopleMaskMeta {
        let meta = PeopleMaskMeta(
            layout: layout, stride: layout.width * layout.format.bytesPerValue,
            quality: request.configuration.qualityLevel, revision: request.configuration.revision,
            orientation: orientation)
        let byteCount = meta.stride * layout.height
        if pool?.byteCount != byteCount { pool = MemoryPool(byteCount: byteCount) }
        guard let buffer = pool?.acquire() else {
            throw ElementError(.streamFailed, "There is no memory for a mask of \(layout).")
        }
        try segment(frame, into: buffer, meta)
        if layout.format == .gray8 {
            buffer.describeAsGray(width: layout.width, height: layout.height, stride: meta.stride)
        }
        lastMask.keep(buffer)
        lastTime = frame.presentationTime
        return meta
    }

    private func segment(
        _ frame: borrowing VideoFrame, into buffer: borrowing MemoryBuffer, _ meta: PeopleMaskMeta
    ) throws(ElementError) {
        let image = frame.image
        // A mask that was not written must not be attached: it could show the background.
        var failure: ElementError? = ElementError(.streamFailed, "The memory of a mask could not be written.")
        _ = buffer.withMutableBytes { bytes in
            guard let mask = MutableMaskView(bytes, meta) else { return }
            do throws(VisionError) {
                try request.perform(on: image, orientation: orientation, into: mask)
                failure = nil
            } catch { failure = ElementError(error) }
        }
        if let failure { throw failure }
    }

    private func apply(_ settings: Settings) {
        guard settings != applied else { return }
        applied = settings
        log.info(
            "level \(settings.quality), interval \(settings.interval), device \(settings.device ?? "CPU")",
            of: self)
        let compilesInBackground = request.configuration.compilesInBackground
        request.configuration = settings.configuration
        request.configuration.compilesInBackground = compilesInBackground
    }
}

extension PersonSegmentElement.Settings {
    /// What the request is asked for.
    fileprivate var configuration: GeneratePersonSegmentationRequest.Configuration {
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

extension MutableMaskView {
    /// Pool memory seen as the mask that `meta` describes.
    fileprivate init?(_ bytes: UnsafeMutableRawBufferPointer, _ meta: PeopleMaskMeta) {
        guard let base = bytes.baseAddress else { return nil }
        self.init(
            format: meta.layout.format, width: meta.layout.width, height: meta.layout.height, base: base,
            stride: meta.stride, byteCount: bytes.count)
    }
}
