import GStreamerKit
import Imaging
import Inference
import PeopleVision

/// Properties that elements share which attach masks.
protocol MaskSettings: InferenceSettings {
    var quality: GeneratePersonSegmentationRequest.QualityLevel { get set }
    var revision: Int32 { get set }
    var maskFormat: MaskFormat { get set }
    var interval: Int32 { get set }
    var smoothing: Double { get set }
    var threshold: Double { get set }
    var feather: Double { get set }
    var expand: Double { get set }
    var minArea: Double { get set }
    var precision: ModelPrecision { get set }
    var maximumInstances: Int32 { get set }
    var overflow: InstanceOverflow { get set }
}

extension MaskSettings {
    /// How masks are made, and what is done to them.
    static func maskProperties(revisions: ClosedRange<Int>) -> [Property<Self>] {
        [
            .choice("quality", "Speed or detail of the mask", \.quality),
            .int(
                "revision", "Revision of the analysis, 0 for the newest; fix it to keep results the same",
                in: 0...Int32(revisions.upperBound), \.revision),
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
                "Where the mask steps from background to foreground; 0 leaves it soft",
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
            .choice(
                "precision",
                "Arithmetic of the models; f32 for the same masks on every CPU (Since: 0.2.0)", \.precision),
        ]
            + inferenceProperties(
                modelPath:
                    "A prepared model's name, or a model file with its .json, instead of the quality's own; or a directory to search for models first"
            )
    }

    /// How people are segmented.
    var segmentation: GeneratePersonSegmentationRequest.Configuration {
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
