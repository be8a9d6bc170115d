import CCheckout
import Glibc
import Synchronization

/// The places of the inference library and the models: environment, installation, checkout.
package struct SearchPaths: Sendable {
    /// Returns the value of an environment variable; `nil` when unset or empty.
    private let variable: @Sendable (String) -> String?
    /// The file that contains this code: the plugin, or a program that links the library.
    private let module: String?
    /// The running program.
    private let executable: String?
    /// A source file of the checkout that this code was compiled in; `nil` for what is installed.
    private let source: String?

    package init(
        variable: @escaping @Sendable (String) -> String?, module: String? = nil, executable: String? = nil,
        source: String? = nil
    ) {
        self.variable = variable
        self.module = module
        self.executable = executable
        self.source = source
    }

    package static let current = SearchPaths(
        variable: { name in getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } },
        module: host.withLock { $0 } ?? pathOfThisModule(),
        executable: ModelFiles.resolved("/proc/self/exe"),
        source: people_source_file().map { String(cString: $0) })

    private static let host = Mutex<String?>(nil)

    /// Looks beside a module of this project instead of the one that contains this code; before the first search only.
    ///
    /// A program with a copy of the library then finds what the plugin finds.
    package static func search(beside module: String) {
        host.withLock { $0 = ModelFiles.resolved(module) }
    }
}

extension SearchPaths {
    /// Whether models and OpenVINO come from a checkout, where a script prepares them, and not from an installation.
    package var isCheckout: Bool {
        [module, executable, source].compactMap { $0 }.flatMap { ModelFiles.ancestors(of: $0) }
            .contains { Self.isCheckout($0) }
    }
}

// MARK: - Directories in the order in which they are searched

extension SearchPaths {
    package var runtimeDirectories: [String] {
        unique(
            [variable("GST_PEOPLE_OPENVINO"), besidePluginFolder("openvino"), besidePlugins("openvino")]
                + belowPrefix("openvino") + inCheckouts("openvino"))
    }

    /// The directory of models that the user has asked for.
    var askedModelDirectory: String? { variable("GST_PEOPLE_MODELS") }

    package var modelDirectories: [String] {
        let ofUser = under("XDG_DATA_HOME", orHome: "/.local/share", "/gst-people/models")
        return unique(
            [askedModelDirectory, besidePlugins("models"), ofUser, besidePluginFolder("models")]
                + belowPrefix("models") + inCheckouts("models"))
    }

    /// The directory in which OpenVINO may keep compiled models; `nil` when the user has no home.
    package var cacheDirectory: String? {
        under("XDG_CACHE_HOME", orHome: "/.cache", "/gst-people/openvino")
    }

    /// The plugin if this code is in one, else the program.
    private var code: String? { module ?? executable }

    /// The owners whose files are used without being asked for.
    private var ownership: Ownership { .ofCode(in: code) }

    /// Returns `<libdir>/gst-people/<folder>` for a plugin in `<libdir>/gstreamer-1.0`.
    private func besidePluginFolder(_ folder: String) -> String? {
        guard let module else { return nil }
        let libraries = ModelFiles.directory(of: ModelFiles.directory(of: module))
        return trusted(libraries + "/gst-people/" + folder, upTo: libraries)
    }

    /// Returns `<prefix>/share/gst-people/<folder>` and similar directories.
    ///
    /// A package keeps files there that have one place for the plugin in `<prefix>/<libdir>/gstreamer-1.0`
    /// and for the programs in `<prefix>/bin`.
    private func belowPrefix(_ folder: String) -> [String] {
        guard let prefix = code.flatMap(Self.prefix) else { return [] }
        return ["share", "lib", "lib64", Self.debianLibraries]
            .map { prefix + "/" + $0 + "/gst-people/" + folder }
            .filter { ModelFiles.isDirectory($0) }
            .compactMap { trusted($0, upTo: prefix.isEmpty ? "/" : prefix) }
    }

    /// Debian's directory of the libraries of this architecture, below the prefix.
    #if arch(arm64)
        package static let debianLibraries = "lib/aarch64-linux-gnu"
    #else
        package static let debianLibraries = "lib/x86_64-linux-gnu"
    #endif

    /// Returns the path above the nearest `bin`, `lib` or `lib64` that contains the file; empty for the root.
    private static func prefix(of file: String) -> String? {
        let names = ["bin", "lib", "lib64"]
        let folder = ModelFiles.ancestors(of: file).first { names.contains(ModelFiles.name(of: $0)) }
        guard let folder else { return nil }
        let prefix = ModelFiles.directory(of: folder)
        return prefix == "/" ? "" : prefix
    }

    /// The folders of a set-up that contain built modules.
    private static let moduleFolders = ["plugins", "obs-plugins"]

    /// Returns `<folder>` beside the folder that contains the module, wherever that was set up.
    private func besidePlugins(_ folder: String) -> String? {
        guard let module else { return nil }
        let plugins = ModelFiles.directory(of: module)
        guard Self.moduleFolders.contains(ModelFiles.name(of: plugins)) else { return nil }
        let setUp = ModelFiles.directory(of: plugins)
        return found(setUp + "/" + folder, upTo: setUp)
    }

    /// Returns `.gst-people/<folder>` of the checkout that contains the plugin or the program, and of the one in which
    /// it was compiled.
    private func inCheckouts(_ folder: String) -> [String?] {
        [code, source].map { file in
            let checkout = file.flatMap { ModelFiles.ancestors(of: $0).first(where: Self.isCheckout) }
            return checkout.flatMap { found($0 + "/.gst-people/" + folder, upTo: $0) }
        }
    }

    private static func isCheckout(_ directory: String) -> Bool {
        ModelFiles.fileSize(directory + "/pipelines/setup") != nil
    }

    /// Returns the directory if it exists and passes the check of ``trusted(_:upTo:)``, also without
    /// groups that have other members.
    private func found(_ directory: String, upTo root: String) -> String? {
        ModelFiles.isDirectory(directory) && ownership.withoutGroups.accepts(directory, upTo: root)
            ? directory : nil
    }

    /// Returns the directory, unless users other than the code's owner, this user and the system's
    /// administrator may write to it or to a directory above it up to `root`.
    private func trusted(_ directory: String, upTo root: String) -> String? {
        ownership.accepts(directory, upTo: root) ? directory : nil
    }

    private func under(_ name: String, orHome suffix: String, _ folder: String) -> String? {
        // The XDG base directory specification demands that relative values are ignored.
        if let base = variable(name), base.hasPrefix("/") { return base + folder }
        return variable("HOME").map { $0 + suffix + folder }
    }

    private func unique(_ directories: [String?]) -> [String] {
        var seen: Set<String> = []
        return directories.compactMap { $0 }.filter { seen.insert($0).inserted }
    }
}

/// Returns the shared object or program that contains this code; `nil` when its path is unknown.
private func pathOfThisModule() -> String? {
    // A program's own name may be what was typed, without its directory; the executable's path is then used.
    DynamicLinker.thisModule.flatMap { $0.contains("/") ? ModelFiles.resolved($0) : nil }
}
