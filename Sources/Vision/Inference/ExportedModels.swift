import Glibc

/// The files in which compiled models are kept for the next start, one for each size of the input.
///
/// OpenVINO's own cache finds a model of a free size only after its file has been read, fitted to the size
/// and hashed, which takes as long as the remaining work. It also uses files without checking them.
struct ExportedModels {
    private let options: ComputeOptions
    private let cacheDirectory: String
    private let directory: String
    /// The parts of a file's name around the shape of the input: the size of the model's file, and the
    /// properties.
    private let prefix: String
    private let suffix: String
    /// The required hashes of the model's files.
    private let digests: String

    /// Determines the files; nil where nothing may be kept, or OpenVINO or the model may change unnoticed.
    init?(of info: ModelInfo, _ options: ComputeOptions, runtime: String, in cacheDirectory: String?) {
        // OpenVINO imports models with the properties of the device, so these must be known.
        guard options.device == "CPU", let cacheDirectory, let stamp = info.stamp,
            let model = ModelFiles.resolved(info.path),
            let size = ModelFiles.fileSize(info.weights ?? info.path),
            let version = ModelFiles.modificationTime(runtime)
        else { return nil }
        self.options = options
        self.cacheDirectory = cacheDirectory
        directory = cacheDirectory + "/" + stamp + "-\(version)" + model
        prefix = "\(size)-"
        suffix = "-" + options.properties.map(\.value).joined(separator: "-") + ".sealed.blob"
        digests = info.digests.values.sorted().joined(separator: "-")
    }

    private func path(_ shape: [Int]) -> String {
        directory + "/" + prefix + shape.map { "\($0)" }.joined(separator: "x") + suffix
    }

    /// Returns the identity of the file at `path`: another model's file cannot take its place.
    private func identity(_ path: String) -> String { path + "-" + digests }

    /// Returns the model for an input of `shape`; nil if the file is missing, damaged, or may be another
    /// user's work.
    func load(_ shape: [Int], _ core: OpenVINO.Core) -> OpenVINO.CompiledModel? {
        let path = path(shape)
        guard ModelFiles.fileSize(path) != nil, isOwn else { return nil }
        guard let file = SealedFile(path, identity: identity(path)),
            let model = try? core.importModel(file, device: options.device, properties: options.properties)
        else {
            InferenceLog.write { "compiled model '\(path)' is damaged or another's: it is compiled again" }
            return nil
        }
        ModelFiles.noteUse(of: path)
        return model
    }

    /// Writes the model, whole or not at all; a cache that cannot be written is ignored.
    func save(_ model: OpenVINO.CompiledModel, _ shape: [Int]) {
        guard ModelFiles.makeWritableDirectory(directory), isOwn,
            let file = MemoryFile(named: "model"),
            FileSizeLimit.failing({ try? model.export(to: file.path) }) != nil
        else { return }
        let path = path(shape)
        let isWritten = file.withBytes { SealedFile.write($0, identity: identity(path), to: path) }
        if isWritten == true { CacheLimit.standard.apply(to: cacheDirectory) }
    }

    /// Whether the folder belongs to this user, and nobody else may write to it.
    private var isOwn: Bool {
        if Ownership.ofUser.accepts(directory, upTo: cacheDirectory) { return true }
        InferenceLog.write { "'\(cacheDirectory)' is another user's, or others may write to it: not used" }
        return false
    }

    /// The shape of the input that was used last; nil without any file.
    var lastShape: [Int]? {
        let files = ModelFiles.names(in: directory).compactMap { name in
            shape(inName: name).flatMap { shape in
                ModelFiles.lastUse(of: directory + "/" + name).map { (shape: shape, lastUse: $0) }
            }
        }
        return files.max { $0.lastUse < $1.lastUse }?.shape
    }

    private func shape(inName name: String) -> [Int]? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count else {
            return nil
        }
        let sides = name.dropFirst(prefix.count).dropLast(suffix.count).split(separator: "x")
        let shape = sides.compactMap { Int($0) }
        return shape.count == sides.count ? shape : nil
    }
}
