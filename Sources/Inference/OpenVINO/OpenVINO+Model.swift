import COpenVINO
import Glibc

extension OpenVINO {
    /// A model as it was read, not compiled; to be used by one thread at a time.
    final class Model {
        let pointer: OpaquePointer
        private let core: Core

        /// Takes over a C object that `core` made.
        init(owning pointer: OpaquePointer, of core: Core) {
            (self.pointer, self.core) = (pointer, core)
        }

        deinit { core.library.modelFree(pointer) }
    }
}

extension OpenVINO.Model {
    func inputCount() throws(OpenVINOFailure) -> Int {
        try core.library.count { core.library.modelInputsSize(pointer, $0) }
    }

    /// The only input.
    func input() throws(OpenVINOFailure) -> OpenVINO.Port {
        try OpenVINO.Port(core.library) { core.library.modelInput(pointer, $0) }
    }

    func input(named name: String) throws(OpenVINOFailure) -> OpenVINO.Port {
        try OpenVINO.Port(core.library) { core.library.modelInputByName(pointer, name, $0) }
    }

    func output(named name: String) throws(OpenVINOFailure) -> OpenVINO.Port {
        try OpenVINO.Port(core.library) { core.library.modelOutputByName(pointer, name, $0) }
    }

    /// Gives the only input fixed dimensions.
    func reshape(to shape: [Int]) throws(OpenVINOFailure) {
        var dimensions = shape.map { ov_dimension_t(min: Int64($0), max: Int64($0)) }
        let rank = ov_dimension_t(min: Int64(shape.count), max: Int64(shape.count))
        let status = dimensions.withUnsafeMutableBufferPointer {
            core.library.modelReshapeSingleInput(
                pointer, ov_partial_shape_t(rank: rank, dims: $0.baseAddress))
        }
        try core.library.check(status)
    }

    /// Gives several inputs fixed dimensions at once.
    func reshape(_ inputs: [(name: String, shape: [Int])]) throws(OpenVINOFailure) {
        var names: [UnsafePointer<CChar>?] = inputs.map { UnsafePointer(strdup($0.name)) }
        let shapes = inputs.map { input in
            let dimensions = UnsafeMutableBufferPointer<ov_dimension_t>.allocate(capacity: input.shape.count)
            _ = dimensions.initialize(
                from: input.shape.map { ov_dimension_t(min: Int64($0), max: Int64($0)) })
            let rank = Int64(input.shape.count)
            return ov_partial_shape_t(rank: ov_rank_t(min: rank, max: rank), dims: dimensions.baseAddress)
        }
        defer {
            for name in names { free(UnsafeMutableRawPointer(mutating: name)) }
            for shape in shapes { shape.dims?.deallocate() }
        }
        try core.library.check(core.library.modelReshape(pointer, &names, shapes, inputs.count))
    }
}

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

extension OpenVINO {
    /// An input or output of a model: its dimensions (`nil` where they are free) and type.
    final class Port: @unchecked Sendable {
        // Unchecked: nothing changes after init, and OpenVINO only reads ports.
        let pointer: OpaquePointer
        let shape: [Int?]
        let isFloat: Bool
        private let library: OpenVINO

        /// - Parameter call: writes the C object, which the port takes over.
        init(
            _ library: OpenVINO, _ call: (UnsafeMutablePointer<OpaquePointer?>) -> ov_status_e
        ) throws(OpenVINOFailure) {
            let pointer = try library.object(call)
            do throws(OpenVINOFailure) {
                shape = try library.shape(of: pointer)
                isFloat = try library.elementType(of: pointer) == OPENVINO_ELEMENT_F32
            } catch {
                library.portFree(pointer)
                throw error
            }
            self.pointer = pointer
            self.library = library
        }

        deinit { library.portFree(pointer) }
    }
}

extension OpenVINO {
    fileprivate func shape(of port: OpaquePointer) throws(OpenVINOFailure) -> [Int?] {
        var shape = ov_partial_shape_t()
        try check(portGetPartialShape(port, &shape))
        defer { partialShapeFree(&shape) }
        let rank = shape.dims == nil ? 0 : Int(shape.rank.max)
        let dimensions = UnsafeBufferPointer(start: shape.dims, count: rank)
        return dimensions.map { $0.min == $0.max ? Int($0.max) : nil }
    }

    fileprivate func elementType(of port: OpaquePointer) throws(OpenVINOFailure) -> ov_element_type_e {
        var type: ov_element_type_e = 0
        try check(portGetElementType(port, &type))
        return type
    }
}
