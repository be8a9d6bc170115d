import COpenVINO

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
