import Glibc

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
