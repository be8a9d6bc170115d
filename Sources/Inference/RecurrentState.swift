/// What a recurrent model hands on from one run to the next: one memory is read while the other is written.
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

    /// What the last run wrote is what the next one reads.
    func advance(in request: OpenVINO.Request) throws(OpenVINOFailure) {
        (read, written) = (written, read)
        try set(in: request)
    }

    /// The next run reads zeros.
    func clear() { read.memory.elements.update(repeating: 0) }

    private func set(in request: OpenVINO.Request) throws(OpenVINOFailure) {
        try request.set(read, at: ports.input)
        try request.set(written, at: ports.output)
    }
}
