package import PeopleVision
package import Properties

/// The settings of `subjectsegment`.
package struct SubjectSegmentSettings: MaskSettings {
    package var segmentation = GeneratePersonSegmentationRequest.Configuration.video
    package var instances = GenerateForegroundInstanceMaskRequest.Configuration()
    package var revision = 0
    package var interval = 1
    package var lookahead = -1
    package var separates: Bool { true }

    package init() {}

    package static var properties: [Property<Self>] {
        maskProperties(revisions: GenerateForegroundInstanceMaskRequest.supportedRevisions) + [
            .count(
                "max-instances", "Maximum number of subjects with their own mask; the largest are kept",
                in: GenerateForegroundInstanceMaskRequest.possibleInstances, \.instances.maximumInstances),
            .choice(
                "overflow", "How the label map shows subjects beyond max-instances", \.instances.overflow),
        ]
    }

    package final class Analysis: MaskAnalysis {
        private let request = GenerateForegroundInstanceMaskRequest()

        package init() {}

        package func apply(_ settings: SubjectSegmentSettings, isLive: Bool) -> any MaskRequest {
            request.configuration = settings.instances
            // The revision of the people is the one that the subjects' revision was made with.
            request.configuration.segmentation = settings.segmentation
            (request.configuration.segmentation.mode, request.configuration.segmentation.waitsForMasks) = (
                isLive ? .camera : .recording, true
            )
            if settings.revision > 0 { request.configuration.revision = settings.revision }
            return request
        }

        package func reset() { request.reset() }

        package func unload() { request.unload() }
    }
}
