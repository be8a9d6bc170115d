import COpenVINO

extension OpenVINO {
    /// OpenVINO's view of memory that belongs to this object.
    final class Tensor {
        let memory: TensorMemory
        let pointer: OpaquePointer
        private let library: OpenVINO

        /// - Throws: when there is no memory for so many floats, or OpenVINO refuses the shape.
        init(_ library: OpenVINO, shape: [Int]) throws(OpenVINOFailure) {
            guard let count = product(of: shape), let memory = TensorMemory(count: count) else {
                throw OpenVINOFailure(message: "there is no memory for a tensor of \(shape)")
            }
            var dimensions = shape.map { Int64($0) }
            pointer = try library.object { tensor in
                dimensions.withUnsafeMutableBufferPointer {
                    let shape = ov_shape_t(rank: Int64($0.count), dims: $0.baseAddress)
                    return library.tensorCreate(
                        OPENVINO_ELEMENT_F32, shape, memory.elements.baseAddress, tensor)
                }
            }
            self.memory = memory
            self.library = library
        }

        deinit { library.tensorFree(pointer) }
    }
}
