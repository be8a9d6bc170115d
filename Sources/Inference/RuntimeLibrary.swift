import Glibc

/// OpenVINO's C library, opened when the first model is needed and never closed.
///
/// Local symbols keep another copy of OpenVINO in the process apart; the library finds its companions
/// in its own directory by its run path.
package struct RuntimeLibrary {
    static let soname = "libopenvino_c.so.2641"

    package let path: String
    private let handle: UnsafeMutableRawPointer

    /// Opens the library in the first of `directories` that has one, else the one that the linker finds.
    ///
    /// A library that is there but cannot be opened is an error: silently using another one would hide it.
    package init(searching directories: [String], orSystem: Bool = true) throws(InferenceError) {
        if let path = directories.lazy.compactMap(Self.library).first {
            try self.init(path: path)
            return
        }
        let candidates = orSystem ? [Self.soname, "libopenvino_c.so"] : []
        guard let found = candidates.first(where: { Self.open($0) != nil }) else {
            throw .runtimeNotFound(searched: directories + (orSystem ? ["the system's libraries"] : []))
        }
        try self.init(path: found)
    }

    /// The run path of the library counts from the path that it is opened by, hence no symbolic links.
    private init(path: String) throws(InferenceError) {
        let file = path.contains("/") ? FileSystem.resolved(path) ?? path : path
        guard let handle = Self.open(file) else {
            let why = dlerror().map { String(cString: $0) } ?? "it cannot be opened"
            throw .runtimeUnusable(path: path, why: why)
        }
        self.path = path
        self.handle = handle
    }

    private static func open(_ file: String) -> UnsafeMutableRawPointer? {
        switch Unwinder.binding {
        case .usual: return dlopen(file, RTLD_NOW | RTLD_LOCAL)
        case .deep:
            let library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)
            // OpenVINO opens its parts later and as usual, unless they are open already. They lie beside the library, which
            // the system may have found by its name.
            guard let path = DynamicLinker.file(ofLibrary: file, with: "ov_get_openvino_version") else {
                return library
            }
            let directory = FileSystem.directory(of: path)
            for name in FileSystem.names(in: directory) where name.hasPrefix("libopenvino_") {
                _ = dlopen(directory + "/" + name, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)
            }
            return library
        }
    }

    /// The C function `name`; `Function` must be the type of a pointer to it.
    func function<Function>(_ name: String) throws(InferenceError) -> Function {
        guard let address = dlsym(handle, name) else {
            throw .runtimeUnusable(path: path, why: "it has no function '\(name)'")
        }
        return unsafeBitCast(address, to: Function.self)
    }

    /// The version this project is tested with, else the one with the greatest name.
    private static func library(in directory: String) -> String? {
        let names = FileSystem.names(in: directory)
        let name =
            names.contains(soname)
            ? soname : names.last { $0 == "libopenvino_c.so" || $0.hasPrefix("libopenvino_c.so.") }
        return name.map { directory + "/" + $0 }
    }
}
