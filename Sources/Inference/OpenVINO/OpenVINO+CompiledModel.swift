import COpenVINO

extension OpenVINO {
    /// A model compiled for a device.
    final class CompiledModel: @unchecked Sendable {
        // Unchecked: the pointer never changes, and several threads may make requests of one model.
        private let pointer: OpaquePointer
        private let core: Core
        /// What the weights may lie in.
        private let file: MappedFile?

        /// Takes over a C object that `core` made, of `file` if there is one.
        init(owning pointer: OpaquePointer, of core: Core, in file: MappedFile? = nil) {
            (self.pointer, self.core, self.file) = (pointer, core, file)
        }

        deinit { core.library.compiledModelFree(pointer) }
    }
}

extension OpenVINO.CompiledModel {
    private var library: OpenVINO { core.library }

    /// The only input.
    func input() throws(OpenVINOFailure) -> OpenVINO.Port {
        try OpenVINO.Port(library) { library.compiledModelInput(pointer, $0) }
    }

    func input(named name: String) throws(OpenVINOFailure) -> OpenVINO.Port {
        try OpenVINO.Port(library) { library.compiledModelInputByName(pointer, name, $0) }
    }

    func outputCount() throws(OpenVINOFailure) -> Int {
        try library.count { library.compiledModelOutputsSize(pointer, $0) }
    }

    func output(at index: Int) throws(OpenVINOFailure) -> OpenVINO.Port {
        try OpenVINO.Port(library) { library.compiledModelOutputByIndex(pointer, index, $0) }
    }

    func output(named name: String) throws(OpenVINOFailure) -> OpenVINO.Port {
        try OpenVINO.Port(library) { library.compiledModelOutputByName(pointer, name, $0) }
    }

    /// Writes the model to a file, which `Core.importModel` reads.
    func export(to path: String) throws(OpenVINOFailure) {
        try library.check(library.compiledModelExport(pointer, path))
    }

    func makeRequest() throws(OpenVINOFailure) -> OpenVINO.Request {
        let request = try library.object { library.compiledModelCreateRequest(pointer, $0) }
        return OpenVINO.Request(owning: request, of: library)
    }
}
