/// Finds models by name or by path and reads their descriptions; loads nothing.
package struct ModelStore: Sendable {
    private let directories: [String]

    /// Creates a store that searches the usual places of models.
    ///
    /// The order: `directory`; the environment variable `GST_PEOPLE_MODELS`; `models` beside the directory
    /// `plugins` that contains the plugin; `$XDG_DATA_HOME/gst-people/models`; `gst-people/models` beside the
    /// directory of the plugin; `share/gst-people/models` below the prefix; `.gst-people/models` of the
    /// checkout that contains the plugin or the program. Directories that nobody asked for and that could be
    /// another user's are left out. Before each of these, the directory of the same name with `-int8` at its
    /// end is searched if `precision` and the processor allow 8-bit models. Last come the directories with
    /// `-optional` at the end of their names, which contain the models that `pipelines/setup` prepares only
    /// on request.
    /// - Parameters:
    ///   - directory: A directory that the user has asked for, if any.
    ///   - precision: The arithmetic that models may use.
    package init(directory: String? = nil, precision: ModelPrecision = .automatic) {
        let directories = [directory].compactMap { $0 } + SearchPaths.current.modelDirectories
        let searchesIntegers = precision == .automatic && Processor.hasFastIntegers
        self.init(
            directories: (searchesIntegers ? Self.withIntegers(directories) : directories)
                + directories.map { $0 + "-optional" })
    }

    /// Returns each directory after the one that may contain 8-bit versions of its models.
    package static func withIntegers(_ directories: [String]) -> [String] {
        directories.flatMap { [$0 + "-int8", $0] }
    }

    package init(directories: [String]) {
        self.directories = directories
    }

    /// Returns the model called `name`, from the first directory that contains `<name>.json`.
    ///
    /// - Throws: ``InferenceError/modelNotFound(name:searched:)``, or
    ///   ``InferenceError/modelCorrupt(path:why:)`` when a file is missing, truncated or malformed.
    package func model(named name: String) throws(InferenceError) -> ModelInfo {
        for directory in directories where !name.contains("/") {
            let description = directory + "/" + name + ".json"
            if ModelFiles.fileSize(description) != nil {
                return try ModelDescription(path: description).info()
            }
        }
        throw .modelNotFound(name: name, searched: directories)
    }

    /// Returns the model in the file at `path` (`.xml`, `.onnx` or `.tflite`), described by the `.json`
    /// beside it.
    ///
    /// - Parameter builtIn: The name of the model whose description applies when there is no `.json`.
    /// - Throws: As ``model(named:)``.
    package func model(atPath path: String, like builtIn: String) throws(InferenceError) -> ModelInfo {
        guard ModelFiles.fileSize(path) != nil else {
            throw .modelNotFound(name: path, searched: [ModelFiles.directory(of: path)])
        }
        let description = ModelFiles.replacingEnding(of: path, with: ".json")
        if ModelFiles.fileSize(description) != nil {
            return try ModelDescription(path: description).info(file: path)
        }
        return try model(named: builtIn).applied(toFile: path)
    }

    /// Returns the model that a user has given as a path to a model file, or as a name.
    ///
    /// - Parameter builtIn: The name of the model whose description applies to a file without one.
    /// - Throws: As ``model(named:)``, and ``InferenceError/unknownModel(name:known:)``.
    package func model(_ nameOrPath: String, like builtIn: String) throws(InferenceError) -> ModelInfo {
        let isPath = nameOrPath.contains("/") || Self.isModelFile(nameOrPath)
        if isPath { return try model(atPath: nameOrPath, like: builtIn) }
        do throws(InferenceError) { return try model(named: nameOrPath) } catch {
            let known = names(like: builtIn)
            guard case .modelNotFound = error, nameOrPath != Self.optional, !known.isEmpty else {
                throw error
            }
            throw .unknownModel(name: nameOrPath, known: known)
        }
    }

    /// The model that is prepared only on request; its error says how.
    static let optional = "rvm"

    /// Returns the names of the models that can replace one: its own, and, if it states its kind, those that
    /// do too.
    private func names(like builtIn: String) -> [String] {
        guard let usual = try? model(named: builtIn) else { return [] }
        guard usual.facts["kind"] != nil else { return [builtIn] }
        let ending = ".json"
        let files = directories.flatMap { ModelFiles.names(in: $0) }.filter { $0.hasSuffix(ending) }
        return Set(files.map { String($0.dropLast(ending.count)) })
            .filter { (try? model(named: $0))?.facts["kind"] != nil }.sorted()
    }

    /// Whether a user who writes `text` means a model: a file, or the name of one, and not a directory of
    /// models.
    package static func isModel(_ text: String) -> Bool {
        isModelFile(text) || !text.contains("/") && !text.isEmpty && !ModelFiles.isDirectory(text)
    }

    /// Whether `path` has the ending of a model file.
    package static func isModelFile(_ path: String) -> Bool { endings.contains { path.hasSuffix($0) } }

    private static let endings = [".xml", ".onnx", ".tflite"]
}

extension ModelStore {
    /// Checks that the directories which the user has asked for contain models at all, so that a mistyped
    /// name is reported.
    ///
    /// - Parameters:
    ///   - directory: the directory that the user has asked for, besides the environment variable
    ///     `GST_PEOPLE_MODELS`.
    ///   - name: the wanted model.
    /// - Throws: ``InferenceError/modelNotFound(name:searched:)``,
    ///   ``InferenceError/resourcesExhausted(why:)``.
    package static func checkAsked(_ directory: String?, for name: String) throws(InferenceError) {
        if let shortage = Headroom.description.shortage { throw .resourcesExhausted(why: shortage) }
        for asked in [directory, SearchPaths.current.askedModelDirectory].compactMap({ $0 })
        where !ModelFiles.names(in: asked).contains(where: { $0.hasSuffix(".json") }) {
            throw .modelNotFound(name: name, searched: [asked])
        }
    }
}

/// The arithmetic that models may use.
public enum ModelPrecision: String, Sendable, CaseIterable {
    /// 8-bit integers where `pipelines/setup` has prepared a model for them and the CPU has instructions for them;
    /// single precision elsewhere.
    case automatic = "auto"
    /// IEEE 754 single precision, with the same results on every CPU but for rounding.
    case float32 = "f32"
}

/// The capabilities of the processor.
package enum Processor {
    /// Whether the processor multiplies and adds 8-bit integers in one instruction (AVX512-VNNI or AVX-VNNI).
    static let hasFastIntegers = hasFastIntegers(ModelFiles.read("/proc/cpuinfo", limit: 1 << 24) ?? [])

    /// Whether a processor with this description by the kernel has such an instruction.
    package static func hasFastIntegers(_ description: [UInt8]) -> Bool {
        let lines = description.split(separator: UInt8(ascii: "\n"))
        guard let flags = lines.first(where: { $0.starts(with: "flags".utf8) }) else { return false }
        let words = flags.split(separator: UInt8(ascii: " "))
        return words.contains { $0.elementsEqual("avx512_vnni".utf8) || $0.elementsEqual("avx_vnni".utf8) }
    }
}
