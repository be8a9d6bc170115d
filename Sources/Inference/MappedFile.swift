import Glibc

/// The bytes of a file, which the system reads when they are looked at.
final class MappedFile: @unchecked Sendable {
    // Unchecked: the address never changes, and what is behind it belongs to whom it is handed.
    let bytes: UnsafeMutableRawBufferPointer

    /// Nil for what is no file, cannot be read, or is empty.
    init?(_ path: String) {
        guard let size = FileSystem.fileSize(path), size > 0 else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Private: changes would stay in memory.
        guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0),
            start != MAP_FAILED
        else { return nil }
        bytes = UnsafeMutableRawBufferPointer(start: start, count: size)
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }
}
