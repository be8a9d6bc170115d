import COpenVINO
import Glibc
import Threads

/// OpenVINO's message about a call that failed.
struct OpenVINOFailure: Error {
    let message: String
}

/// The functions of OpenVINO's C library.
///
/// Only the files of this folder use the C types.
final class OpenVINO: @unchecked Sendable {
    // Unchecked: immutable pointers to functions that may be called from any thread.
    private let errorInfo: ov_get_error_info_fn
    private let lastErrorMessage: ov_get_last_err_msg_fn
    let freeString: ov_free_fn
    let coreCreate: ov_core_create_fn
    let coreFree: ov_core_free_fn
    let coreReadModel: ov_core_read_model_fn
    let coreCompileModel: ov_core_compile_model_props_fn
    let coreSetProperties: ov_core_set_properties_fn
    let coreGetProperty: ov_core_get_property_fn
    let coreImportModel: ov_core_import_model_fn
    let coreGetAvailableDevices: ov_core_get_available_devices_fn
    let availableDevicesFree: ov_available_devices_free_fn
    let modelFree: ov_model_free_fn
    let modelInputsSize: ov_model_inputs_size_fn
    let modelInput: ov_model_const_input_fn
    let modelInputByName: ov_model_const_input_by_name_fn
    let modelOutputByName: ov_model_const_output_by_name_fn
    let modelReshape: ov_model_reshape_fn
    let modelReshapeSingleInput: ov_model_reshape_single_input_fn
    let compiledModelFree: ov_compiled_model_free_fn
    let compiledModelExport: ov_compiled_model_export_model_fn
    let compiledModelInput: ov_compiled_model_input_fn
    let compiledModelInputByName: ov_compiled_model_input_by_name_fn
    let compiledModelOutputsSize: ov_compiled_model_outputs_size_fn
    let compiledModelOutputByIndex: ov_compiled_model_output_by_index_fn
    let compiledModelOutputByName: ov_compiled_model_output_by_name_fn
    let compiledModelCreateRequest: ov_compiled_model_create_infer_request_fn
    let portGetPartialShape: ov_port_get_partial_shape_fn
    let portGetElementType: ov_port_get_element_type_fn
    let partialShapeFree: ov_partial_shape_free_fn
    let portFree: ov_output_const_port_free_fn
    let tensorCreate: ov_tensor_create_from_host_ptr_fn
    let tensorFree: ov_tensor_free_fn
    let requestFree: ov_infer_request_free_fn
    let requestSetTensor: ov_infer_request_set_tensor_by_const_port_fn
    let requestInfer: ov_infer_request_infer_fn
    /// The file of the library.
    let path: String

    init(_ library: RuntimeLibrary) throws(InferenceError) {
        path = library.path
        errorInfo = try library.function("ov_get_error_info")
        lastErrorMessage = try library.function("ov_get_last_err_msg")
        freeString = try library.function("ov_free")
        coreCreate = try library.function("ov_core_create")
        coreFree = try library.function("ov_core_free")
        coreReadModel = try library.function("ov_core_read_model")
        coreCompileModel = try library.function("ov_core_compile_model_props")
        coreSetProperties = try library.function("ov_core_set_properties")
        coreGetProperty = try library.function("ov_core_get_property")
        coreImportModel = try library.function("ov_core_import_model")
        coreGetAvailableDevices = try library.function("ov_core_get_available_devices")
        availableDevicesFree = try library.function("ov_available_devices_free")
        modelFree = try library.function("ov_model_free")
        modelInputsSize = try library.function("ov_model_inputs_size")
        modelInput = try library.function("ov_model_const_input")
        modelInputByName = try library.function("ov_model_const_input_by_name")
        modelOutputByName = try library.function("ov_model_const_output_by_name")
        modelReshape = try library.function("ov_model_reshape")
        modelReshapeSingleInput = try library.function("ov_model_reshape_single_input")
        compiledModelFree = try library.function("ov_compiled_model_free")
        compiledModelExport = try library.function("ov_compiled_model_export_model")
        compiledModelInput = try library.function("ov_compiled_model_input")
        compiledModelInputByName = try library.function("ov_compiled_model_input_by_name")
        compiledModelOutputsSize = try library.function("ov_compiled_model_outputs_size")
        compiledModelOutputByIndex = try library.function("ov_compiled_model_output_by_index")
        compiledModelOutputByName = try library.function("ov_compiled_model_output_by_name")
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

// MARK: - Objects

extension OpenVINO {
    typealias Free = @convention(c) (OpaquePointer?) -> Void

    /// A C object, which is freed with this object; its dependencies live as long.
    final class Object: @unchecked Sendable {
        // Unchecked: nothing changes after init. Types that contain an object and are used by several threads
        // are sendable, because OpenVINO's functions for them may be called from any thread.
        let pointer: OpaquePointer
        let library: OpenVINO
        private let dependencies: [AnyObject]
        private let free: Free

        /// Creates an object.
        ///
        /// - Parameter call: creates the C object.
        init(
            _ library: OpenVINO, freedBy free: Free, dependsOn dependencies: [AnyObject] = [],
            _ call: (UnsafeMutablePointer<OpaquePointer?>) -> ov_status_e
        ) throws(OpenVINOFailure) {
            var pointer: OpaquePointer?
            try library.check(call(&pointer))
            guard let pointer else { throw OpenVINOFailure(message: "OpenVINO returned nothing") }
            self.pointer = pointer
            (self.library, self.free, self.dependencies) = (library, free, dependencies)
        }

        deinit { free(pointer) }
    }
}

// MARK: - Calls

extension OpenVINO {
    /// Returns the number that `call` writes.
    func count(
        _ call: (UnsafeMutablePointer<Int>) -> ov_status_e
    ) throws(OpenVINOFailure) -> Int {
        var count = 0
        try check(call(&count))
        return count
    }

    func check(_ status: ov_status_e) throws(OpenVINOFailure) {
        guard status != OPENVINO_STATUS_OK else { return }
        throw OpenVINOFailure(message: message(for: status))
    }

    /// Returns OpenVINO's last message, of which it keeps one per process: another thread's failure may
    /// replace it.
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

extension OpenVINO {
    /// OpenVINO's root object; a process needs one.
    final class Core: Sendable {
        private let object: Object
        /// The imports in progress, and their properties.
        ///
        /// Imported models use the properties that the device has at that moment, so imports with the same
        /// properties run side by side.
        private let importing = Monitor<(properties: [String], count: Int)>(([], 0))

        var library: OpenVINO { object.library }
        private var pointer: OpaquePointer { object.pointer }

        init(_ library: OpenVINO) throws(OpenVINOFailure) {
            object = try Object(library, freedBy: library.coreFree) { library.coreCreate($0) }
        }
    }
}

extension OpenVINO.Core {
    /// Reads a model.
    ///
    /// - Parameter weights: the file with the weights; nil when there is none or it is found by its name.
    func readModel(path: String, weights: String?) throws(OpenVINOFailure) -> OpenVINO.Model {
        OpenVINO.Model(
            try OpenVINO.Object(library, freedBy: library.modelFree, dependsOn: [object]) {
                library.coreReadModel(pointer, path, weights, $0)
            })
    }

    func compile(
        _ model: OpenVINO.Model, device: String, properties: [(key: String, value: String)]
    ) throws(OpenVINOFailure) -> OpenVINO.CompiledModel {
        try compile(properties) {
            library.coreCompileModel(pointer, model.object.pointer, device, $0.count, $0.baseAddress, $1)
        }
    }

    /// Reads a compiled model that was exported to `file`.
    func importModel(
        _ file: SealedFile, device: String, properties: [(key: String, value: String)]
    ) throws(OpenVINOFailure) -> OpenVINO.CompiledModel {
        try setProperties(properties, of: device)
        defer { importing.update { $0.count -= 1 } }
        let content = file.content.assumingMemoryBound(to: CChar.self)
        // The weights lie in the file, which must therefore stay alive.
        return try compiledModel(dependsOn: [object, file]) {
            library.coreImportModel(pointer, content.baseAddress, content.count, device, $0)
        }
    }

    /// Sets the properties of a device, and counts an import with them; waits for imports with other
    /// properties.
    private func setProperties(
        _ properties: [(key: String, value: String)], of device: String
    ) throws(OpenVINOFailure) {
        let wanted = [device] + properties.flatMap { [$0.key, $0.value] }
        try importing.wait { (importing) throws(OpenVINOFailure) -> Void? in
            if importing.properties != wanted {
                guard importing.count == 0 else { return nil }
                importing.properties = []
                try library.check(
                    withList(properties) {
                        library.coreSetProperties(pointer, device, $0.count, $0.baseAddress)
                    })
                importing.properties = wanted
            }
            importing.count += 1
            return ()
        }
    }

    private func compile(
        _ properties: [(key: String, value: String)],
        _ call: (UnsafeBufferPointer<ov_property_t>, UnsafeMutablePointer<OpaquePointer?>) -> ov_status_e
    ) throws(OpenVINOFailure) -> OpenVINO.CompiledModel {
        try compiledModel(dependsOn: [object]) { compiled in withList(properties) { call($0, compiled) } }
    }

    private func compiledModel(
        dependsOn dependencies: [AnyObject],
        _ call: (UnsafeMutablePointer<OpaquePointer?>) -> ov_status_e
    ) throws(OpenVINOFailure) -> OpenVINO.CompiledModel {
        OpenVINO.CompiledModel(
            try OpenVINO.Object(
                library, freedBy: library.compiledModelFree, dependsOn: dependencies, call))
    }

    private func withList(
        _ properties: [(key: String, value: String)],
        _ call: (UnsafeBufferPointer<ov_property_t>) -> ov_status_e
    ) -> ov_status_e {
        let list = properties.map { ov_property_t(key: strdup($0.key), value: strdup($0.value)) }
        defer {
            for property in list {
                free(UnsafeMutableRawPointer(mutating: property.key))
                free(UnsafeMutableRawPointer(mutating: property.value))
            }
        }
        return list.withUnsafeBufferPointer(call)
    }

    /// Loads the library of `device`, if OpenVINO has it, by a query of a property of the device.
    func load(device: String) {
        var name: UnsafeMutablePointer<CChar>?
        if library.coreGetProperty(pointer, device, "FULL_DEVICE_NAME", &name) == OPENVINO_STATUS_OK {
            library.freeString(name)
        }
    }

    /// Returns the names of this machine's devices.
    ///
    /// It loads the libraries of all devices, so it is used for error messages only.
    func availableDevices() -> [String] {
        var list = ov_available_devices_t()
        guard library.coreGetAvailableDevices(pointer, &list) == OPENVINO_STATUS_OK else { return [] }
        defer { library.availableDevicesFree(&list) }
        let names = UnsafeBufferPointer(start: list.devices, count: list.size)
        return names.compactMap { $0.map { String(cString: $0) } }
    }
}
