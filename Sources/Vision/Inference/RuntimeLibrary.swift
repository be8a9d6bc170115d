import CDynamicLinker
import Glibc
import Synchronization

/// OpenVINO's C library, opened when the first model is needed and never closed.
///
/// Local symbols keep it apart from another copy of OpenVINO in the process. The library finds its companions
/// in its own directory by its run path.
package struct RuntimeLibrary {
    static let soname = "libopenvino_c.so.2641"

    package let path: String
    private let handle: UnsafeMutableRawPointer

    /// Opens the library in the first of `directories` that has one, or else the one that the linker finds.
    ///
    /// A library that is there but cannot be opened is an error: silently using another one would hide it.
    package init(searching directories: [String], orSystem: Bool = true) throws(InferenceError) {
        if let path = directories.lazy.compactMap(Self.library).first {
            try self.init(path: path)
            return
        }
        let candidates = orSystem ? [Self.soname, "libopenvino_c.so"] : []
        guard let found = try Self.first(of: candidates) else {
            throw .runtimeNotFound(searched: directories + (orSystem ? ["the system's libraries"] : []))
        }
        try self.init(path: found)
    }

    /// Opens a file; symbolic links are resolved, because the library's run path is relative to the path by
    /// which it is opened.
    private init(path: String) throws(InferenceError) {
        let file = path.contains("/") ? ModelFiles.resolved(path) ?? path : path
        guard let handle = try Self.open(file) else {
            let why = dlerror().map { String(cString: $0) } ?? "it cannot be opened"
            throw .runtimeUnusable(path: path, why: why)
        }
        self.path = path
        self.handle = handle
    }

    private static func first(of files: [String]) throws(InferenceError) -> String? {
        for file in files where try open(file) != nil { return file }
        return nil
    }

    private static func open(_ file: String) throws(InferenceError) -> UnsafeMutableRawPointer? {
        switch try Unwinder.shared.binding(for: file) {
        case .usual: return dlopen(file, RTLD_NOW | RTLD_LOCAL)
        case .deep:
            let library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)
            // OpenVINO opens its parts later in the usual way, unless they are already open. They lie beside
            // the library, which the system may have found by its name.
            guard let path = DynamicLinker.file(ofLibrary: file, with: "ov_get_openvino_version") else {
                return library
            }
            let directory = ModelFiles.directory(of: path)
            for name in ModelFiles.names(in: directory) where name.hasPrefix("libopenvino_") {
                _ = dlopen(directory + "/" + name, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)
            }
            return library
        }
    }

    /// Returns the C function `name`; `Function` must be the type of a pointer to it.
    func function<Function>(_ name: String) throws(InferenceError) -> Function {
        guard let address = dlsym(handle, name) else {
            throw .runtimeUnusable(path: path, why: "it has no function '\(name)'")
        }
        return unsafeBitCast(address, to: Function.self)
    }

    /// Returns the version that this project is tested with, or else the one with the greatest name.
    private static func library(in directory: String) -> String? {
        let names = ModelFiles.names(in: directory)
        let name =
            names.contains(soname)
            ? soname : names.last { $0 == "libopenvino_c.so" || $0.hasPrefix("libopenvino_c.so.") }
        return name.map { directory + "/" + $0 }
    }
}

/// Keeps C++ exceptions from ending a process that has two unwinders; OpenVINO also throws exceptions in
/// normal operation.
///
/// libstdc++ raises an exception through `_Unwind_RaiseException`; the functions that it leaves clean up by
/// `__gcc_personality_v0` of libgcc and continue by `_Unwind_Resume`. All of these share private data and
/// must belong to one unwinder. GStreamer on Debian is linked with libunwind, whose functions have the same
/// names as libgcc's. In Python programs with NumPy, libgcc is loaded first and calls itself, libraries that
/// come later find libunwind, and the first exception through them ends the process (SIGSEGV or SIGABRT).
final class Unwinder: Sendable {
    static let shared = Unwinder()

    /// The way to open OpenVINO in this process.
    enum Binding {
        /// The usual way, as for any library.
        case usual
        /// Opened with `RTLD_DEEPBIND`, like all of its parts: libstdc++ raises by libgcc, which the parts
        /// find only in this way.
        /// in this way.
        case deep
    }

    private let decided = Mutex<Binding?>(nil)

    /// Returns the binding, which is decided once, before OpenVINO is opened.
    ///
    /// - Throws: ``InferenceError/runtimeUnusable(path:why:)`` if an exception of the library `file` would
    ///   end the process.
    func binding(for file: String) throws(InferenceError) -> Binding {
        try decided.withLock { (decided) throws(InferenceError) in
            if let decided { return decided }
            DynamicLinker.prepareUnwinding()
            guard let binding = Self.decide() else {
                throw .runtimeUnusable(
                    path: file,
                    why: "its exceptions would end this program, since libgcc cannot be copied into memory")
            }
            decided = binding
            return binding
        }
    }

    /// Decides the binding; nil if exceptions cannot be caught.
    private static func decide() -> Binding? {
        let (libgcc, raise) = ("libgcc_s.so.1", "_Unwind_RaiseException")
        guard let own = DynamicLinker.file(ofLibrary: libgcc, with: raise),
            let found = DynamicLinker.fileForNewLibraries(of: raise), found != own
        else { return .usual }
        if DynamicLinker.file(thatLibrary: "libstdc++.so.6", calls: raise) == own {
            InferenceLog.write { "exceptions are raised by \(own): OpenVINO is bound to it, not to \(found)" }
            return .deep
        }
        guard DynamicLinker.file(thatLibrary: libgcc, calls: raise) == own else { return .usual }
        // The copy finds libunwind, and OpenVINO finds the copy.
        guard DynamicLinker.openGlobalCopy(ofFile: own) else { return nil }
        InferenceLog.write { "exceptions are raised by \(found): opened a copy of \(own) that calls it" }
        return .usual
    }
}

/// The libraries that the dynamic linker has loaded into this process.
enum DynamicLinker {
    /// The file that contains this code: the plugin, or a program that links the library.
    static var thisModule: String? { file(holding: #dsohandle) }

    /// Returns the file in which a library that is opened now finds the function `symbol`, before it searches
    /// its dependencies.
    static func fileForNewLibraries(of symbol: String) -> String? {
        dlsym(nil, symbol).flatMap { file(holding: $0) }
    }

    /// Returns the file of a loaded library; `nil` if it is not loaded.
    static func file(ofLibrary name: String, with symbol: String) -> String? {
        dlopen(name, RTLD_NOW | RTLD_NOLOAD).flatMap { dlsym($0, symbol) }.flatMap { file(holding: $0) }
    }

    /// Returns the file in which a loaded library has found a function that it calls; `nil` if it is not
    /// loaded or calls none.
    static func file(thatLibrary name: String, calls symbol: String) -> String? {
        dlopen(name, RTLD_NOW | RTLD_NOLOAD).flatMap { people_call_target($0, symbol) }
            .flatMap { file(holding: $0) }
    }

    /// Makes the unwinder that new libraries find open its resources.
    ///
    /// libunwind opens a pipe when it first unwinds a stack, and keeps it. If no descriptor is left at that
    /// moment, no exception is caught: the process ends.
    static func prepareUnwinding() {
        typealias Visit = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32
        typealias Backtrace = @convention(c) (Visit, UnsafeMutableRawPointer?) -> Int32
        guard let address = dlsym(nil, "_Unwind_Backtrace") else { return }
        // The result is _URC_NO_REASON, which continues the walk.
        _ = unsafeBitCast(address, to: Backtrace.self)({ _, _ in 0 }, nil)
    }

    private static func file(holding address: UnsafeRawPointer) -> String? {
        var module = people_dl_info()
        guard dladdr(address, &module) != 0, let name = module.path else { return nil }
        return String(cString: name)
    }

    /// Opens a second copy of a library, whose functions all libraries opened later will find.
    ///
    /// A file with the name or the inode of a loaded one is not loaded again, so the copy is in memory. Its
    /// descriptor stays open: it is part of the name, which must not become that of another file.
    ///
    /// - Returns: false when this system forbids it.
    static func openGlobalCopy(ofFile path: String) -> Bool {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { return false }
        defer { close(source) }
        let closedOnExec: UInt32 = 1  // MFD_CLOEXEC
        let copy = memfd_create(ModelFiles.name(of: path), closedOnExec)
        guard copy >= 0 else { return false }
        var count = 1
        while count > 0 { count = sendfile(copy, source, nil, 1 << 20) }
        if count == 0, dlopen("/proc/self/fd/\(copy)", RTLD_NOW | RTLD_GLOBAL) != nil { return true }
        close(copy)
        return false
    }
}
