package import PeopleVision
package import Properties

/// The settings of an analysis that makes masks.
package protocol MaskSettings: ElementSettings, Equatable {
    associatedtype Analysis: MaskAnalysis where Analysis.Settings == Self

    /// The configuration of the segmentation.
    var segmentation: GeneratePersonSegmentationRequest.Configuration { get set }
    /// The revision of the analysis; 0 for the newest.
    var revision: Int { get set }
    /// Number of frames from one analysis to the next.
    var interval: Int { get set }
    /// Number of frames to look ahead, 0...2; -1 for the number that suits the quality level.
    var lookahead: Int { get set }
    /// Whether each instance has its own mask.
    var separates: Bool { get }
}

/// The requests that make masks.
package protocol MaskAnalysis: AnyObject {
    associatedtype Settings

    init()
    /// Passes the settings to the requests.
    ///
    /// - Parameter isLive: whether frames come from a camera, so that none waits while a model is compiled.
    /// - Returns: the request for the next frames.
    func apply(_ settings: Settings, isLive: Bool) -> any MaskRequest
    /// Handles a frame that does not follow the last one.
    func reset()
    /// Releases the models.
    func unload()
}

extension GeneratePersonSegmentationRequest.Configuration {
    /// The default configuration of an element: frame by frame.
    package static var video: Self {
        var configuration = Self()
        configuration.qualityLevel = .balanced
        return configuration
    }
}

extension MaskSettings {
    /// Returns the number of frames to look ahead.
    package func lookahead(isLive: Bool) -> Int {
        guard lookahead < 0 else { return lookahead }
        return !isLive && segmentation.qualityLevel == .accurate ? 1 : 0
    }

    /// Returns the properties of the segmentation and of the mask's filters.
    package static func maskProperties(revisions: ClosedRange<Int>) -> [Property<Self>] {
        [
            .choice(
                "quality", "Trade-off between speed and detail of the mask", \.segmentation.qualityLevel,
                .whilePlaying
            )
            .control("Level", in: .level, at: 1).drawnSeparately(by: .page).partOfOptions("--quality")
            // Frames of cameras do not wait for the finest masks.
            .without("accurate", in: .obs),
            .count(
                "revision",
                "Revision of the analysis; 0 is the newest. A fixed number keeps results the same after updates",
                in: 0...revisions.upperBound, \.revision, .whilePlaying
            )
            .without(.tool, .lifting, .page, .obs, because: "it is for programs that compare results"),
            .choice("mask-format", "Sample format of the mask", \.segmentation.outputPixelFormat)
                .without(.tool, .lifting, .page, .obs, because: "it is for programs that read masks"),
            .count(
                "inference-interval",
                "Analyse every Nth frame; the frames between carry the last mask and its age",
                in: 1...1000, \.interval
            )
            .option("analyse every Nth frame")
            // A mask that is kept for several frames shows the place that a person has left.
            .hidesRoom(.range(0...2))
            .without(.page, because: "the right value depends on the machine")
            .without(.obs, because: "each frame gets a mask of its own there"),
            .int(
                "lookahead",
                "Frames that each frame waits for, so that their masks correct its own, and masks of live streams have more time; -1 is 1 at quality=accurate unless the source is live, otherwise 0 (Since: 0.2.0)",
                in: -1...8, as: .count, \.lookahead
            )
            .option("let each frame wait for N more, whose masks correct its own; -1 as suits the quality")
            .without(.page, .obs, because: "it is for recorded frames"),
            .double(
                "smoothing",
                "Temporal smoothing of the mask where the image does not move (0 = off, 1 = maximum)",
                in: 0...1, as: .single, \.segmentation.smoothing
            )
            .control("Steady edges over time", in: .edges, at: 6)
            .option("temporal smoothing of the mask; 0 is off"),
        ] + shapeProperties + [
            .choice(
                "precision",
                "Arithmetic of the models; f32 gives the same masks on every CPU (Since: 0.2.0)",
                \.segmentation.precision, .whilePlaying
            )
            .control("Precision", in: .level, at: 5)
            .option("arithmetic of the models; f32 gives the same masks on every CPU")
            .without(.page, because: "the right value depends on the machine")
        ]
            + inferenceProperties(
                \.segmentation,
                modelPath:
                    "Name of a prepared model, or path of a model file with its .json, to use instead of the model of this quality; or a directory that is searched for models first"
            )
    }

    /// The properties of the mask's outline.
    ///
    /// An outline that is moved outwards or softened shows a strip of the room, and a low threshold everything that looks a
    /// little like a person.
    private static var shapeProperties: [Property<Self>] {
        [
            .double(
                "threshold",
                "Coverage that separates background from foreground; makes edges hard (0 = keep them soft)",
                in: 0...1, as: .single, \.segmentation.controls.threshold
            )
            .control("Firm edges from", in: .edges, at: 7)
            .option("coverage that separates background from people; 0 keeps soft edges")
            .hidesRoom(.range(0.5...1, orZero: true)),
            .double(
                "feather", "Blur of the mask's outline, in percent of the mask's shorter side (0 = off)",
                in: 0...20, as: .percent, \.segmentation.controls.feather
            )
            .control("Soften edges", in: .edges, at: 1, .percent, slider: 0...4)
            .option("blur of the mask's outline, in percent of its shorter side")
            .hidesRoom(.range(0...4)),
            .double(
                "expand",
                "Grows the mask by this percentage of its shorter side; negative values shrink it (0 = off)",
                in: -20...20, as: .percent, \.segmentation.controls.expand
            )
            .control("Grow or shrink", in: .edges, at: 2, .percent, slider: -3...3)
            .option("grow the mask by this percentage of its shorter side; negative shrinks it")
            .hidesRoom(.range(-100...2)),
            .double(
                "min-area",
                "Removes connected parts of the mask smaller than this percentage of the frame (0 = off)",
                in: 0...100, as: .percent, \.segmentation.controls.minimumArea
            )
            .control("Remove small parts", in: .edges, at: 5, .percent, slider: 0...10)
            .option("remove parts of the mask smaller than this percentage of the frame"),
        ]
    }
}

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
