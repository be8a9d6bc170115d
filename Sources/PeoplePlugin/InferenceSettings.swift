import GStreamerKit
import PeopleVision

extension ElementSettings {
    /// Properties of all elements that run models.
    ///
    /// - Parameters:
    ///   - configuration: where the settings hold that of their request.
    ///   - modelPath: what `model-path` may be.
    static func inferenceProperties<Configuration: InferenceConfiguration>(
        _ configuration: WritableKeyPath<Self, Configuration>, modelPath: String
    ) -> [Property<Self>] {
        [
            .text(
                "device", "OpenVINO device that runs the models: CPU, GPU, NPU or AUTO",
                configuration.appending(path: \.device)),
            .count(
                "threads", "Number of inference threads (0 = chosen by model)", in: 0...256,
                configuration.appending(path: \.threads)),
            .string("model-path", modelPath, configuration.appending(path: \.modelPath)),
        ]
    }
}
