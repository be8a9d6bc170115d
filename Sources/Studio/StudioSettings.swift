import CGStreamer
package import CommandKit
import GStreamerKit
import Glibc
import JSON

/// Values of settings as texts, in the order in which they were first set; the others have their defaults.
package struct StudioSettings: Sendable {
    package private(set) var entries: [(key: SettingKey, text: String)] = []

    package init() {}

    package subscript(key: SettingKey) -> String? {
        get { entries.first { $0.key == key }?.text }
        set {
            let index = entries.firstIndex { $0.key == key } ?? entries.count
            entries.replaceSubrange(
                index..<min(index + 1, entries.count), with: newValue.map { [(key, $0)] } ?? [])
        }
    }

    func with(_ change: (key: SettingKey, text: String)) -> StudioSettings {
        var settings = self
        settings[change.key] = change.text
        return settings
    }

    package var isMirrored: Bool { self[.mirror] == "true" }

    /// Whether what is behind the people is to be seen sharp.
    var showsRoom: Bool {
        let number = { Double(self[SettingKey("blendmask", $0)] ?? "") ?? 0 }
        if self[.invert] == "true" { return true }
        guard number("blur") == 0 else { return false }
        switch self[.backgroundSource] ?? "auto" {
        case "original": return true
        // An effect without a picture is one on the room.
        case "auto":
            return (self[.background] ?? "").isEmpty
                && ["exposure", "desaturate"].contains { number($0) != 0 }
        default: return false
        }
    }
}

// MARK: - Presets

/// Settings that were saved under a name: a key file in the user's configuration folder.
package enum Preset {
    private static let maximumName = 64
    private static let maximumFile = 64 << 10

    /// Letters, digits, spaces, dots, dashes and underscores.
    private static func check(_ name: String) throws(ToolError) {
        let isFit = name.unicodeScalars.allSatisfy {
            "a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0 || " .-_".unicodeScalars.contains($0)
        }
        guard isFit, let first = name.first, first != ".", first != " ", name.utf8.count <= maximumName else {
            throw .usage(
                "the name of a preset has up to \(maximumName) letters, digits, spaces and -._, not \(name)")
        }
    }

    private static var folder: String { FileSystem.userConfiguration + "/gst-people/presets" }

    private static func path(_ name: String) -> String { "\(folder)/\(name).ini" }

    /// The names of all, sorted.
    package static var names: [String] {
        FileSystem.names(in: folder).filter { $0.hasSuffix(".ini") }.map { String($0.dropLast(4)) }.sorted()
    }

    static var json: JSON { .array(names.map { .string($0) }) }

    /// Writes a file that only the user reads.
    package static func save(_ settings: StudioSettings, as name: String) throws(ToolError) {
        try check(name)
        guard let file = g_key_file_new() else { throw ToolError(.failed, "no memory for a preset") }
        defer { g_key_file_unref(file) }
        for entry in settings.entries {
            g_key_file_set_string(file, entry.key.element, entry.key.property, entry.text)
        }
        guard g_mkdir_with_parents(folder, 0o700) == 0, let text = g_key_file_to_data(file, nil, nil) else {
            throw FileSystem.unwritable(path(name))
        }
        guard g_file_set_contents_full(path(name), taken(text), -1, people_file_consistent, 0o600, nil) != 0
        else {
            throw FileSystem.unwritable(path(name))
        }
    }

    /// Reads a preset, whose values are in their properties' ranges.
    package static func load(_ name: String) throws(ToolError) -> StudioSettings {
        try check(name)
        GStreamer.initialize()
        guard let file = g_key_file_new() else { throw ToolError(.failed, "no memory for a preset") }
        defer { g_key_file_unref(file) }
        var status = stat()
        guard stat(path(name), &status) == 0, status.st_size <= maximumFile,
            g_key_file_load_from_file(file, path(name), people_key_file_plain, nil) != 0
        else {
            let others = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw ToolError(.input, "there is no preset \(name). Presets here: \(others).")
        }
        var settings = StudioSettings()
        for element in taken(g_key_file_get_groups(file, nil)) {
            for property in taken(g_key_file_get_keys(file, element, nil, nil)) {
                guard let value = g_key_file_get_string(file, element, property, nil) else { continue }
                let (key, text) = (SettingKey(element, property), taken(value))
                guard accepts(key, text) else {
                    throw ToolError(.input, "preset \(name): \(key) does not take \(text).")
                }
                settings[key] = text
            }
        }
        return settings
    }

    package static func remove(_ name: String) throws(ToolError) {
        try check(name)
        guard unlink(path(name)) == 0 else { throw ToolError(.input, "there is no preset \(name).") }
    }

    private static func accepts(_ key: SettingKey, _ text: String) -> Bool {
        if key == .mirror { return ["true", "false"].contains(text) }
        guard let property = GStreamer.PropertyDescription(key.property, of: key.element) else {
            return false
        }
        if case .text = property.kind { return true }
        return property.accepts(text)
    }

}
