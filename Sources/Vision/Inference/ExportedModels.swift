import CDynamicLinker
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

/// A limit that keeps the cache of compiled models from growing without end.
///
/// Each shape of a crop is a model of its own, and each new version of a model or of OpenVINO leaves the
/// models of the last one behind.
package struct CacheLimit {
    /// The maximum size of all files together.
    let bytes: Int

    /// 1 GiB: some 40 sizes of MODNet in single precision.
    package static let standard = CacheLimit(bytes: 1 << 30)

    /// Creates a limit of `bytes`.
    package init(bytes: Int) { self.bytes = bytes }

    private struct File {
        let path: String
        let bytes: Int
        /// The time of the last use, in nanoseconds since 1970.
        let lastUse: Int
    }

    /// Removes the least recently used files in `directory` and its folders, and folders that are then empty.
    ///
    /// A program that has a file open keeps it; a model whose file is missing is compiled again.
    package func apply(to directory: String) {
        let files = files(in: directory, depth: 0)
        var total = files.reduce(0) { $0 &+ $1.bytes }
        for file in files.sorted(by: { $0.lastUse < $1.lastUse }) {
            guard total > bytes else { return }
            guard unlink(file.path) == 0 else { continue }
            total = total &- file.bytes
            for folder in ModelFiles.ancestors(of: file.path) {
                guard folder.count > directory.count, rmdir(folder) == 0 else { break }
            }
        }
    }

    /// Maximum depth of folders; a folder repeats the path of its model, whose length is limited.
    private static let deepest = 64

    /// Returns the files of compiled models, unfinished ones included; links are not followed.
    private func files(in directory: String, depth: Int) -> [File] {
        guard depth < Self.deepest else { return [] }
        var files: [File] = []
        for name in ModelFiles.names(in: directory) where name != "." && name != ".." {
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

/// A file in memory: writing to it fails for fewer reasons than writing to a disk.
struct MemoryFile: ~Copyable {
    private let descriptor: Int32

    init?(named name: String) {
        let closedOnExec: UInt32 = 1  // MFD_CLOEXEC
        descriptor = memfd_create(name, closedOnExec)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// A name by which this process can open the file.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Calls `body` with the written bytes; nil if there are none, or the limit of a file's size has cut them
    /// off.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        var (status, limit) = (stat(), rlimit())
        guard fstat(descriptor, &status) == 0, status.st_size > 0,
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
            UInt64(status.st_size) < UInt64(limit.rlim_cur),
            let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_SHARED, descriptor, 0),
            start != MAP_FAILED
        else { return nil }
        defer { munmap(start, Int(status.st_size)) }
        return body(UnsafeRawBufferPointer(start: start, count: Int(status.st_size)))
    }
}

/// OpenVINO's own cache, for devices whose properties are unknown; this type seals the files in it.
struct DeviceCache {
    /// The folder, `CACHE_DIR` of OpenVINO.
    let directory: String

    /// Creates the folder; nil if that fails, or if the folder may be another user's work.
    init?(of info: ModelInfo, in cacheDirectory: String?) {
        guard let cacheDirectory, let stamp = info.stamp else { return nil }
        let digests = info.digests.values.sorted().map { $0.prefix(16) }.joined(separator: "-")
        directory = cacheDirectory + "/device-" + stamp + "-" + digests
        guard ModelFiles.makeWritableDirectory(directory),
            Ownership.ofUser.accepts(directory, upTo: cacheDirectory)
        else { return nil }
    }

    private var blobs: [String] {
        ModelFiles.names(in: directory).filter { $0.hasSuffix(".blob") }.map { directory + "/" + $0 }
    }

    private func seal(of blob: String) -> String { blob + ".seal" }

    /// Removes files that differ from what was written, before OpenVINO searches for its own.
    func removeDamaged() {
        for blob in blobs {
            guard let digest = digest(of: blob), SealedFile(seal(of: blob), identity: digest) != nil else {
                InferenceLog.write { "compiled model '\(blob)' is damaged: it is compiled again" }
                unlink(blob)
                unlink(seal(of: blob))
                continue
            }
        }
    }

    /// Seals files that OpenVINO has written.
    ///
    /// A file that was cut off by a full disk gets no seal: there is no room for the seal either.
    func sealNew() {
        for blob in blobs where ModelFiles.fileSize(seal(of: blob)) == nil {
            guard let digest = digest(of: blob) else { continue }
            _ = [UInt8(1)].withUnsafeBytes { SealedFile.write($0, identity: digest, to: seal(of: blob)) }
        }
    }

    private func digest(of blob: String) -> String? {
        var status = stat()
        guard lstat(blob, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Ownership.ofUser.accepts(status)
        else { return nil }
        return (try? FileDigests.sha256(of: blob)).map { blob + "-" + $0 }
    }
}
