/// Runs a model: fill ``input``, call ``run()``, read ``outputs``.
///
/// One per stream of frames; to be used by one thread at a time. Requests of one ``CompiledModel``
/// may run at the same time. The memory belongs to the request and is handed to OpenVINO once, so
/// that a run copies and allocates nothing of ours.
public final class InferenceRequest {
    /// The model that this runs.
    public let model: CompiledModel
    /// The input tensor, ``CompiledModel/inputShape``; 64-byte aligned, zero at first.
    public let input: UnsafeMutableBufferPointer<Float>
    /// The output tensors, ``CompiledModel/outputShapes``, in the order of ``ModelInfo/outputs``; 64-byte aligned.
    public let outputs: [UnsafeBufferPointer<Float>]

    private let openVINO: OpenVINO
    private let handle: Handle
    private let tensors: [Tensor]

    /// Allocates the tensors and prepares a request.
    ///
    /// - Throws: ``InferenceError/inferenceFailed(model:why:)`` when there is no memory, or OpenVINO refuses.
    public init(_ model: CompiledModel) throws(InferenceError) {
        let openVINO = model.runtime.openVINO
        do throws(OpenVINOFailure) {
            let handle = try openVINO.makeRequest(model.handle)
            let input = try Tensor(openVINO, handle, port: model.input, shape: model.inputShape)
            var outputs: [Tensor] = []
            for output in model.outputs {
                outputs.append(try Tensor(openVINO, handle, port: output.port, shape: output.shape))
            }
            self.handle = handle
            self.tensors = [input] + outputs
            self.input = input.memory.elements
            self.outputs = outputs.map { UnsafeBufferPointer($0.memory.elements) }
        } catch {
            throw .inferenceFailed(model: model.info.name, why: error.message)
        }
        self.model = model
        self.openVINO = openVINO
    }

    /// Computes the outputs from the input; blocks the calling thread until they are there.
    ///
    /// - Throws: ``InferenceError/inferenceFailed(model:why:)``; the outputs are then not to be used.
    public func run() throws(InferenceError) {
        do {
            try openVINO.infer(handle)
        } catch {
            throw .inferenceFailed(model: model.info.name, why: error.message)
        }
    }
}

/// Memory and OpenVINO's view of it, set as an input or output of a request.
private struct Tensor {
    let handle: Handle
    let memory: TensorMemory

    init(_ openVINO: OpenVINO, _ request: Handle, port: Handle, shape: [Int]) throws(OpenVINOFailure) {
        guard let count = product(of: shape), let memory = TensorMemory(count: count) else {
            throw OpenVINOFailure(message: "there is no memory for a tensor of \(shape)")
        }
        self.memory = memory
        handle = try openVINO.makeTensor(over: memory.elements, shape: shape)
        try openVINO.setTensor(handle, of: request, at: port)
    }
}
