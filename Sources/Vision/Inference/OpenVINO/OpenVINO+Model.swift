import COpenVINO
import Glibc

extension OpenVINO {
    /// A model that was read, but not compiled; to be used by one thread at a time.
    final class Model {
        let object: Object
        private var library: OpenVINO { object.library }
        private var pointer: OpaquePointer { object.pointer }

        init(_ object: Object) { self.object = object }
    }
}

extension OpenVINO.Model {
    func inputCount() throws(OpenVINOFailure) -> Int {
        try library.count { library.modelInputsSize(pointer, $0) }
    }

    /// Returns the only input.
    func input() throws(OpenVINOFailure) -> OpenVINO.Port {
        try OpenVINO.Port(library) { library.modelInput(pointer, $0) }
    }

    func input(named name: String) throws(OpenVINOFailure) -> OpenVINO.Port {
        try OpenVINO.Port(library) { library.modelInputByName(pointer, name, $0) }
    }

    func output(named name: String) throws(OpenVINOFailure) -> OpenVINO.Port {
        try OpenVINO.Port(library) { library.modelOutputByName(pointer, name, $0) }
    }

    /// Sets fixed dimensions for the only input.
    func reshape(to shape: [Int]) throws(OpenVINOFailure) {
        var dimensions = shape.map { ov_dimension_t(min: Int64($0), max: Int64($0)) }
        let rank = ov_dimension_t(min: Int64(shape.count), max: Int64(shape.count))
        let status = dimensions.withUnsafeMutableBufferPointer {
            library.modelReshapeSingleInput(
                pointer, ov_partial_shape_t(rank: rank, dims: $0.baseAddress))
        }
        try library.check(status)
    }

    /// Sets fixed dimensions for several inputs at once.
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
        try library.check(library.modelReshape(pointer, &names, shapes, inputs.count))
    }
}

extension OpenVINO {
    /// A model compiled for a device; several threads may create requests from it.
    struct CompiledModel: Sendable {
        private let object: Object
        private var library: OpenVINO { object.library }
        private var pointer: OpaquePointer { object.pointer }

        init(_ object: Object) { self.object = object }
    }
}

extension OpenVINO.CompiledModel {
    /// Returns the only input.
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
        OpenVINO.Request(
            try OpenVINO.Object(library, freedBy: library.requestFree) {
                library.compiledModelCreateRequest(pointer, $0)
            })
    }
}

extension OpenVINO {
    /// An input or output of a model: its dimensions (`nil` where they are free) and type.
    struct Port: Sendable {
        let object: Object
        let shape: [Int?]
        let isFloat: Bool

        /// Creates a port.
        ///
        /// - Parameter call: creates the C object.
        init(
            _ library: OpenVINO, _ call: (UnsafeMutablePointer<OpaquePointer?>) -> ov_status_e
        ) throws(OpenVINOFailure) {
            object = try Object(library, freedBy: library.portFree, call)
            shape = try library.shape(of: object.pointer)
            isFloat = try library.elementType(of: object.pointer) == OPENVINO_ELEMENT_F32
        }
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

extension OpenVINO {
    /// An inference of a compiled model, which runs once at a time; to be used by one thread at a time.
    final class Request {
        private let object: Object
        private var library: OpenVINO { object.library }

        init(_ object: Object) { self.object = object }

        /// Uses `tensor` as the input or output at `port`; the caller keeps it alive.
        func set(_ tensor: Tensor, at port: Port) throws(OpenVINOFailure) {
            try library.check(
                library.requestSetTensor(object.pointer, port.object.pointer, tensor.object.pointer))
        }

        /// Blocks until the outputs are ready.
        func infer() throws(OpenVINOFailure) {
            try library.check(library.requestInfer(object.pointer))
        }
    }
}

extension OpenVINO {
    /// OpenVINO's view of memory that belongs to this object.
    final class Tensor {
        let memory: TensorMemory
        let object: Object

        /// Creates a tensor.
        ///
        /// - Throws: when there is no memory for so many floats, or OpenVINO refuses the shape.
        init(_ library: OpenVINO, shape: [Int]) throws(OpenVINOFailure) {
            guard let count = product(of: shape), let memory = TensorMemory(count: count) else {
                throw OpenVINOFailure(message: "there is no memory for a tensor of \(shape)")
            }
            var dimensions = shape.map { Int64($0) }
            object = try Object(library, freedBy: library.tensorFree, dependsOn: [memory]) { tensor in
                dimensions.withUnsafeMutableBufferPointer {
                    let shape = ov_shape_t(rank: Int64($0.count), dims: $0.baseAddress)
                    return library.tensorCreate(
                        OPENVINO_ELEMENT_F32, shape, memory.elements.baseAddress, tensor)
                }
            }
            self.memory = memory
        }
    }
}

/// Floats on a cache line boundary, zero at first, that keep their address as long as this object lives.
final class TensorMemory {
    let elements: UnsafeMutableBufferPointer<Float>

    /// Allocates the memory.
    ///
    /// - Returns: `nil` when there is no memory for `count` elements.
    init?(count: Int) {
        var memory: UnsafeMutableRawPointer?
        let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Float>.stride)
        guard count > 0, !overflow, posix_memalign(&memory, 64, bytes) == 0, let memory else { return nil }
        let floats = memory.bindMemory(to: Float.self, capacity: count)
        floats.initialize(repeating: 0, count: count)
        elements = UnsafeMutableBufferPointer(start: floats, count: count)
    }

    deinit {
        free(elements.baseAddress)
    }
}
