import Files
import Glibc

/// The file operations needed to find libraries and models.
enum ModelFiles {
    /// Returns the size in bytes of the regular file at `path`, or `nil` if there is none.
    static func fileSize(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Returns the time of the last write to the file at `path`, in nanoseconds since 1970, or `nil` if there
    /// is none.
    static func modificationTime(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mtim.nanoseconds
    }

    /// Returns the time of the last write or read of the file at `path`, as far as the file system records
    /// it, in nanoseconds since 1970; nil if there is none.
    static func lastUse(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? status.lastUse : nil
    }

    /// Records that the file at `path` is read now, for file systems that do not.
    static func noteUse(of path: String) {
        var (status, now) = (stat(), timespec())
        guard stat(path, &status) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else { return }
        let times = [now, status.st_mtim]
        utimensat(AT_FDCWD, path, times, 0)
    }

    static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the whole file, or `nil` with the reason in `errno` if it cannot be read or is larger than
    /// `limit` bytes.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return Descriptor.readAll(from: descriptor, limit: limit)
    }

    /// Returns the names in a directory, sorted; empty if it cannot be read.
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

    /// Creates the directory and missing parents, and returns whether files can be created in it.
    static func makeWritableDirectory(_ path: String) -> Bool {
        for directory in ancestors(of: path).reversed() { mkdir(directory, 0o755) }
        mkdir(path, 0o700)
        return isDirectory(path) && access(path, W_OK | X_OK) == 0
    }

    /// Returns `path` without symbolic links and relative parts, or `nil` if nothing is there.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the directory that contains `path`; the root's is the root.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Returns the name of the file without its last ending.
    static func stem(of path: String) -> String {
        let name = name(of: path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// Returns `path` with another ending.
    static func replacingEnding(of path: String, with ending: String) -> String {
        directory(of: path) + "/" + stem(of: path) + ending
    }

    /// Returns the directories above an absolute `path`, nearest first, the root last.
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

extension stat {
    /// The time of the last write or read of the file, in nanoseconds since 1970.
    var lastUse: Int { max(st_atim.nanoseconds, st_mtim.nanoseconds) }
}

extension timespec {
    /// The nanoseconds since 1970, for a time of a file.
    var nanoseconds: Int { Int(tv_sec) &* 1_000_000_000 &+ Int(tv_nsec) }
}

/// The limit of the size of a process's files (`ulimit -f`).
enum FileSizeLimit {
    /// Calls `body`, in which writing beyond the limit fails with `EFBIG` on this thread.
    ///
    /// Otherwise the signal SIGXFSZ, which the writing thread receives, would end the program. The program's
    /// own handling of the signal is not changed.
    static func failing<Result>(_ body: () -> Result) -> Result {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGXFSZ)
        var before = sigset_t()
        guard pthread_sigmask(SIG_BLOCK, &set, &before) == 0 else { return body() }
        let result = body()
        // A signal that the program itself blocks stays pending for it.
        if sigismember(&before, SIGXFSZ) == 0 {
            var now = timespec()
            while sigtimedwait(&set, nil, &now) > 0 {}
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return result
    }
}
