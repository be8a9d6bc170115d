import GStreamerKit
import Imaging
import Inference
import PeopleVision

/// Finds people and attaches them to each frame as a `GstPeopleMask`; the image itself stays as it is.
///
///     gst-launch-1.0 v4l2src ! personsegment quality=fast ! blendmask background=forest.jpg ! autovideosink
final class PersonSegmentElement: MaskElement<PersonSegmentSettings> {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "personsegment", typeName: "GstPersonSegment", longName: "Person segmentation",
            klass: "Filter/Analyzer/Video",
            description: "Attaches a soft mask of the people to each frame (GstPeopleMask)")
    }
}

/// The settings of `personsegment`.
struct PersonSegmentSettings: MaskSettings {
    static let subject = PeopleMaskMeta.Subject.people

    var segmentation = GeneratePersonSegmentationRequest.Configuration.video
    var instances = GeneratePersonInstanceMaskRequest.Configuration()
    var revision = 0
    var interval = 1
    var lookahead = -1
    var isRealTime = true
    var separates = false

    static var properties: [Property<Self>] {
        maskProperties(revisions: GeneratePersonSegmentationRequest.supportedRevisions) + [
            .bool(
                "realtime",
                "With live sources and quality=balanced: do not wait for masks that take longer than a frame may. The last "
                    + "mask is moved along with the image while the next is computed. false makes each frame wait for its own "
                    + "mask (Since: 0.2.0)",
                \.isRealTime),
            .bool(
                "instances",
                "Adds a mask and a stable id for each person, and a label map (Since: 0.2.0)",
                \.separates),
            .count(
                "max-instances",
                "Maximum number of people with their own mask; the most prominent are kept (Since: 0.2.0)",
                in: GeneratePersonInstanceMaskRequest.possibleInstances, \.instances.maximumInstances),
            .choice(
                "overflow", "How the label map shows people beyond max-instances (Since: 0.2.0)",
                \.instances.overflow
            ),
        ]
    }

    /// The requests of `personsegment` with a common segmenter: one mask of all people, or one of each.
    final class Analysis: MaskAnalysis {
        private let all: GeneratePersonSegmentationRequest
        private let each: GeneratePersonInstanceMaskRequest

        init() {
            let pipeline = SegmentationPipeline()
            all = GeneratePersonSegmentationRequest(
                GeneratePersonSegmentationRequest.Configuration(), pipeline)
            each = GeneratePersonInstanceMaskRequest(
                GeneratePersonInstanceMaskRequest.Configuration(), pipeline)
        }

        func apply(_ settings: PersonSegmentSettings, isLive: Bool) -> any MaskRequest {
            var configuration = settings.segmentation
            if settings.revision > 0 { configuration.revision = settings.revision }
            configuration.compilesInBackground = isLive
            configuration.segmentsInBackground = isLive && settings.isRealTime && !settings.separates
            all.configuration = configuration
            each.configuration = settings.instances
            each.configuration.segmentation = configuration
            each.configuration.spreadsFirstSearch = isLive
            return settings.separates ? each : all
        }

        func reset() {
            all.reset()
            each.reset()
        }

        func unload() {
            all.unload()
            each.unload()
        }
    }
}
