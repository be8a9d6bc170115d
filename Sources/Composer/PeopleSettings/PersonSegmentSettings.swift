package import PeopleVision
package import Properties

/// The settings of `personsegment`.
package struct PersonSegmentSettings: MaskSettings {
    package var segmentation = GeneratePersonSegmentationRequest.Configuration.video
    package var instances = GeneratePersonInstanceMaskRequest.Configuration()
    package var revision = 0
    package var interval = 1
    package var lookahead = -1
    package var isRealTime = true
    /// Whether no frame waits for a background mask, however soon that would be ready.
    package var passesAtOnce = false
    package var separates = false

    package init() {}

    package static var properties: [Property<Self>] {
        let instanceMasks = Property<Self>.bool(
            "instance-masks",
            "Adds a mask and a stable id for each person, and a label map (Since: 0.2.0)", \.separates
        )
        .control("Choose people", in: .people, at: 1).drawnSeparately(by: .page)
        .partOfOptions("--instances, --instances-at, --instances-except, --heads")
        .without(.obs, because: "it follows from the people who are chosen")
        return maskProperties(revisions: GeneratePersonSegmentationRequest.supportedRevisions) + [
            .bool(
                "realtime",
                "With live sources and quality=balanced: do not wait for masks that take longer than a frame may. The last "
                    + "mask is moved along with the image while the next is computed. false makes each frame wait for its own "
                    + "mask (Since: 0.2.0)",
                \.isRealTime
            )
            .without(
                .tool, .lifting, .page, .obs, because: "whether frames may wait follows from their source"),
            instanceMasks, instanceMasks.formerly("instances"),
            .count(
                "max-instances",
                "Maximum number of people with their own mask; the most prominent are kept (Since: 0.2.0)",
                in: GeneratePersonInstanceMaskRequest.possibleInstances, \.instances.maximumInstances
            )
            .control("People at most", in: .people, at: 5)
            .option("maximum number of people with their own mask")
            .without(.lifting, because: "all people of a photo have masks there"),
            .choice(
                "overflow", "How the label map shows people beyond max-instances (Since: 0.2.0)",
                \.instances.overflow
            )
            .without(.tool, .lifting, .page, .obs, because: "it is for programs that read masks"),
        ]
    }

    /// The requests of `personsegment` with a common segmenter: one mask of all people, or one of each.
    package final class Analysis: MaskAnalysis {
        private let all: GeneratePersonSegmentationRequest
        private let each: GeneratePersonInstanceMaskRequest

        package init() {
            let pipeline = SegmentationPipeline()
            all = GeneratePersonSegmentationRequest(
                GeneratePersonSegmentationRequest.Configuration(), pipeline)
            each = GeneratePersonInstanceMaskRequest(
                GeneratePersonInstanceMaskRequest.Configuration(), pipeline)
        }

        package func apply(_ settings: PersonSegmentSettings, isLive: Bool) -> any MaskRequest {
            var configuration = settings.segmentation
            if settings.revision > 0 { configuration.revision = settings.revision }
            configuration.mode = isLive ? .camera : .recording
            configuration.passesAtOnce = settings.passesAtOnce
            configuration.loadsBesideStream = true
            configuration.waitsForMasks = !settings.isRealTime || settings.separates
            all.configuration = configuration
            each.configuration = settings.instances
            each.configuration.segmentation = configuration
            return settings.separates ? each : all
        }

        package func reset() {
            all.reset()
            each.reset()
        }

        package func unload() {
            all.unload()
            each.unload()
        }
    }
}
