import CDynamicLinker
import Glibc

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
