import Foundation
import TestSupport

/// The result of `meson install`, made once for all tests.
///
/// The first installation is in the system's folders below `stage` (`DESTDIR`), the second one in `prefix`
/// with its own `libdir`.
struct Installation: Sendable {
    static let shared = Result { try Installation() }

    /// A `Scratch` would never be released, since this value lives as long as the process.
    private static let folder =
        FileManager.default.temporaryDirectory.path
        + "/people-install-\(ProcessInfo.processInfo.processIdentifier)"

    /// Folders of the build, of the staged system and of the other prefix.
    let build = folder + "/build"
    let stage = folder + "/stage"
    let prefix = folder + "/prefix"

    private init() throws {
        atexit { try? FileManager.default.removeItem(atPath: Installation.folder) }
        try Self.run("meson", ["setup", build, Self.shim])
        try Self.run("meson", ["install", "-C", build], environment: ["DESTDIR": stage])
        try Self.run("meson", ["configure", build, "-Dprefix=\(prefix)", "-Dlibdir=lib/mine"])
        try Self.run("meson", ["install", "-C", build])
    }

    static let shim = Checkout.root.appendingPathComponent("meson-shim").path

    /// The folders of the installation below the prefix.
    var plugins: String { prefix + "/lib/mine/gstreamer-1.0" }
    var data: String { prefix + "/lib/mine/gst-people" }

    /// An environment in which only the installed plugin can be found.
    var environment: [String: String?] {
        ["GST_PLUGIN_PATH": plugins, "GST_REGISTRY": Self.folder + "/registry.bin"]
    }

    @discardableResult
    static func run(_ program: String, _ arguments: [String], environment: [String: String?] = [:]) throws
        -> Subprocess
    {
        let clean: [String: String?] = ["DESTDIR": nil]
        let result = try Subprocess.run(
            program, arguments, environment: clean.merging(environment) { $1 })
        guard result.status == 0 else { throw SetupFailure(result.output) }
        return result
    }
}

/// Returns the regular files below a folder, by their relative paths.
func files(below folder: String) -> Set<String> {
    let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var isDirectory: ObjCBool = false
    return Set(
        all.filter {
            FileManager.default.fileExists(atPath: folder + "/" + $0, isDirectory: &isDirectory)
                && !isDirectory.boolValue
        })
}
