import CGStreamer
import CommandKit
import FileNames
import GStreamerKit
import PeopleSettings

/// Small files of settings in the user's configuration folder: lines `property=value` below the name of a group.
enum KeyFile {
    /// Writes a file that only the user can read, and its folder.
    static func write(_ entries: [PresetText.Entry], to path: String) throws(ToolError) {
        guard let file = g_key_file_new() else { throw ToolError(.failed, "no memory for a preset") }
        defer { g_key_file_unref(file) }
        for entry in entries { g_key_file_set_string(file, entry.element, entry.property, entry.text) }
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard g_mkdir_with_parents(folder.fileName, 0o700) == 0,
            let text = g_key_file_to_data(file, nil, nil),
            g_file_set_contents_full(
                path.fileName, copyAndFree(text), -1, people_file_consistent, 0o600, nil) != 0
        else { throw FileSystem.unwritable(path) }
    }

    /// Returns the values of a file; nil for one that cannot be read.
    static func read(_ path: String) -> [PresetText.Entry]? {
        let bytes = GuardedFile.bytes(path, maximum: PresetText.maximumBytes, followsLinks: false)
        let text = bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.isEmpty ? nil : PresetText.entries(of: text)
    }
}
