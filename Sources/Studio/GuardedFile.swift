import FileNames
import Glibc

/// Files that are only opened if they are regular ones of a bearable size: never pipes or devices, whose reading may not end.
enum GuardedFile {
    /// Whether there is a regular file up to `maximum` bytes.
    ///
    /// - Parameter followsLinks: whether a symbolic link counts as what it leads to.
    static func isFit(_ path: String, maximum: Int, followsLinks: Bool) -> Bool {
        var status = stat()
        guard (followsLinks ? stat(path.fileName, &status) : lstat(path.fileName, &status)) == 0 else {
            return false
        }
        return isFit(status, maximum)
    }

    /// The bytes of a regular file; nil for what is none, is larger than `maximum`, or cannot be read.
    static func bytes(_ path: String, maximum: Int, followsLinks: Bool) -> [UInt8]? {
        // What the name leads to may have changed since it was looked at.
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = open(path.fileName, flags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, isFit(status, maximum) else { return nil }
        var count = 0
        var bytes = [UInt8](repeating: 0, count: Int(clamping: status.st_size))
        while count < bytes.count {
            let size = bytes[count...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            guard size > 0 else { return nil }
            count += size
        }
        return bytes
    }

    private static func isFit(_ status: stat, _ maximum: Int) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && (0...maximum).contains(Int(status.st_size))
    }
}
