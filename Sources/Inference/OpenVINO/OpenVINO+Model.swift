import COpenVINO

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

    /// Gives the only input fixed dimensions.
    func reshape(to shape: [Int]) throws(OpenVINOFailure) {
        var dimensions = shape.map { ov_dimension_t(min: Int64($0), max: Int64($0)) }
        let rank = ov_dimension_t(min: Int64(shape.count), max: Int64(shape.count))
        let status = dimensions.withUnsafeMutableBufferPointer {
            core.library.modelReshape(pointer, ov_partial_shape_t(rank: rank, dims: $0.baseAddress))
        }
        try core.library.check(status)
    }
}
