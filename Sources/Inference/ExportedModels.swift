import Glibc

/// The files in which a compiled model of a free size is kept for the next start, one for each size.
///
/// OpenVINO's own cache finds such a model only after its file has been read, fitted to the size and hashed, which takes
/// as long as what is left to do then.
struct ExportedModels {
    private let options: ComputeOptions
    private let cacheDirectory: String
    private let directory: String
    /// A file's name is the size of the model's file, the shape of its input, and the properties.
    private let prefix: String
    private let suffix: String

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
        suffix = "-" + options.properties.map(\.value).joined(separator: "-") + ".blob"
    }

    private func path(_ shape: [Int]) -> String {
        directory + "/" + prefix + shape.map { "\($0)" }.joined(separator: "x") + suffix
    }

    /// The model for an input of `shape`, unless it is not there or cannot be used.
    func load(_ shape: [Int], _ core: OpenVINO.Core) -> OpenVINO.CompiledModel? {
        let path = path(shape)
        guard let file = MappedFile(path),
            let model = try? core.importModel(file, device: options.device, properties: options.properties)
        else { return nil }
        FileSystem.noteUse(of: path)
        return model
    }

    /// Writes the model, whole or not at all; a cache that cannot be written is none.
    func save(_ model: OpenVINO.CompiledModel, _ shape: [Int]) {
        guard FileSystem.makeWritableDirectory(directory) else { return }
        let path = path(shape)
        let part = path + ".\(getpid())"
        guard FileSizeLimit.failing({ try? model.export(to: part) }) != nil, rename(part, path) == 0 else {
            unlink(part)
            return
        }
        CacheLimit.standard.apply(to: cacheDirectory)
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

/// Keeps the cache of compiled models from growing for ever.
///
/// Each shape of a crop is a model of its own, and each new version of a model or of OpenVINO leaves those of the last one behind.
package struct CacheLimit {
    /// The size of all files together.
    let bytes: Int

    /// 1 GiB: some 40 sizes of MODNet in single precision.
    package static let standard = CacheLimit(bytes: 1 << 30)

    /// A limit of `bytes`.
    package init(bytes: Int) { self.bytes = bytes }

    private struct File {
        let path: String
        let bytes: Int
        /// In nanoseconds since 1970.
        let lastUse: Int
    }

    /// Removes the files in `directory` and its folders that were used longest ago, and folders that are empty then.
    ///
    /// A program that has a file open keeps it; where one is missing, the model is compiled again.
    package func apply(to directory: String) {
        let files = files(in: directory, depth: 0)
        var total = files.reduce(0) { $0 &+ $1.bytes }
        for file in files.sorted(by: { $0.lastUse < $1.lastUse }) {
            guard total > bytes else { return }
            guard unlink(file.path) == 0 else { continue }
            total = total &- file.bytes
            for folder in FileSystem.ancestors(of: file.path) {
                guard folder.count > directory.count, rmdir(folder) == 0 else { break }
            }
        }
    }

    /// A folder repeats the path of its model, which is not endless.
    private static let deepest = 64

    /// Files of compiled models, those that were not finished among them; links are not followed.
    private func files(in directory: String, depth: Int) -> [File] {
        guard depth < Self.deepest else { return [] }
        var files: [File] = []
        for name in FileSystem.names(in: directory) where name != "." && name != ".." {
            let path = directory + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: files += self.files(in: path, depth: depth + 1)
            case S_IFREG where name.contains(".blob"):
                files.append(File(path: path, bytes: Int(status.st_size), lastUse: status.lastUse))
            default: break
            }
        }
        return files
    }
}
