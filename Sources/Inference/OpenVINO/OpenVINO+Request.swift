import COpenVINO

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
