import GStreamerKit
import Imaging
import Inference
import PeopleSettings
import PeopleVision

/// Finds subjects of any kind, people among them, and attaches them to each frame as a `GstPeopleMask` with instances.
///
///     gst-launch-1.0 filesrc location=dog.jpg ! decodebin ! videoconvert ! subjectsegment quality=accurate ! blendmask background-source=transparent ! pngenc snapshot=true ! filesink location=dog.png
final class SubjectSegmentElement: MaskElement<SubjectSegmentSettings> {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "subjectsegment", typeName: "GstSubjectSegment", longName: "Subject segmentation",
            klass: "Filter/Analyzer/Video",
            description: "Attaches soft masks of the main subjects of any kind to each frame (GstPeopleMask)"
        )
    }
}

/// The settings of `subjectsegment`.
struct SubjectSegmentSettings: AttachedMaskSettings {
    static let subject = PeopleMaskMeta.Subject.anything

    var segmentation = GeneratePersonSegmentationRequest.Configuration.video
    var instances = GenerateForegroundInstanceMaskRequest.Configuration()
    var revision = 0
    var interval = 1
    var lookahead = -1
    var separates: Bool { true }

    static var properties: [Property<Self>] {
        maskProperties(revisions: GenerateForegroundInstanceMaskRequest.supportedRevisions) + [
            .count(
                "max-instances", "Maximum number of subjects with their own mask; the largest are kept",
                in: GenerateForegroundInstanceMaskRequest.possibleInstances, \.instances.maximumInstances),
            .choice(
                "overflow", "How the label map shows subjects beyond max-instances", \.instances.overflow),
        ]
    }

    final class Analysis: MaskAnalysis {
        private let request = GenerateForegroundInstanceMaskRequest()

        init() {}

        func apply(_ settings: SubjectSegmentSettings, isLive: Bool) -> any MaskRequest {
            request.configuration = settings.instances
            // The revision of the people is the one that the subjects' revision was made with.
            request.configuration.segmentation = settings.segmentation
            (request.configuration.segmentation.mode, request.configuration.segmentation.waitsForMasks) = (
                isLive ? .camera : .recording, true
            )
            if settings.revision > 0 { request.configuration.revision = settings.revision }
            return request
        }

        func reset() { request.reset() }

        func unload() { request.unload() }
    }
}
