public import Imaging
public import Inference
public import PeopleVision
public import Properties

// The enumerations that properties offer; the raw values are the words that users type.

extension GeneratePersonSegmentationRequest.QualityLevel: PropertyChoice {
    /// The name of the enumeration.
    public static var name: String { "Quality" }
    /// The effect of the case.
    public var blurb: String {
        switch self {
        case .accurate: "Photography and offline work: finest masks, slowest"
        case .balanced: "Video and cameras: fine masks"
        case .fast: "Streaming and weak processors: coarse masks, fastest"
        }
    }
}

extension MaskFormat: PropertyChoice {
    /// The name of the enumeration.
    public static var name: String { "MaskFormat" }
    /// The effect of the case.
    public var blurb: String {
        switch self {
        case .gray8: "8-bit integers, 0 to 255"
        case .f16: "16-bit floats, 0 to 1"
        case .f32: "32-bit floats, 0 to 1"
        }
    }
}

extension ModelPrecision: PropertyChoice {
    /// The name of the enumeration.
    public static var name: String { "Precision" }
    /// The effect of the case.
    public var blurb: String {
        switch self {
        case .automatic:
            "8-bit integers if the model is installed in that form and the CPU is fast at them, otherwise as f32"
        case .float32: "32-bit floats"
        }
    }
}

extension PictureFit: PropertyChoice {
    /// The name of the enumeration.
    public static var name: String { "BackgroundFit" }
    /// The case in controls.
    public var label: String {
        switch self {
        case .cover: "Fill"
        case .contain: "Fit"
        case .stretch: "Stretch"
        case .tile: "Repeat"
        }
    }
    /// The effect of the case.
    public var blurb: String {
        switch self {
        case .cover: "Scale to fill the frame and crop the rest"
        case .contain: "Scale to fit into the frame; background-color fills the rest"
        case .stretch: "Scale to the frame without keeping the aspect ratio"
        case .tile: "Repeat at the original size"
        }
    }
}

extension InstanceOverflow: PropertyChoice {
    /// The name of the enumeration.
    public static var name: String { "Overflow" }
    /// The effect of the case.
    public var blurb: String {
        switch self {
        case .merge: "They share one additional label"
        case .background: "They are background"
        }
    }
}

extension ElementSettings {
    /// Properties of all elements that run models.
    ///
    /// - Parameters:
    ///   - configuration: path of the request's configuration in the settings.
    ///   - modelPath: description of `model-path`.
    package static func inferenceProperties<Configuration: InferenceConfiguration>(
        _ configuration: WritableKeyPath<Self, Configuration>, modelPath: String
    ) -> [Property<Self>] {
        let properties: [Property<Self>] = [
            .text(
                "device", "OpenVINO device that runs the models: CPU, GPU, NPU or AUTO",
                configuration.appending(path: \.device)
            )
            .control("Device", in: .level, at: 3)
            .option(
                "inference-device", "OpenVINO device that runs the models: CPU, GPU, NPU or AUTO",
                as: "DEVICE"
            ),
            .count(
                "threads", "Number of inference threads (0 = chosen by model)", in: 0...256,
                configuration.appending(path: \.threads), .whilePlaying
            )
            .control("Threads", in: .level, at: 4)
            .option("number of inference threads; 0 chooses by model"),
            .string("model-path", modelPath, as: .file, configuration.appending(path: \.modelPath))
                .control("Model path", in: .level, at: 6)
                .option("model", "name of a prepared model, a model file, or a folder of models")
                // It may take anything for a person.
                .hidesRoom(.unset),
        ]
        return properties.map { $0.without(.page, because: "the right value depends on the machine") }
    }
}

extension Backdrop.Source: PropertyChoice {
    /// The name of the enumeration.
    public static var name: String { "BackgroundSource" }
    /// The effect of the case.
    public var blurb: String {
        switch self {
        case .auto: "Follows from the other properties"
        case .original: "The frame's own background"
        case .picture: "The picture named by background, or the first frame of a clip"
        case .clip: "The clip named by background, in a loop"
        case .color: "The plain colour background-color"
        case .transparent: "Nothing: the output has an alpha channel"
        case .pose:
            "A colour that follows the head pose of the largest face (needs facepose upstream); see pose-angle"
        }
    }
}
