import CommandKit
import FileNames
import Glibc

/// A pattern of file names that no shell has expanded: `photos/*.png`.
struct NamePattern {
    private let pattern: String

    /// - Returns: nil for a name without wildcards, and for a file that has such a name.
    init?(_ name: String) {
        guard name.contains(where: { "*?[".contains($0) }), InputPlace(name) != .address,
            !FileSystem.exists(name)
        else { return nil }
        pattern = name
    }

    /// The files, in the order of their names.
    var files: [String] {
        get throws(ToolError) {
            var found = glob_t()
            defer { globfree(&found) }
            guard glob(pattern.fileName, 0, nil, &found) == 0, let paths = found.gl_pathv else {
                throw ToolError(.input, "There are no files \(pattern).")
            }
            return (0..<Int(found.gl_pathc)).compactMap { paths[$0].map { String(fileName: $0) } }
                .filter { !FileSystem.isDirectory($0) }
        }
    }
}
