import FileNames
import Files
import Glibc

/// Access to regular files of a limited size; pipes and devices, whose reading may not end, are never opened.
enum GuardedFile {
    /// Whether a path is a regular file of up to `maximum` bytes.
    ///
    /// - Parameter followsLinks: whether a symbolic link is followed.
    static func isFit(_ path: String, maximum: Int, followsLinks: Bool) -> Bool {
        var status = stat()
        guard (followsLinks ? stat(path.fileName, &status) : lstat(path.fileName, &status)) == 0 else {
            return false
        }
        return isFit(status, maximum)
    }

    /// Returns the bytes of a regular file; nil for other files, for a file larger than `maximum`, and for an
    /// unreadable one.
    static func bytes(_ path: String, maximum: Int, followsLinks: Bool) -> [UInt8]? {
        // The file behind the name may have changed since it was checked.
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        let descriptor = open(path.fileName, flags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, isFit(status, maximum) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(clamping: status.st_size))
        let count = bytes.withUnsafeMutableBytes { Descriptor.read(into: $0, from: descriptor) }
        return count == bytes.count ? bytes : nil
    }

    /// Returns a part of a regular file, and the size of the file; nil for other files, and for a part that begins
    /// behind the end.
    ///
    /// - Parameter range: bytes of the file; what lies behind its end is left out.
    static func part(_ path: String, _ range: Range<Int>) -> (bytes: [UInt8], size: Int)? {
        let descriptor = open(path.fileName, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, isFit(status, .max) else { return nil }
        let size = Int(clamping: status.st_size)
        guard range.lowerBound >= 0, range.lowerBound < size else { return nil }
        var bytes = [UInt8](repeating: 0, count: min(range.count, size - range.lowerBound))
        let count = bytes.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, $0.count, off_t(range.lowerBound))
        }
        guard count > 0 else { return nil }
        bytes.removeLast(bytes.count - count)
        return (bytes, size)
    }

    private static func isFit(_ status: stat, _ maximum: Int) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && (0...maximum).contains(Int(status.st_size))
    }
}
