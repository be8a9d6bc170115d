import Glibc

/// The file in which a compiled model of a chosen size is kept for the next start.
///
/// OpenVINO's own cache finds such a model only after its file has been read, fitted to the size and hashed, which takes
/// as long as what is left to do then.
struct ExportedModel {
    private let cacheDirectory: String
    private let directory: String
    private let path: String

    /// Nil where nothing may be kept, or OpenVINO or the model may change unnoticed.
    init?(
        of info: ModelInfo, _ shape: [Int], _ options: ComputeOptions, stamp: String?, runtime: String,
        in cacheDirectory: String?
    ) {
        // OpenVINO imports models with the properties that the device has, which must be known for that.
        guard options.device == "CPU", let cacheDirectory, let stamp,
            let model = FileSystem.resolved(info.path),
            let size = FileSystem.fileSize(info.weights ?? info.path),
            let version = FileSystem.modificationTime(runtime)
        else { return nil }
        self.cacheDirectory = cacheDirectory
        directory = cacheDirectory + "/" + stamp + "-\(version)" + model
        let properties = options.properties.map(\.value).joined(separator: "-")
        let dimensions = shape.map { "\($0)" }.joined(separator: "x")
        path = directory + "/\(size)-\(dimensions)-\(properties).blob"
    }

    /// The model, unless it is not there or cannot be used.
    func load(_ core: OpenVINO.Core, _ options: ComputeOptions) -> OpenVINO.CompiledModel? {
        guard let file = MappedFile(path) else { return nil }
        return try? core.importModel(file, device: options.device, properties: options.properties)
    }

    /// Writes the model, whole or not at all; a cache that cannot be written is none.
    func save(_ model: OpenVINO.CompiledModel) {
        guard FileSystem.makeWritableDirectory(directory) else { return }
        let part = path + ".\(getpid())"
        guard FileSizeLimit.failing({ try? model.export(to: part) }) != nil, rename(part, path) == 0 else {
            unlink(part)
            return
        }
        CacheLimit.standard.apply(to: cacheDirectory)
    }
}
