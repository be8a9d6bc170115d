import CGStreamer
import CommandKit
import FileNames
import Files
import GStreamerKit
import Glibc
package import JSON

/// The pictures and clips that the page offers: the files of one folder, and files named by options and
/// presets.
package struct Backgrounds {
    private let folder: String
    /// Paths of files outside of the folder.
    private var others: [String]

    /// Maximum bytes of an upload, of all unfinished uploads, and of an offered picture.
    static let (maximumUpload, maximumUploads, maximumPicture) = (32 << 20, 64 << 20, 64 << 20)
    private static let maximumFiles = 100

    private static let pictures = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp",
    ]
    private static let clips: Set<String> = ["mp4", "mov", "mkv", "webm", "gif"]

    /// Makes the list of offered files.
    ///
    /// - Parameters:
    ///   - folder: made with the first upload; the user's own folder if nil.
    ///   - first: path of another file to offer.
    package init(folder: String?, first: String?) {
        self.folder = folder ?? FileSystem.userData + "/gst-people/backgrounds"
        others = [first].compactMap { $0 }
    }

    /// Adds a file to the offered ones.
    package mutating func offer(_ path: String) { if name(ofPath: path) == nil { others.append(path) } }

    /// Names and paths of the offered files; a link in the folder is not offered, since it may lead anywhere.
    private var paths: [(name: String, path: String)] {
        let outside = others.compactMap { path in
            path.split(separator: "/").last.map { (name: String($0), path: path) }
        }
        let inside = FileSystem.names(in: folder).sorted().filter { name in
            Self.isOffered(name) && !outside.contains { $0.name == name }
                && GuardedFile.isFit("\(folder)/\(name)", maximum: Self.maximum(name), followsLinks: false)
        }
        return outside + inside.map { ($0, "\(folder)/\($0)") }
    }

    /// Returns the maximum bytes of an offered file.
    private static func maximum(_ name: String) -> Int {
        pictures[ending(name)] == nil ? .max : maximumPicture
    }

    /// Returns the path of an offered file.
    package func path(_ name: String) -> String? { paths.first { $0.name == name }?.path }

    /// Returns the path of an offered clip.
    func clip(_ name: String) -> String? { Self.clips.contains(Self.ending(name)) ? path(name) : nil }

    /// Returns the name of an offered file by its path; nil if it is not offered.
    package func name(ofPath path: String) -> String? { paths.first { $0.path == path }?.name }

    package var json: JSON {
        .array(
            paths.map { entry in
                .object([
                    ("name", .string(entry.name)),
                    ("isClip", .bool(Self.pictures[Self.ending(entry.name)] == nil)),
                    ("isOwn", .bool(!others.contains(entry.path))),
                ])
            })
    }

    /// Returns the function that reads a picture, or the first frame of a clip, for a browser on any thread.
    func picture(
        _ name: String, firstFrame: @escaping @Sendable (String) -> [UInt8]?
    ) -> (type: String, read: @Sendable () -> [UInt8]?)? {
        guard let path = path(name) else { return nil }
        guard let type = Self.pictures[Self.ending(name)] else { return ("image/jpeg", { firstFrame(path) }) }
        let isOutside = others.contains(path)
        return (
            type, { GuardedFile.bytes(path, maximum: Self.maximumPicture, followsLinks: isOutside) }
        )
    }

    /// Deletes a file of the folder.
    func remove(_ name: String) throws(ToolError) {
        guard let path = path(name), !others.contains(path), unlink(path.fileName) == 0 else {
            throw ToolError(.input, "\(name) cannot be deleted here.")
        }
    }

    /// Begins the upload of a file.
    ///
    /// - Parameter size: number of bytes of the file.
    func upload(_ wish: String, size: Int) throws(ToolError) -> Upload {
        let name = Self.safe(wish)
        guard Self.isOffered(name) else {
            throw ToolError(.usage, "Pictures and clips only: JPEG, PNG, MP4 and the like.")
        }
        guard paths.count < Self.maximumFiles else {
            throw ToolError(.input, "There are \(Self.maximumFiles) files already.")
        }
        guard self.path(name) == nil else { throw Upload.exists(name) }
        guard g_mkdir_with_parents(folder.fileName, 0o700) == 0 else { throw FileSystem.unwritable(folder) }
        return try Upload(name, into: folder, size: size)
    }

    // MARK: - Names

    private static func ending(_ name: String) -> String {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    private static func isOffered(_ name: String) -> Bool {
        !name.hasPrefix(".") && (pictures[ending(name)] != nil || clips.contains(ending(name)))
    }

    /// Returns the last part of a name, with harmless characters only.
    private static func safe(_ name: String) -> String {
        let last = name.split(separator: "/").last ?? ""
        let letters = last.unicodeScalars.suffix(80).map { scalar in
            scalar.properties.isAlphabetic || "0"..."9" ~= scalar || ".-_ ".unicodeScalars.contains(scalar)
                ? Character(scalar) : "_"
        }
        return String(String(letters).drop { $0 == "." || $0 == " " })
    }
}

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
