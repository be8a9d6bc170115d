import COpenVINO
import Glibc

/// What OpenVINO said about a call that failed.
struct OpenVINOFailure: Error {
    let message: String
}

/// Owns one object of the C library and frees it.
final class Handle: @unchecked Sendable {
    // Unchecked: the pointer never changes, and OpenVINO's objects that are shared here (core, compiled
    // model, port) may be used by several threads.
    let pointer: OpaquePointer
    private let free: @convention(c) (OpaquePointer?) -> Void

    init(_ pointer: OpaquePointer, _ free: @escaping @convention(c) (OpaquePointer?) -> Void) {
        self.pointer = pointer
        self.free = free
    }

    deinit {
        free(pointer)
    }
}

/// An input or output of a model: its dimensions (`nil` where they are free) and type.
struct Port: Sendable {
    let handle: Handle
    let shape: [Int?]
    let isFloat: Bool
}

/// The C functions of OpenVINO behind Swift types.
///
/// The only file that knows the C types.
final class OpenVINO: @unchecked Sendable {
    // Unchecked: immutable pointers to functions that may be called from any thread.
    private let errorInfo: ov_get_error_info_fn
    private let lastErrorMessage: ov_get_last_err_msg_fn
    private let freeString: ov_free_fn
    private let coreCreate: ov_core_create_fn
    private let coreFree: ov_core_free_fn
    private let coreReadModel: ov_core_read_model_fn
    private let coreCompileModel: ov_core_compile_model_props_fn
    private let coreGetAvailableDevices: ov_core_get_available_devices_fn
    private let availableDevicesFree: ov_available_devices_free_fn
    private let modelFree: ov_model_free_fn
    private let modelInputsSize: ov_model_inputs_size_fn
    private let modelInput: ov_model_const_input_fn
    private let modelReshape: ov_model_reshape_single_input_fn
    private let compiledModelFree: ov_compiled_model_free_fn
    private let compiledModelInput: ov_compiled_model_input_fn
    private let compiledModelOutputsSize: ov_compiled_model_outputs_size_fn
    private let compiledModelOutputByIndex: ov_compiled_model_output_by_index_fn
    private let compiledModelOutputByName: ov_compiled_model_output_by_name_fn
    private let compiledModelGetProperty: ov_compiled_model_get_property_fn
    private let compiledModelCreateRequest: ov_compiled_model_create_infer_request_fn
    private let portGetPartialShape: ov_port_get_partial_shape_fn
    private let portGetElementType: ov_port_get_element_type_fn
    private let partialShapeFree: ov_partial_shape_free_fn
    private let portFree: ov_output_const_port_free_fn
    private let tensorCreate: ov_tensor_create_from_host_ptr_fn
    private let tensorFree: ov_tensor_free_fn
    private let requestFree: ov_infer_request_free_fn
    private let requestSetTensor: ov_infer_request_set_tensor_by_const_port_fn
    private let requestInfer: ov_infer_request_infer_fn

    init(_ library: RuntimeLibrary) throws(InferenceError) {
        errorInfo = try library.function("ov_get_error_info")
        lastErrorMessage = try library.function("ov_get_last_err_msg")
        freeString = try library.function("ov_free")
        coreCreate = try library.function("ov_core_create")
        coreFree = try library.function("ov_core_free")
        coreReadModel = try library.function("ov_core_read_model")
        coreCompileModel = try library.function("ov_core_compile_model_props")
        coreGetAvailableDevices = try library.function("ov_core_get_available_devices")
        availableDevicesFree = try library.function("ov_available_devices_free")
        modelFree = try library.function("ov_model_free")
        modelInputsSize = try library.function("ov_model_inputs_size")
        modelInput = try library.function("ov_model_const_input")
        modelReshape = try library.function("ov_model_reshape_single_input")
        compiledModelFree = try library.function("ov_compiled_model_free")
        compiledModelInput = try library.function("ov_compiled_model_input")
        compiledModelOutputsSize = try library.function("ov_compiled_model_outputs_size")
        compiledModelOutputByIndex = try library.function("ov_compiled_model_output_by_index")
        compiledModelOutputByName = try library.function("ov_compiled_model_output_by_name")
        compiledModelGetProperty = try library.function("ov_compiled_model_get_property")
        compiledModelCreateRequest = try library.function("ov_compiled_model_create_infer_request")
        portGetPartialShape = try library.function("ov_port_get_partial_shape")
        portGetElementType = try library.function("ov_port_get_element_type")
        partialShapeFree = try library.function("ov_partial_shape_free")
        portFree = try library.function("ov_output_const_port_free")
        tensorCreate = try library.function("ov_tensor_create_from_host_ptr")
        tensorFree = try library.function("ov_tensor_free")
        requestFree = try library.function("ov_infer_request_free")
        requestSetTensor = try library.function("ov_infer_request_set_tensor_by_const_port")
        requestInfer = try library.function("ov_infer_request_infer")
    }
}

// MARK: - Core

extension OpenVINO {
    func makeCore() throws(OpenVINOFailure) -> Handle {
        try make(coreFree) { coreCreate($0) }
    }

    func readModel(_ core: Handle, path: String, weights: String?) throws(OpenVINOFailure) -> Handle {
        try make(modelFree) { coreReadModel(core.pointer, path, weights, $0) }
    }

    func compile(
        _ core: Handle, model: Handle, device: String, properties: [(key: String, value: String)]
    ) throws(OpenVINOFailure) -> Handle {
        let list = properties.map { ov_property_t(key: strdup($0.key), value: strdup($0.value)) }
        defer {
            for property in list {
                free(UnsafeMutableRawPointer(mutating: property.key))
                free(UnsafeMutableRawPointer(mutating: property.value))
            }
        }
        return try make(compiledModelFree) {
            coreCompileModel(core.pointer, model.pointer, device, list.count, list, $0)
        }
    }

    /// Loads every device's library: only for an error message.
    func availableDevices(_ core: Handle) -> [String] {
        var list = ov_available_devices_t()
        guard coreGetAvailableDevices(core.pointer, &list) == OPENVINO_STATUS_OK else { return [] }
        defer { availableDevicesFree(&list) }
        let names = UnsafeBufferPointer(start: list.devices, count: list.size)
        return names.compactMap { $0.map { String(cString: $0) } }
    }
}

// MARK: - Model

extension OpenVINO {
    func inputCount(ofModel model: Handle) throws(OpenVINOFailure) -> Int {
        var count = 0
        try check(modelInputsSize(model.pointer, &count))
        return count
    }

    func input(ofModel model: Handle) throws(OpenVINOFailure) -> Port {
        try port { modelInput(model.pointer, $0) }
    }

    func reshape(_ model: Handle, to shape: [Int]) throws(OpenVINOFailure) {
        var dimensions = shape.map { ov_dimension_t(min: Int64($0), max: Int64($0)) }
        let rank = ov_dimension_t(min: Int64(shape.count), max: Int64(shape.count))
        let status = dimensions.withUnsafeMutableBufferPointer {
            modelReshape(model.pointer, ov_partial_shape_t(rank: rank, dims: $0.baseAddress))
        }
        try check(status)
    }
}

// MARK: - Compiled model

extension OpenVINO {
    func input(ofCompiled model: Handle) throws(OpenVINOFailure) -> Port {
        try port { compiledModelInput(model.pointer, $0) }
    }

    func outputCount(ofCompiled model: Handle) throws(OpenVINOFailure) -> Int {
        var count = 0
        try check(compiledModelOutputsSize(model.pointer, &count))
        return count
    }

    func output(ofCompiled model: Handle, at index: Int) throws(OpenVINOFailure) -> Port {
        try port { compiledModelOutputByIndex(model.pointer, index, $0) }
    }

    func output(ofCompiled model: Handle, named name: String) throws(OpenVINOFailure) -> Port {
        try port { compiledModelOutputByName(model.pointer, name, $0) }
    }

    func property(_ key: String, ofCompiled model: Handle) throws(OpenVINOFailure) -> String {
        var value: UnsafeMutablePointer<CChar>?
        try check(compiledModelGetProperty(model.pointer, key, &value))
        defer { freeString(value) }
        return value.map { String(cString: $0) } ?? ""
    }

    private func port(
        _ call: (UnsafeMutablePointer<OpaquePointer?>) -> ov_status_e
    ) throws(OpenVINOFailure) -> Port {
        let handle = try make(portFree, call)
        var shape = ov_partial_shape_t()
        try check(portGetPartialShape(handle.pointer, &shape))
        defer { partialShapeFree(&shape) }
        var type: ov_element_type_e = 0
        try check(portGetElementType(handle.pointer, &type))
        let rank = shape.dims == nil ? 0 : Int(shape.rank.max)
        let dimensions = UnsafeBufferPointer(start: shape.dims, count: rank)
        return Port(
            handle: handle, shape: dimensions.map { $0.min == $0.max ? Int($0.max) : nil },
            isFloat: type == OPENVINO_ELEMENT_F32)
    }
}

// MARK: - Inference request

extension OpenVINO {
    func makeRequest(_ model: Handle) throws(OpenVINOFailure) -> Handle {
        try make(requestFree) { compiledModelCreateRequest(model.pointer, $0) }
    }

    /// A tensor over memory that the caller owns and keeps as long as the tensor lives.
    func makeTensor(
        over memory: UnsafeMutableBufferPointer<Float>, shape: [Int]
    ) throws(OpenVINOFailure) -> Handle {
        var dimensions = shape.map { Int64($0) }
        return try make(tensorFree) { tensor in
            dimensions.withUnsafeMutableBufferPointer {
                let shape = ov_shape_t(rank: Int64($0.count), dims: $0.baseAddress)
                return tensorCreate(OPENVINO_ELEMENT_F32, shape, memory.baseAddress, tensor)
            }
        }
    }

    func setTensor(_ tensor: Handle, of request: Handle, at port: Handle) throws(OpenVINOFailure) {
        try check(requestSetTensor(request.pointer, port.pointer, tensor.pointer))
    }

    func infer(_ request: Handle) throws(OpenVINOFailure) {
        try check(requestInfer(request.pointer))
    }
}

// MARK: - Calls

extension OpenVINO {
    private func make(
        _ free: @escaping @convention(c) (OpaquePointer?) -> Void,
        _ call: (UnsafeMutablePointer<OpaquePointer?>) -> ov_status_e
    ) throws(OpenVINOFailure) -> Handle {
        var pointer: OpaquePointer?
        try check(call(&pointer))
        guard let pointer else { throw OpenVINOFailure(message: "OpenVINO returned nothing") }
        return Handle(pointer, free)
    }

    private func check(_ status: ov_status_e) throws(OpenVINOFailure) {
        guard status != OPENVINO_STATUS_OK else { return }
        throw OpenVINOFailure(message: message(for: status))
    }

    /// OpenVINO keeps one last message per process: another thread's failure may replace it.
    private func message(for status: ov_status_e) -> String {
        guard let text = lastErrorMessage() else {
            return errorInfo(status).map { String(cString: $0) } ?? "status \(status)"
        }
        defer { freeString(text) }
        let lines = String(cString: text).split(separator: "\n").filter { !$0.hasPrefix("Exception from ") }
        let sentence = lines.joined(separator: " ")
        return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }
}
