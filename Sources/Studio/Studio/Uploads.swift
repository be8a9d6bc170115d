import CommandKit
import FileNames
import Files
import GStreamerKit
import Glibc

/// An upload to the folder of backgrounds, in a hidden file until it has been checked.
final class Upload: @unchecked Sendable {
    // Unchecked: only one thread at a time uses it.
    let name: String
    /// Number of bytes that were announced.
    let size: Int
    private let folder: String
    private let descriptor: Int32
    private var draft: String { "\(folder)/.upload-\(name)" }
    private var count = 0
    private var isWhole = true

    /// Opens the hidden file.
    ///
    /// - Throws: when the folder cannot be written, or a file of that name is being uploaded already.
    init(_ name: String, into folder: String, size: Int) throws(ToolError) {
        (self.name, self.folder, self.size) = (name, folder, size)
        descriptor = open(
            "\(folder)/.upload-\(name)".fileName,
            O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        // The lock ends with the process; a file left by an interrupted program is overwritten.
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0, ftruncate(descriptor, 0) == 0 else {
            let unwritable = FileSystem.unwritable("\(folder)/\(name)")
            if descriptor >= 0 { close(descriptor) }
            throw unwritable
        }
    }

    deinit {
        unlink(draft.fileName)
        close(descriptor)
    }

    /// Appends a part of the file.
    func append(_ bytes: UnsafeRawBufferPointer) {
        count += bytes.count
        guard isWhole, count <= size else { return }
        isWhole = Descriptor.write(bytes, to: descriptor) == 0
    }

    /// Gives the file its name, if `blendmask` can read it.
    func publish() throws(ToolError) {
        guard isWhole, count == size else { throw FileSystem.unwritable("\(folder)/\(name)") }
        do throws(ElementError) { _ = try StillPicture.load(draft) } catch {
            let reason = error.reason.map { " (\($0))" } ?? ""
            throw ToolError(.usage, "This cannot be read as a picture or clip\(reason).")
        }
        var status = stat()
        guard lstat("\(folder)/\(name)".fileName, &status) != 0 else { throw Self.exists(name) }
        guard rename(draft.fileName, "\(folder)/\(name)".fileName) == 0 else {
            throw FileSystem.unwritable("\(folder)/\(name)")
        }
    }

    static func exists(_ name: String) -> ToolError { ToolError(.usage, "There is a \(name) already.") }
}
