import GStreamerKit
import Imaging
import Inference
import PeopleVision

/// The settings of an element that attaches masks.
protocol MaskSettings: ElementSettings, Equatable {
    associatedtype Analysis: MaskAnalysis where Analysis.Settings == Self

    /// What the masks are of.
    static var subject: PeopleMaskMeta.Subject { get }

    /// How masks are made.
    var segmentation: GeneratePersonSegmentationRequest.Configuration { get set }
    /// The revision of the analysis; 0 for the newest.
    var revision: Int { get set }
    /// Frames from one analysis to the next.
    var interval: Int { get set }
    /// Whether each instance has a mask of its own.
    var separates: Bool { get }
}

/// The requests of an element that attaches masks.
protocol MaskAnalysis: AnyObject {
    associatedtype Settings

    init()
    /// Hands settings on to the requests.
    ///
    /// - Parameter isLive: whether frames come from a camera: none waits while a model is compiled.
    /// - Returns: the request for the next frames.
    func apply(_ settings: Settings, isLive: Bool) -> any MaskRequest
    /// The next frame does not follow the last.
    func reset()
    /// Releases the models.
    func unload()
}

extension GeneratePersonSegmentationRequest.Configuration {
    /// How an element makes masks unless its properties say otherwise: frame by frame.
    static var video: Self {
        var configuration = Self()
        configuration.qualityLevel = .balanced
        return configuration
    }
}

extension MaskSettings {
    /// How masks are made, and what is done to them.
    static func maskProperties(revisions: ClosedRange<Int>) -> [Property<Self>] {
        [
            .choice("quality", "Trade-off between speed and detail of the mask", \.segmentation.qualityLevel),
            .count(
                "revision",
                "Revision of the analysis; 0 is the newest. A fixed number keeps results the same after updates",
                in: 0...revisions.upperBound, \.revision),
            .choice("mask-format", "Sample format of the mask", \.segmentation.outputPixelFormat),
            .count(
                "inference-interval",
                "Analyse every Nth frame; the frames between carry the last mask and its age",
                in: 1...1000, \.interval),
            .double(
                "smoothing",
                "Temporal smoothing of the mask where the image does not move (0 = off, 1 = maximum)",
                in: 0...1, as: .single, \.segmentation.smoothing),
            .double(
                "threshold",
                "Coverage that separates background from foreground; makes edges hard (0 = keep them soft)",
                in: 0...1, as: .single, \.segmentation.controls.threshold),
            .double(
                "feather", "Blur of the mask's outline, in percent of the mask's shorter side (0 = off)",
                in: 0...20,
                as: .percent, \.segmentation.controls.feather),
            .double(
                "expand",
                "Grows the mask by this percentage of its shorter side; negative values shrink it (0 = off)",
                in: -20...20, as: .percent, \.segmentation.controls.expand),
            .double(
                "min-area",
                "Removes connected parts of the mask smaller than this percentage of the frame (0 = off)",
                in: 0...100, as: .percent, \.segmentation.controls.minimumArea),
            .choice(
                "precision",
                "Arithmetic of the models; f32 gives the same masks on every CPU (Since: 0.2.0)",
                \.segmentation.precision),
        ]
            + inferenceProperties(
                \.segmentation,
                modelPath:
                    "Name of a prepared model, or path of a model file with its .json, to use instead of the model of this quality; or a directory that is searched for models first"
            )
    }
}
