import Glibc

/// Keeps C++ exceptions from ending a process that has two unwinders; OpenVINO throws them also where nothing is wrong.
///
/// An exception is raised by libstdc++ through `_Unwind_RaiseException`; the functions that it leaves clean up by
/// `__gcc_personality_v0` of libgcc and go on by `_Unwind_Resume`. All of these share private data and must belong to one
/// unwinder. GStreamer on Debian is linked with libunwind, whose functions have the same names as libgcc's. In Python
/// programs with NumPy libgcc is loaded first and calls itself, libraries that come later find libunwind, and the first
/// exception through them ends the process (SIGSEGV or SIGABRT).
enum Unwinder {
    /// How OpenVINO has to be opened in this process.
    enum Binding {
        /// As any library.
        case usual
        /// With `RTLD_DEEPBIND`, all of its parts: libstdc++ raises by libgcc, which they find only so.
        case deep
    }

    /// Decided once, before OpenVINO is opened.
    static let binding: Binding = {
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
        let isOpen = DynamicLinker.openGlobalCopy(ofFile: own)
        InferenceLog.write {
            isOpen
                ? "exceptions are raised by \(found): opened a copy of \(own) that calls it"
                : "\(own) cannot be copied: an error of OpenVINO ends this program"
        }
        return .usual
    }()
}
