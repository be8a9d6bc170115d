import COpenVINO
import Glibc

extension OpenVINO {
    /// One inference at a time of a compiled model, to be used by one thread at a time.
    final class Request {
        private let pointer: OpaquePointer
        private let library: OpenVINO

        /// Takes over a C object.
        init(owning pointer: OpaquePointer, of library: OpenVINO) {
            (self.pointer, self.library) = (pointer, library)
        }

        deinit { library.requestFree(pointer) }

        /// Reads or writes `tensor` as the input or output at `port`; the caller keeps it alive.
        func set(_ tensor: Tensor, at port: Port) throws(OpenVINOFailure) {
            try library.check(library.requestSetTensor(pointer, port.pointer, tensor.pointer))
        }

        /// Blocks until the outputs are there.
        func infer() throws(OpenVINOFailure) {
            try library.check(library.requestInfer(pointer))
        }
    }
}

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

/// Floats on a cache line boundary, zero at first, that keep their address as long as this lives.
final class TensorMemory {
    let elements: UnsafeMutableBufferPointer<Float>

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
