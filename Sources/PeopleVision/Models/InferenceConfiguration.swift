/// Settings of all requests: where their models run and come from.
public protocol InferenceConfiguration: Sendable, Equatable {
    /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
    var device: String { get set }
    /// Threads for inference, 0 for as many as suit the models.
    var threads: Int { get set }
    /// A model to use instead of the built-in one, or a directory of models.
    var modelPath: String? { get set }
}
