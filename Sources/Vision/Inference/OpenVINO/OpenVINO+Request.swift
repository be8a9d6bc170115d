import COpenVINO
import Glibc

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
