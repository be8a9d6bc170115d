import GStreamerKit
import Imaging
import Inference
import PeopleVision

/// Finds subjects of any kind, people among them, and attaches them to each frame as a `GstPeopleMask` with instances.
///
///     gst-launch-1.0 filesrc location=dog.jpg ! decodebin ! videoconvert ! subjectsegment quality=accurate ! blendmask background-source=transparent ! pngenc snapshot=true ! filesink location=dog.png
final class SubjectSegmentElement: MaskElement {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "subjectsegment", typeName: "GstSubjectSegment", longName: "Subject segmentation",
            klass: "Filter/Analyzer/Video",
            description: "Attaches a soft mask of each subject, whatever it is, to each frame (GstPeopleMask)"
        )
    }

    override class var subject: PeopleMaskMeta.Subject { .anything }

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
        var maximumInstances: Int32 = 8
        var overflow = InstanceOverflow.merge

        static var properties: [Property<Settings>] {
            maskProperties(revisions: GenerateForegroundInstanceMaskRequest.supportedRevisions) + [
                .int(
                    "max-instances", "Most subjects to tell apart; of more the largest are", in: 1...12,
                    \.maximumInstances),
                .choice("overflow", "What becomes of subjects beyond max-instances", \.overflow),
            ]
        }
    }

    private let settings = SettingsBox<Settings>()
    override class var settingsType: any ElementSettings.Type { Settings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - State of the stream

    private let request = GenerateForegroundInstanceMaskRequest()
    override var instances: (any InstanceMaskRequest)? { request }
    private var applied = AppliedSettings<Settings>()

    // MARK: - Life cycle

    override func start() throws(ElementError) {
        _ = apply(isLive: false)
        do throws(VisionError) { try request.checkModels() } catch { throw ElementError(error) }
    }

    // MARK: - Frames

    override func apply(isLive: Bool) -> Options? {
        let settings = settings.snapshot()
        if applied.change(to: settings, isLive: isLive, of: self) {
            request.configuration = settings.configuration
            request.configuration.segmentation.compilesInBackground = isLive
        }
        return Options(
            quality: settings.quality, revision: request.configuration.revision,
            interval: settings.interval, separates: true)
    }
}

extension SubjectSegmentElement.Settings {
    /// What the request is asked for.
    fileprivate var configuration: GenerateForegroundInstanceMaskRequest.Configuration {
        var configuration = GenerateForegroundInstanceMaskRequest.Configuration()
        configuration.segmentation = segmentation
        // The people's revision is the one that the subjects' revision was made with.
        configuration.segmentation.revision = GeneratePersonSegmentationRequest.supportedRevisions.upperBound
        if revision > 0 { configuration.revision = Int(revision) }
        configuration.maximumInstances = Int(maximumInstances)
        configuration.overflow = overflow
        return configuration
    }
}
