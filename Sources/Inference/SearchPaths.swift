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
            .contains { Self.isCheckout($0) }
    }
}

// MARK: - Directories in the order in which they are searched

extension SearchPaths {
    package var runtimeDirectories: [String] {
        unique(
            [variable("GST_PEOPLE_OPENVINO"), besidePluginFolder("openvino"), besidePlugins("openvino")]
                + belowPrefix("openvino") + [inCheckout("openvino")])
    }

    /// The directory of models that the user has asked for.
    var askedModelDirectory: String? { variable("GST_PEOPLE_MODELS") }

    package var modelDirectories: [String] {
        let ofUser = under("XDG_DATA_HOME", orHome: "/.local/share", "/gst-people/models")
        return unique(
            [askedModelDirectory, besidePlugins("models"), ofUser, besidePluginFolder("models")]
                + belowPrefix("models") + [inCheckout("models")])
    }

    /// Where OpenVINO may keep compiled models; `nil` when the user has no home.
    package var cacheDirectory: String? {
        under("XDG_CACHE_HOME", orHome: "/.cache", "/gst-people/openvino")
    }

    /// The plugin where this code is one, else the program.
    private var code: String? { module ?? executable }

    /// Those whose files are taken where they are only found, without being asked for.
    private var ownership: Ownership { .ofCode(in: code) }

    /// `<libdir>/gst-people/<folder>` for a plugin in `<libdir>/gstreamer-1.0`.
    private func besidePluginFolder(_ folder: String) -> String? {
        guard let module else { return nil }
        let libraries = FileSystem.directory(of: FileSystem.directory(of: module))
        return trusted(libraries + "/gst-people/" + folder, upTo: libraries)
    }

    /// `<prefix>/share/gst-people/<folder>` and the like, where a package keeps what has one place for the plugin in
    /// `<prefix>/<libdir>/gstreamer-1.0` and for the programs in `<prefix>/bin`.
    private func belowPrefix(_ folder: String) -> [String] {
        guard let prefix = code.flatMap(Self.prefix) else { return [] }
        return ["share", "lib", "lib64", Self.debianLibraries]
            .map { prefix + "/" + $0 + "/gst-people/" + folder }
            .filter { FileSystem.isDirectory($0) }
            .compactMap { trusted($0, upTo: prefix.isEmpty ? "/" : prefix) }
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

    /// `<folder>` beside the folder `plugins` that holds the module, wherever that was set up.
    private func besidePlugins(_ folder: String) -> String? {
        guard let module else { return nil }
        let plugins = FileSystem.directory(of: module)
        guard FileSystem.name(of: plugins) == "plugins" else { return nil }
        let setUp = FileSystem.directory(of: plugins)
        return found(setUp + "/" + folder, upTo: setUp)
    }

    /// `.gst-people/<folder>` of the checkout that holds the plugin or the program.
    private func inCheckout(_ folder: String) -> String? {
        guard let code, let checkout = FileSystem.ancestors(of: code).first(where: Self.isCheckout) else {
            return nil
        }
        return found(checkout + "/.gst-people/" + folder, upTo: checkout)
    }

    private static func isCheckout(_ directory: String) -> Bool {
        FileSystem.fileSize(directory + "/pipelines/setup") != nil
    }

    /// The directory if it is there, as ``trusted(_:upTo:)``, and no group with other members may write either.
    private func found(_ directory: String, upTo root: String) -> String? {
        FileSystem.isDirectory(directory) && ownership.withoutGroups.holds(directory, upTo: root)
            ? directory : nil
    }

    /// The directory, unless others than the code's owner, this user and the system's administrator may write it or those
    /// above it up to `root`.
    private func trusted(_ directory: String, upTo root: String) -> String? {
        ownership.holds(directory, upTo: root) ? directory : nil
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
