import Glibc

/// The few file operations that finding libraries and models needs.
enum FileSystem {
    /// Size in bytes of the regular file at `path`, or `nil` if there is none.
    static func fileSize(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// When the file at `path` was last written, in nanoseconds since 1970, or `nil` if there is none.
    static func modificationTime(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
    }

    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The whole file, or `nil` if it cannot be read or is larger than `limit` bytes.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while contents.count <= limit {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return count == 0 ? contents : nil }
            contents.append(contentsOf: chunk.prefix(count))
        }
        return nil
    }

    /// The names in a directory, sorted; empty if it cannot be read.
    static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }

    /// Makes the directory and its parents where missing; tells whether files can be made in it.
    static func makeWritableDirectory(_ path: String) -> Bool {
        for directory in ancestors(of: path).reversed() { mkdir(directory, 0o755) }
        mkdir(path, 0o700)
        return isDirectory(path) && access(path, W_OK | X_OK) == 0
    }

    /// `path` without symbolic links and relative parts, or `nil` if nothing is there.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The directory that holds `path`; the root's is the root.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The name of the file without its last ending.
    static func stem(of path: String) -> String {
        let name = name(of: path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// `path` with another ending.
    static func replacingEnding(of path: String, with ending: String) -> String {
        directory(of: path) + "/" + stem(of: path) + ending
    }

    /// The directories above an absolute `path`, nearest first, the root last.
    static func ancestors(of path: String) -> [String] {
        var directories: [String] = []
        var current = path
        while current.hasPrefix("/"), current != "/" {
            current = directory(of: current)
            directories.append(current)
        }
        return directories
    }
}
