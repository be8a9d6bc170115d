import CommandKit
import FileNames
import Files
import Glibc

/// A file that gets its name only when it is complete.
///
/// The file is written under another name in the same folder and renamed at the end. Its lock ends with the
/// process, so the unfinished file of a killed run is recognised and overwritten.
final class OutputFile {
    let path: String
    /// The path to write to.
    let temporaryPath: String
    private let descriptor: Int32
    private let overwrites: Bool
    private var isPublished = false

    /// Creates the temporary file.
    ///
    /// - Parameter isPrivate: whether only the user may read the file.
    /// - Throws: when `path` exists and must not be overwritten, or cannot be written.
    init(path: String, overwrites: Bool, isPrivate: Bool = false) throws(ToolError) {
        (self.path, self.overwrites) = (path, overwrites)
        temporaryPath = FileSystem.path(beside: path, ending: ".part")
        try Self.checkPlace(path, overwrites)
        descriptor = try Self.openLocked(temporaryPath, for: path, isPrivate ? 0o600 : 0o666)
    }

    deinit {
        if !isPublished { unlink(temporaryPath.fileName) }
        close(descriptor)
    }

    /// Writes the whole contents.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ToolError) {
        // A killed run may have left a longer file.
        guard ftruncate(descriptor, 0) == 0 else { throw .unwritable(path, errno) }
        let error = Descriptor.write(bytes, to: descriptor)
        guard error == 0 else { throw .unwritable(path, error) }
    }

    /// Writes the whole contents.
    func write(_ bytes: [UInt8]) throws(ToolError) {
        let written = bytes.withUnsafeBytes { bytes in
            Result { () throws(ToolError) in try write(bytes) }
        }
        try written.get()
    }

    /// Renames the file to its final name.
    func publish() throws(ToolError) {
        // Some file systems report only now that there is no space.
        guard fsync(descriptor) == 0 else { throw .unwritable(path, errno) }
        try Self.checkPlace(path, overwrites)
        guard rename(temporaryPath.fileName, path.fileName) == 0 else { throw .unwritable(path, errno) }
        isPublished = true
    }

    private static func openLocked(
        _ temporary: String, for path: String, _ mode: mode_t
    ) throws(ToolError) -> Int32 {
        let descriptor = open(temporary.fileName, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw .unwritable(path, errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw ToolError(.output, "\(path) is being written by another run.")
        }
        return descriptor
    }

    /// Throws if a file cannot be written, or exists and must not be overwritten.
    static func checkPlace(_ path: String, _ overwrites: Bool) throws(ToolError) {
        var status = stat()
        guard stat(path.fileName, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ToolError(.output, "\(path) is not a regular file.")
        }
        guard overwrites else { throw .exists(path) }
    }
}

extension ToolError {
    /// Returns the error for a file that must not be overwritten.
    static func exists(_ path: String) -> ToolError {
        ToolError(.output, "\(path) exists; --force overwrites it.")
    }

    fileprivate static func unwritable(_ path: String, _ error: Int32) -> ToolError {
        ToolError(.output, "\(path) cannot be written: \(String(cString: strerror(error))).")
    }
}

/// Images of a folder with a name and a number: `person-1.png`.
struct NumberedImages {
    private let name: String
    private let folder: String
    private let overwrites: Bool

    init(_ name: String, in folder: String, overwrites: Bool) {
        (self.name, self.folder, self.overwrites) = (name, folder, overwrites)
    }

    /// Throws if such images exist and must not be overwritten; called before long work.
    func check() throws(ToolError) {
        guard !overwrites else { return }
        let found = FileSystem.names(in: folder).first { $0.hasPrefix(name + "-") && $0.hasSuffix(".png") }
        if let found { throw .exists("\(folder)/\(found)") }
    }

    /// Returns the file of a number; makes the folder if it does not exist.
    func file(_ number: Int) throws(ToolError) -> OutputFile {
        try FileSystem.makeFolder(folder)
        return try OutputFile(path: "\(folder)/\(name)-\(number).png", overwrites: overwrites)
    }
}
