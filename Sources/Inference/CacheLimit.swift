import Glibc

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
