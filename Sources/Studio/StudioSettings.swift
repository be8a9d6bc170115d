import CGStreamer
package import CommandKit
import GStreamerKit
import Glibc

/// Values of settings as texts, in the order in which they were first set; the others have their defaults.
package struct StudioSettings: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package let key: SettingKey
        package internal(set) var text: String
    }

    package private(set) var entries: [Entry] = []

    package init() {}

    package subscript(key: SettingKey) -> String? {
        get { entries.first { $0.key == key }?.text }
        set {
            let index = entries.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let text?): entries[index].text = text
            case (let index?, nil): entries.remove(at: index)
            case (nil, let text?): entries.append(Entry(key: key, text: text))
            case (nil, nil): break
            }
        }
    }

    package var isMirrored: Bool { self[.mirror] == "true" }
}

// MARK: - Presets

/// Settings that were saved under a name: a key file in the user's configuration folder.
package enum Preset {
    private static let maximumName = 64
    private static let maximumFile = 64 << 10

    /// Letters, digits, spaces, dots, dashes and underscores.
    private static func check(_ name: String) throws(ToolError) {
        let isFit = name.utf8.allSatisfy { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", " ", ".", "-", "_": true
            default: false
            }
        }
        guard isFit, let first = name.first, first != ".", first != " ", name.utf8.count <= maximumName else {
            throw .usage(
                "the name of a preset has up to \(maximumName) letters, digits, spaces and -._, not \(name)")
        }
    }

    private static var folder: String {
        (g_get_user_config_dir().map { String(cString: $0) } ?? ".config") + "/gst-people/presets"
    }

    private static func path(_ name: String) -> String { "\(folder)/\(name).ini" }

    /// The names of all, sorted.
    package static var names: [String] {
        guard let entries = g_dir_open(folder, 0, nil) else { return [] }
        defer { g_dir_close(entries) }
        var names: [String] = []
        while let entry = g_dir_read_name(entries) {
            let name = String(cString: entry)
            if name.hasSuffix(".ini") { names.append(String(name.dropLast(4))) }
        }
        return names.sorted()
    }

    /// Writes a file that only the user reads.
    package static func save(_ settings: StudioSettings, as name: String) throws(ToolError) {
        try check(name)
        guard let file = g_key_file_new() else { throw ToolError(.failed, "no memory for a preset") }
        defer { g_key_file_unref(file) }
        for entry in settings.entries {
            g_key_file_set_string(file, entry.key.element, entry.key.property, entry.text)
        }
        guard g_mkdir_with_parents(folder, 0o700) == 0, let text = g_key_file_to_data(file, nil, nil) else {
            throw .unwritable(path(name))
        }
        guard g_file_set_contents_full(path(name), taken(text), -1, people_file_consistent, 0o600, nil) != 0
        else {
            throw .unwritable(path(name))
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
        for element in strings(g_key_file_get_groups(file, nil)) {
            for property in strings(g_key_file_get_keys(file, element, nil, nil)) {
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

    private static func strings(_ list: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
        defer { g_strfreev(list) }
        var found: [String] = []
        var next = list
        while let name = next?.pointee {
            found.append(String(cString: name))
            next = next.map { $0 + 1 }
        }
        return found
    }
}

extension ToolError {
    fileprivate static func unwritable(_ path: String) -> ToolError {
        ToolError(.output, "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
