import Glibc

/// The files in which compiled models are kept for the next start, one for each size of the input.
///
/// OpenVINO's own cache finds a model of a free size only after its file has been read, fitted to the size and hashed, which takes
/// as long as what is left to do then; and it uses files as they are.
struct ExportedModels {
    private let options: ComputeOptions
    private let cacheDirectory: String
    private let directory: String
    /// A file's name is the size of the model's file, the shape of its input, and the properties.
    private let prefix: String
    private let suffix: String
    /// What the model's files must be.
    private let digests: String

    /// Nil where nothing may be kept, or OpenVINO or the model may change unnoticed.
    init?(of info: ModelInfo, _ options: ComputeOptions, runtime: String, in cacheDirectory: String?) {
        // OpenVINO imports models with the properties that the device has, which must be known for that.
        guard options.device == "CPU", let cacheDirectory, let stamp = info.stamp,
            let model = FileSystem.resolved(info.path),
            let size = FileSystem.fileSize(info.weights ?? info.path),
            let version = FileSystem.modificationTime(runtime)
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

    /// What the file at `path` must have been written as: no other model's file can take its place.
    private func identity(_ path: String) -> String { path + "-" + digests }

    /// The model for an input of `shape`, unless it is not there, damaged, or may be another user's work.
    func load(_ shape: [Int], _ core: OpenVINO.Core) -> OpenVINO.CompiledModel? {
        let path = path(shape)
        guard FileSystem.fileSize(path) != nil, isOwn else { return nil }
        guard let file = SealedFile(path, identity: identity(path)),
            let model = try? core.importModel(file, device: options.device, properties: options.properties)
        else {
            InferenceLog.write { "compiled model '\(path)' is damaged or another's: it is compiled again" }
            return nil
        }
        FileSystem.noteUse(of: path)
        return model
    }

    /// Writes the model, whole or not at all; a cache that cannot be written is none.
    func save(_ model: OpenVINO.CompiledModel, _ shape: [Int]) {
        guard FileSystem.makeWritableDirectory(directory), isOwn,
            let file = MemoryFile(named: "model"),
            FileSizeLimit.failing({ try? model.export(to: file.path) }) != nil
        else { return }
        let path = path(shape)
        let isWritten = file.withBytes { SealedFile.write($0, identity: identity(path), to: path) }
        if isWritten == true { CacheLimit.standard.apply(to: cacheDirectory) }
    }

    /// Whether the folder belongs to this user, and nobody else may write there.
    private var isOwn: Bool {
        if Ownership.ofUser.holds(directory, upTo: cacheDirectory) { return true }
        InferenceLog.write { "'\(cacheDirectory)' is another user's, or others may write to it: not used" }
        return false
    }

    /// The shape of the input that was used last; nil where no file is kept.
    var lastShape: [Int]? {
        let files = FileSystem.names(in: directory).compactMap { name in
            shape(inName: name).flatMap { shape in
                FileSystem.lastUse(of: directory + "/" + name).map { (shape: shape, lastUse: $0) }
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
