import GStreamerKit
import Imaging
import Inference
import PeopleVision

/// Finds people and attaches them to each frame as a `GstPeopleMask`; the picture itself stays as it is.
///
///     gst-launch-1.0 v4l2src ! personsegment quality=fast ! blendmask background=forest.jpg ! autovideosink
final class PersonSegmentElement: MaskElement {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "personsegment", typeName: "GstPersonSegment", longName: "Person segmentation",
            klass: "Filter/Analyzer/Video",
            description: "Attaches a soft mask of the people in each frame (GstPeopleMask)")
    }

    // MARK: - Properties

    struct Settings: MaskSettings, Equatable {
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
        var isRealTime = true
        var separatesPeople = false
        var maximumInstances: Int32 = 4
        var overflow = InstanceOverflow.merge

        static var properties: [Property<Settings>] {
            maskProperties(revisions: GeneratePersonSegmentationRequest.supportedRevisions) + [
                .bool(
                    "realtime",
                    "With live sources and quality=balanced: keep up with the frames, whose masks move along with "
                        + "the picture while others are made; false makes each frame wait for its own (Since: 0.2.0)",
                    \.isRealTime),
                .bool(
                    "instances",
                    "Adds each person's own mask, an id that stays with the person, and a label map (Since: 0.2.0)",
                    \.separatesPeople),
                .int(
                    "max-instances",
                    "Most people to tell apart; of more the most prominent are (Since: 0.2.0)", in: 1...12,
                    \.maximumInstances),
                .choice("overflow", "What becomes of people beyond max-instances (Since: 0.2.0)", \.overflow),
            ]
        }
    }

    private let settings = SettingsBox<Settings>()
    override class var settingsType: any ElementSettings.Type { Settings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - State of the stream

    private let request = GeneratePersonInstanceMaskRequest()
    override var instances: (any InstanceMaskRequest)? { request }
    private var allPeople: GeneratePersonSegmentationRequest { request.allPeople }
    private var applied = AppliedSettings<Settings>()

    // MARK: - Life cycle

    override func start() throws(ElementError) {
        _ = apply(isLive: false)
        do throws(VisionError) { try allPeople.checkModels() } catch { throw ElementError(error) }
    }

    override func prepare(_ info: VideoInfo, _ options: Options) throws(VisionError) {
        try allPeople.prepare(width: info.width, height: info.height, orientation: orientation)
        if options.separates { try super.prepare(info, options) }
    }

    // MARK: - Frames

    override func segment(
        _ image: ImageView, at time: UInt64?, into mask: MutableMaskView
    ) throws(VisionError) -> UInt64? {
        allPeople.imageTime = time
        try allPeople.perform(on: image, orientation: orientation, into: mask)
        return allPeople.maskTime
    }

    override func apply(isLive: Bool) -> Options? {
        let settings = settings.snapshot()
        if applied.change(to: settings, isLive: isLive, of: self) {
            request.configuration = settings.configuration
            request.configuration.segmentation.compilesInBackground = isLive
            request.configuration.segmentation.segmentsInBackground =
                isLive && settings.isRealTime && !settings.separatesPeople
            allPeople.configuration = request.configuration.segmentation
        }
        return Options(
            quality: settings.quality, revision: allPeople.configuration.revision,
            interval: settings.interval, separates: settings.separatesPeople)
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
}
