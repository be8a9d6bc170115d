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
