/// A model ready to run on a device.
///
/// Made and shared by ``Engine``; may be used from any thread.
public final class CompiledModel: Sendable {
    /// What the model is.
    public let info: ModelInfo
    /// The dimensions of the input, in the order of its layout.
    public let inputShape: [Int]
    /// The dimensions of the outputs, in the order of ``ModelInfo/outputs``.
    public var outputShapes: [[Int]] { outputs.map(\.shape) }

    let runtime: Runtime
    let handle: Handle
    let input: Handle
    let outputs: [Output]

    struct Output: Sendable {
        let name: String
        let shape: [Int]
        let port: Handle
    }

    init(
        info: ModelInfo, inputShape: [Int], runtime: Runtime, handle: Handle, input: Handle, outputs: [Output]
    ) {
        self.info = info
        self.inputShape = inputShape
        self.runtime = runtime
        self.handle = handle
        self.input = input
        self.outputs = outputs
    }

    /// The place of an output in ``InferenceRequest/outputs``: to be asked for once, not per frame.
    ///
    /// - Throws: ``InferenceError/unsupportedModel(path:why:)`` when the description has none of that name.
    public func outputIndex(named name: String) throws(InferenceError) -> Int {
        guard let index = outputs.firstIndex(where: { $0.name == name }) else {
            throw .unsupportedModel(path: info.path, why: "it has no output '\(name)'")
        }
        return index
    }

    /// A property that OpenVINO chose or was given, such as `NUM_STREAMS`; `nil` if it has no such.
    package func property(_ key: String) -> String? {
        try? runtime.openVINO.property(key, ofCompiled: handle)
    }
}
