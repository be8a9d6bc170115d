import CGStreamer
import FileNames
import Files
import Glibc

/// Access to files and folders, by GLib.
package enum FileSystem {
    /// Whether a file or folder exists.
    package static func exists(_ path: String) -> Bool {
        g_file_test(path.fileName, people_file_test_exists) != 0
    }

    package static func isDirectory(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

    package static func isPlainFile(_ path: String) -> Bool { kind(of: path) == S_IFREG }

    /// Returns the kind of file behind a path, such as `S_IFDIR`; nil if there is none.
    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path.fileName, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Returns the names of a folder's entries; none if it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let entries = g_dir_open(folder.fileName, 0, nil) else { return [] }
        defer { g_dir_close(entries) }
        var names: [String] = []
        while let entry = g_dir_read_name(entries) { names.append(String(fileName: entry)) }
        return names
    }

    /// Makes a folder and its missing parents; does nothing if it exists.
    package static func makeFolder(_ path: String) throws(ToolError) {
        guard g_mkdir_with_parents(path.fileName, 0o777) == 0 else {
            let reason = String(cString: strerror(errno))
            throw ToolError(.output, "The folder \(path) cannot be created: \(reason).")
        }
    }

    /// Returns the error for a path that cannot be written, with the reason in `errno`.
    package static func unwritable(_ path: String) -> ToolError {
        ToolError(.output, "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }

    /// Returns a path in the same folder whose name ends with `ending`.
    ///
    /// File names have 255 bytes at most; the end of a longer name is replaced by a hash.
    package static func path(beside path: String, ending: String) -> String {
        let longest = 255
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = String(path[slash...]).fileNameBytes
        guard name.count + ending.utf8.count > longest else { return path + ending }
        let hash = name.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let mark = "~" + String(hash, radix: 36) + ending
        let start = name.prefix(longest - mark.utf8.count)
        return String(path[..<slash]) + String(fileName: start) + mark
    }

    /// Returns the first bytes of a file; fewer when it is shorter.
    package static func start(of path: String, count: Int) -> [UInt8] {
        let descriptor = open(path.fileName, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let length = bytes.withUnsafeMutableBytes { Descriptor.read(into: $0, from: descriptor) }
        return Array(bytes.prefix(max(0, length)))
    }

    /// Returns a whole file as a text; nil when it cannot be read.
    package static func text(of path: String) -> String? {
        var text: UnsafeMutablePointer<gchar>?
        guard g_file_get_contents(path.fileName, &text, nil, nil) != 0 else { return nil }
        return text.map(copyAndFree)
    }

    /// Writes a file atomically.
    ///
    /// - Returns: false on failure; `errno` has the reason.
    package static func write(_ text: String, to path: String) -> Bool {
        g_file_set_contents(path.fileName, text, -1, nil) != 0
    }

    /// The path of this program.
    package static var program: String? { target(of: "/proc/self/exe") }

    /// Returns the path that a link points to; nil for what is no link, or belongs to another user.
    package static func target(of path: String) -> String? {
        g_file_read_link(path.fileName, nil).map(copyAndFreeName)
    }

    /// The folder in which programs store the user's data.
    package static var userData: String { g_get_user_data_dir().map { String(fileName: $0) } ?? "." }

    /// The folder in which programs store the user's settings.
    package static var userConfiguration: String {
        g_get_user_config_dir().map { String(fileName: $0) } ?? "."
    }

    /// Returns the absolute path of a path.
    package static func absolute(_ path: String) -> String {
        g_canonicalize_filename(path.fileName, nil).map(copyAndFreeName) ?? path
    }

    /// Returns a text quoted as one word for a shell.
    package static func shellWord(_ text: String) -> String { g_shell_quote(text).map(copyAndFree) ?? text }

    /// Whether a text is one word for a shell without quotes.
    package static func isPlainWord(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic && $0.isASCII || "0123456789-_=./,:".unicodeScalars.contains($0)
            }
    }

    /// Returns words as a line for a shell, each quoted if it has to be.
    package static func shellLine(_ words: [String]) -> String {
        words.map { isPlainWord($0) ? $0 : shellWord($0) }.joined(separator: " ")
    }

    /// Returns a Swift copy of a C file name, which is freed.
    private static func copyAndFreeName(_ name: UnsafeMutablePointer<gchar>) -> String {
        defer { g_free(name) }
        return String(fileName: name)
    }

    /// Returns a Swift copy of a C text, which is freed.
    private static func copyAndFree(_ text: UnsafeMutablePointer<gchar>) -> String {
        defer { g_free(text) }
        return String(cString: text)
    }
}
