import Glibc

/// Where the inference library and the models are looked for: environment, installation, checkout.
package struct SearchPaths: Sendable {
    /// The value of an environment variable; `nil` when unset or empty.
    private let variable: @Sendable (String) -> String?
    /// The file that holds this code: the plugin, or a program that links the library.
    private let module: String?
    /// The program that runs.
    private let executable: String?

    package init(
        variable: @escaping @Sendable (String) -> String?, module: String? = nil, executable: String? = nil
    ) {
        self.variable = variable
        self.module = module
        self.executable = executable
    }

    package static let current = SearchPaths(
        variable: { name in getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } },
        module: pathOfThisModule(),
        executable: FileSystem.resolved("/proc/self/exe"))
}

extension SearchPaths {
    /// Whether models and OpenVINO come from a checkout, where a script prepares them, and not from an installation.
    package var isCheckout: Bool {
        [module, executable].compactMap { $0 }.flatMap { FileSystem.ancestors(of: $0) }
            .contains { FileSystem.fileSize($0 + "/pipelines/setup") != nil }
    }
}

// MARK: - Directories in the order in which they are searched

extension SearchPaths {
    package var runtimeDirectories: [String] {
        let asked = variable("GST_PEOPLE_OPENVINO")
        return unique(
            [asked, besidePluginFolder("openvino")] + privateSetUp("openvino") + belowPrefix("openvino"))
    }

    /// The directory of models that the user has asked for.
    var askedModelDirectory: String? { variable("GST_PEOPLE_MODELS") }

    package var modelDirectories: [String] {
        let asked = askedModelDirectory
        let ofUser = under("XDG_DATA_HOME", orHome: "/.local/share", "/gst-people/models")
        return unique(
            [asked] + privateSetUp("models") + [ofUser, besidePluginFolder("models")] + belowPrefix("models"))
    }

    /// Where OpenVINO may keep compiled models; `nil` when the user has no home.
    package var cacheDirectory: String? {
        under("XDG_CACHE_HOME", orHome: "/.cache", "/gst-people/openvino")
    }

    /// `<libdir>/gst-people/<folder>` for a plugin in `<libdir>/gstreamer-1.0`.
    private func besidePluginFolder(_ folder: String) -> String? {
        guard let module else { return nil }
        let libraries = FileSystem.directory(of: FileSystem.directory(of: module))
        return libraries + "/gst-people/" + folder
    }

    /// `<prefix>/share/gst-people/<folder>` and the like, where a package keeps what has one place for the plugin in
    /// `<prefix>/<libdir>/gstreamer-1.0` and for the programs in `<prefix>/bin`.
    private func belowPrefix(_ folder: String) -> [String] {
        guard let prefix = (module ?? executable).flatMap(Self.prefix) else { return [] }
        return ["share", "lib", "lib64", Self.debianLibraries]
            .map { prefix + "/" + $0 + "/gst-people/" + folder }
            .filter { FileSystem.isDirectory($0) }
    }

    /// Where Debian keeps the libraries of this architecture, below the prefix.
    #if arch(arm64)
        package static let debianLibraries = "lib/aarch64-linux-gnu"
    #else
        package static let debianLibraries = "lib/x86_64-linux-gnu"
    #endif

    /// What lies above the nearest `bin`, `lib` or `lib64` that holds the file; empty for the root.
    private static func prefix(of file: String) -> String? {
        let names = ["bin", "lib", "lib64"]
        let folder = FileSystem.ancestors(of: file).first { names.contains(FileSystem.name(of: $0)) }
        guard let folder else { return nil }
        let prefix = FileSystem.directory(of: folder)
        return prefix == "/" ? "" : prefix
    }

    /// `<folder>` beside the folder `plugins` that holds the module, wherever that was set up; then
    /// `.gst-people/<folder>` in a directory above the module or the program, as a checkout has it.
    private func privateSetUp(_ folder: String) -> [String] {
        let above = [module, executable].compactMap { $0 }
            .flatMap { FileSystem.ancestors(of: $0) }
            .map { ($0 == "/" ? "" : $0) + "/.gst-people/" + folder }
        return ([besidePlugins(folder)].compactMap { $0 } + above).filter { FileSystem.isDirectory($0) }
    }

    private func besidePlugins(_ folder: String) -> String? {
        guard let module else { return nil }
        let plugins = FileSystem.directory(of: module)
        guard FileSystem.name(of: plugins) == "plugins" else { return nil }
        return FileSystem.directory(of: plugins) + "/" + folder
    }

    private func under(_ name: String, orHome suffix: String, _ folder: String) -> String? {
        // The XDG base directory specification: relative values are to be ignored.
        if let base = variable(name), base.hasPrefix("/") { return base + folder }
        return variable("HOME").map { $0 + suffix + folder }
    }

    private func unique(_ directories: [String?]) -> [String] {
        var seen: Set<String> = []
        return directories.compactMap { $0 }.filter { seen.insert($0).inserted }
    }
}

/// The shared object or program that this code was linked into; `nil` when its path is not known.
private func pathOfThisModule() -> String? {
    // A program's own name may be what was typed, without its directory; the executable's path serves then.
    DynamicLinker.thisModule.flatMap { $0.contains("/") ? FileSystem.resolved($0) : nil }
}
