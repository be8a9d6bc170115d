import CGStreamer
import CommandKit
import GStreamerKit
import Glibc
package import JSON

/// The pictures and clips that the page offers: those of one folder, and those that options and presets name.
package struct Backgrounds {
    private let folder: String
    /// Paths of files elsewhere.
    private var others: [String]

    /// Bytes.
    static let maximumUpload = 32 << 20
    private static let maximumFiles = 100

    private static let pictures = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp",
    ]
    private static let clips: Set<String> = ["mp4", "mov", "mkv", "webm", "gif"]

    /// - Parameters:
    ///   - folder: made with the first upload; the user's own unless given.
    ///   - first: the path of another file to offer.
    package init(folder: String?, first: String?) {
        self.folder = folder ?? FileSystem.userData + "/gst-people/backgrounds"
        others = [first].compactMap { $0 }
    }

    /// Offers another file.
    mutating func offer(_ path: String) { if name(ofPath: path) == nil { others.append(path) } }

    private var paths: [(name: String, path: String)] {
        let outside = others.compactMap { path in
            path.split(separator: "/").last.map { (name: String($0), path: path) }
        }
        let inside = FileSystem.names(in: folder).sorted().filter { name in
            Self.isOffered(name) && !outside.contains { $0.name == name }
        }
        return outside + inside.map { ($0, "\(folder)/\($0)") }
    }

    /// The path of an offered file.
    package func path(_ name: String) -> String? { paths.first { $0.name == name }?.path }

    /// The name of a path among the offered ones.
    package func name(ofPath path: String) -> String? { paths.first { $0.path == path }?.name }

    package var json: JSON {
        .array(
            paths.map { entry in
                .object([
                    ("name", .string(entry.name)),
                    ("isClip", .bool(Self.pictures[Self.ending(entry.name)] == nil)),
                ])
            })
    }

    /// A picture's bytes for a browser; nil for clips.
    func picture(_ name: String) -> (type: String, bytes: [UInt8])? {
        guard let type = Self.pictures[Self.ending(name)], let path = path(name) else { return nil }
        var (text, length): (UnsafeMutablePointer<gchar>?, gsize) = (nil, 0)
        guard g_file_get_contents(path, &text, &length, nil) != 0, let text else { return nil }
        defer { g_free(text) }
        return (type, Array(UnsafeRawBufferPointer(start: text, count: Int(clamping: length))))
    }

    /// Adds a file that `blendmask` can read.
    ///
    /// - Returns: its name.
    func add(_ bytes: [UInt8], as wish: String) throws(ToolError) -> String {
        let name = Self.safe(wish)
        guard Self.isOffered(name) else {
            throw ToolError(.input, "Pictures and clips only: JPEG, PNG, MP4 and the like.")
        }
        guard paths.count < Self.maximumFiles else {
            throw ToolError(.input, "There are \(Self.maximumFiles) files already.")
        }
        guard self.path(name) == nil else { throw ToolError(.input, "There is a \(name) already.") }
        guard g_mkdir_with_parents(folder, 0o700) == 0 else { throw unwritable }
        // What is hidden is not offered.
        let draft = "\(folder)/.\(name)"
        defer { unlink(draft) }
        let isWritten = bytes.withUnsafeBytes { bytes in
            g_file_set_contents(draft, bytes.bindMemory(to: gchar.self).baseAddress, gssize(bytes.count), nil)
                != 0
        }
        guard isWritten else { throw unwritable }
        do throws(ElementError) { _ = try StillPicture.load(draft) } catch {
            throw ToolError(.input, "This cannot be read as a picture or clip.")
        }
        guard rename(draft, "\(folder)/\(name)") == 0 else { throw unwritable }
        return name
    }

    private var unwritable: ToolError { FileSystem.unwritable(folder) }

    // MARK: - Names

    private static func ending(_ name: String) -> String {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    private static func isOffered(_ name: String) -> Bool {
        !name.hasPrefix(".") && (pictures[ending(name)] != nil || clips.contains(ending(name)))
    }

    /// A name of harmless characters.
    private static func safe(_ name: String) -> String {
        let last = name.split(separator: "/").last ?? ""
        let letters = last.unicodeScalars.suffix(80).map { scalar in
            scalar.properties.isAlphabetic || "0"..."9" ~= scalar || ".-_ ".unicodeScalars.contains(scalar)
                ? Character(scalar) : "_"
        }
        return String(String(letters).drop { $0 == "." || $0 == " " })
    }
}
