/// Runs a model: fill ``input``, call ``run()``, read ``outputs``.
///
/// Use one request per stream of frames, by one thread at a time. Requests of one ``CompiledModel`` may run
/// at the same time. The memory belongs to the request and is passed to OpenVINO once, so that a run copies
/// and allocates nothing in this library. The state that a recurrent model passes to its next run stays in
/// two memories that change places.
package final class InferenceRequest {
    /// The model that the request runs.
    package let model: CompiledModel
    /// The input tensor, ``CompiledModel/inputShape``; 64-byte aligned, zero at first.
    package let input: UnsafeMutableBufferPointer<Float>
    /// The output tensors, ``CompiledModel/outputShapes``, in the order of ``ModelInfo/outputs``; 64-byte aligned.
    package let outputs: [UnsafeBufferPointer<Float>]

    private let request: OpenVINO.Request
    private let tensors: [OpenVINO.Tensor]
    private let states: [RecurrentState]
    private var runs = 0

    /// Allocates the tensors and prepares a request.
    ///
    /// - Throws: ``InferenceError/inferenceFailed(model:why:)`` when there is no memory, or OpenVINO refuses.
    package init(_ model: CompiledModel) throws(InferenceError) {
        do throws(OpenVINOFailure) {
            let request = try model.compiled.makeRequest()
            let input = try request.tensor(model.library, model.inputShape, at: model.input)
            var outputs: [OpenVINO.Tensor] = []
            for output in model.outputs {
                outputs.append(try request.tensor(model.library, output.shape, at: output.port))
            }
            var states: [RecurrentState] = []
            for state in model.states {
                states.append(try RecurrentState(state, of: model.library, in: request))
            }
            self.request = request
            self.states = states
            self.tensors = [input] + outputs
            self.input = input.memory.elements
            self.outputs = outputs.map { UnsafeBufferPointer($0.memory.elements) }
        } catch {
            throw .inferenceFailed(model: model.info.name, why: error.message)
        }
        self.model = model
    }

    deinit {
        guard runs > 0 else { return }
        InferenceLog.write { RunCount(count: runs, model).description }
    }

    /// Computes the outputs from the input and the states; blocks the calling thread until they are ready.
    ///
    /// - Throws: ``InferenceError/inferenceFailed(model:why:)``; the outputs are then not to be used.
    package func run() throws(InferenceError) {
        runs &+= 1
        #if RULE_SWITCHES
            let cache = states.isEmpty ? OutputCache(model, input) : nil
            if let cache, cache.read(into: outputs) { return }
            defer { cache?.write(outputs) }
        #endif
        do {
            try request.infer()
            for state in states { try state.advance(in: request) }
        } catch {
            throw .inferenceFailed(model: model.info.name, why: error.message)
        }
    }

    /// Forgets earlier runs by setting the states to zero.
    package func reset() {
        for state in states { state.clear() }
    }
}

extension OpenVINO.Request {
    /// Creates a tensor, and sets it as an input or output.
    fileprivate func tensor(
        _ library: OpenVINO, _ shape: [Int], at port: OpenVINO.Port
    ) throws(OpenVINOFailure) -> OpenVINO.Tensor {
        let tensor = try OpenVINO.Tensor(library, shape: shape)
        try set(tensor, at: port)
        return tensor
    }
}

/// The state that a recurrent model passes from one run to the next: one memory is read while the other is
/// written.
final class RecurrentState {
    private let ports: CompiledModel.State
    private var read: OpenVINO.Tensor
    private var written: OpenVINO.Tensor

    /// Allocates both memories, zero at first, for the runs of `request`.
    init(
        _ ports: CompiledModel.State, of library: OpenVINO, in request: OpenVINO.Request
    ) throws(OpenVINOFailure) {
        self.ports = ports
        read = try OpenVINO.Tensor(library, shape: ports.shape)
        written = try OpenVINO.Tensor(library, shape: ports.shape)
        try set(in: request)
    }

    /// Exchanges the memories, so that the next run reads what the last one wrote.
    func advance(in request: OpenVINO.Request) throws(OpenVINOFailure) {
        (read, written) = (written, read)
        try set(in: request)
    }

    /// Clears the memory that the next run reads.
    func clear() { read.memory.elements.update(repeating: 0) }

    private func set(in request: OpenVINO.Request) throws(OpenVINOFailure) {
        try request.set(read, at: ports.input)
        try request.set(written, at: ports.output)
    }
}

/// The number of times that a request has run its model, as the log has it when the request is released.
package struct RunCount: CustomStringConvertible {
    /// A model in one size.
    package struct Model: Hashable {
        /// The model's file.
        package let path: String
        /// The dimensions of the input, in the order of its layout.
        package let inputShape: [Int]
        /// The distribution of the processor's cores.
        package let parallelism: ComputeOptions.Parallelism
    }

    /// The model that was run.
    package let model: Model
    /// Number of runs.
    package let count: Int

    init(count: Int, _ model: CompiledModel) {
        self.count = count
        self.model = Model(
            path: model.info.path, inputShape: model.inputShape, parallelism: model.options.parallelism)
    }

    /// Reads a count from a line of the log; nil for other lines.
    package init?(_ line: some StringProtocol) {
        guard let start = line.firstRange(of: Self.beginning) else { return nil }
        let words = line[start.upperBound...].split(separator: " ", maxSplits: 3)
        guard words.count == 4, let count = Int(words[0]),
            let parallelism = ComputeOptions.Parallelism(rawValue: String(words[2]))
        else { return nil }
        self.count = count
        model = Model(
            path: String(words[3]), inputShape: words[1].split(separator: "x").compactMap { Int($0) },
            parallelism: parallelism)
    }

    private static let beginning = "runs: "

    /// The line of the log.
    package var description: String {
        let shape = model.inputShape.map(String.init).joined(separator: "x")
        return "\(Self.beginning)\(count) \(shape) \(model.parallelism.rawValue) \(model.path)"
    }
}
