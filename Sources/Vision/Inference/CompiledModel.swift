/// A model ready to run on a device.
///
/// ``Engine`` creates and shares it; it may be used from any thread.
package final class CompiledModel: Sendable {
    /// The description of the model.
    package let info: ModelInfo
    /// The dimensions of the input, in the order of its layout.
    package let inputShape: [Int]
    /// The dimensions of the outputs, in the order of ``ModelInfo/outputs``.
    package var outputShapes: [[Int]] { outputs.map(\.shape) }

    /// The options that it was compiled with.
    package let options: ComputeOptions

    let library: OpenVINO
    let compiled: OpenVINO.CompiledModel
    let input: OpenVINO.Port
    let outputs: [Output]
    let states: [State]

    struct State: Sendable {
        let shape: [Int]
        let input: OpenVINO.Port
        let output: OpenVINO.Port
    }

    struct Output: Sendable {
        let shape: [Int]
        let port: OpenVINO.Port
    }

    init(
        info: ModelInfo, inputShape: [Int], options: ComputeOptions, library: OpenVINO,
        compiled: OpenVINO.CompiledModel, input: OpenVINO.Port, outputs: [Output], states: [State]
    ) {
        self.info = info
        self.options = options
        self.inputShape = inputShape
        self.library = library
        self.compiled = compiled
        self.input = input
        self.outputs = outputs
        self.states = states
    }
}
