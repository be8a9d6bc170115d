import COpenVINO
import Glibc
import Threads

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
