import CGStreamer
package import CommandKit
import FileNames
import GStreamerKit
import Glibc
package import Imaging
import JSON

/// Values of settings as texts, in the order in which they were first set; the other settings have their
/// defaults.
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

    package var isMirrored: Bool { self[.mirror] == "true" }

    /// The background behind the people.
    package var backdrop: Backdrop { Backdrop { self[SettingKey("blendmask", $0)] } }

    /// The page's name of the background.
    var kind: String {
        switch backdrop.resolved {
        case .original: backdrop.blur > 0 ? "blur" : "none"
        case .picture where backdrop.hasPicture, .clip where backdrop.hasPicture: "picture"
        case .auto, .picture, .clip, .color, .transparent, .pose: "color"
        }
    }

    /// The reason why the room is visible, as a phrase; nil while it is hidden.
    var roomFault: String? { HiddenRoom.fault { self[SettingKey($0, $1)] } }

    /// Sets a value in GStreamer's own spelling, since a value has many.
    ///
    /// - Returns: false for a value that the property does not accept.
    package mutating func read(_ key: SettingKey, _ text: String) -> Bool {
        guard let value = key.value(text) else { return false }
        self[key] = value
        return true
    }
}

extension SettingKey {
    /// Returns GStreamer's spelling of a value; nil for one that the property does not accept.
    fileprivate func value(_ text: String) -> String? {
        if self == .mirror { return ["true", "false"].contains(text) ? text : nil }
        return GStreamer.PropertyDescription(property, of: element)?.written(text)
    }
}

// MARK: - Presets

/// Settings that are saved under a name, as a key file in the user's configuration folder.
package enum Preset {
    private static let maximumName = 64
    private static let maximumFile = 64 << 10

    /// Checks that a name has only letters, digits, spaces, dots, dashes and underscores.
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

    /// The names of all presets, sorted.
    package static var names: [String] {
        FileSystem.names(in: folder).filter { file in
            file.hasSuffix(".ini")
                && GuardedFile.isFit("\(folder)/\(file)", maximum: maximumFile, followsLinks: false)
        }.map { String($0.dropLast(4)) }.sorted()
    }

    static var json: JSON { .array(names.map { .string($0) }) }

    /// Writes a preset to a file that only the user can read.
    package static func save(_ settings: StudioSettings, as name: String) throws(ToolError) {
        try check(name)
        guard let file = g_key_file_new() else { throw ToolError(.failed, "no memory for a preset") }
        defer { g_key_file_unref(file) }
        for entry in settings.entries {
            g_key_file_set_string(file, entry.key.element, entry.key.property, entry.text)
        }
        guard g_mkdir_with_parents(folder.fileName, 0o700) == 0, let text = g_key_file_to_data(file, nil, nil)
        else {
            throw FileSystem.unwritable(path(name))
        }
        guard
            g_file_set_contents_full(
                path(name).fileName, copyAndFree(text), -1, people_file_consistent, 0o600, nil) != 0
        else {
            throw FileSystem.unwritable(path(name))
        }
    }

    /// Reads a preset; all its values are in their properties' ranges.
    package static func load(_ name: String) throws(ToolError) -> StudioSettings {
        try check(name)
        GStreamer.initialize()
        guard let file = g_key_file_new() else { throw ToolError(.failed, "no memory for a preset") }
        defer { g_key_file_unref(file) }
        let bytes = GuardedFile.bytes(path(name), maximum: maximumFile, followsLinks: false)
        let text = bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard !text.isEmpty,
            g_key_file_load_from_data(file, text, gsize(text.utf8.count), people_key_file_plain, nil) != 0
        else {
            let others = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw ToolError(.input, "there is no preset \(name). Presets here: \(others).")
        }
        var settings = StudioSettings()
        for element in copyAndFree(g_key_file_get_groups(file, nil)) {
            for property in copyAndFree(g_key_file_get_keys(file, element, nil, nil)) {
                guard let found = g_key_file_get_string(file, element, property, nil) else { continue }
                let (key, value) = (SettingKey(element, property), copyAndFree(found))
                guard settings.read(key, value) else {
                    throw ToolError(.input, "preset \(name): \(key) does not take \(value).")
                }
            }
        }
        return settings
    }

    package static func remove(_ name: String) throws(ToolError) {
        try check(name)
        guard unlink(path(name).fileName) == 0 else { throw ToolError(.input, "there is no preset \(name).") }
    }
}
