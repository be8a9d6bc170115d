import CGStreamer
package import CommandKit
import FileNames
import GStreamerKit
import Glibc
package import Imaging
import JSON
import PeopleSettings

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

    /// Whether the picture follows the people.
    package var follows: Bool { self[.follow] == "true" }

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
    package var roomFault: String? { HiddenRoom.fault { self[SettingKey($0, $1)] } }

    /// Sets a value in GStreamer's own spelling, since a value has many.
    ///
    /// - Returns: false for a value that the property does not accept.
    package mutating func read(_ key: SettingKey, _ text: String) -> Bool {
        guard let value = key.value(text) else { return false }
        self[key] = value
        return true
    }
}

extension StudioSettings {
    /// The settings that say which picture is behind the people, and how much of it is seen.
    static let backgroundKeys = [SettingKey.background, .backgroundSource, .blur]

    /// Blurs the room if the picture or clip behind the people is not there any more.
    ///
    /// - Returns: whether it was replaced.
    mutating func replaceMissingBackground() -> Bool {
        guard let path = self[.background], !path.isEmpty, !FileSystem.exists(path), !GStreamer.isURI(path)
        else { return false }
        let isShown = kind == "picture"
        self[.background] = ""
        if isShown {
            self[.backgroundSource] = "original"
            self[.blur] = "\(max(Backdrop.minimumBlur, backdrop.blur))"
        }
        return true
    }
}

extension SettingKey {
    /// Whether presets may have the setting.
    fileprivate var isOfPresets: Bool { PresetText.allows(element, property) }

    /// Returns GStreamer's spelling of a value; nil for one that the property does not accept.
    fileprivate func value(_ text: String) -> String? {
        if isOfCamera { return ["true", "false"].contains(text) ? text : nil }
        return GStreamer.PropertyDescription(property, of: element)?.written(text)
    }
}

// MARK: - Presets

/// Settings that are saved under a name, as a key file in the user's configuration folder.
package enum Preset {
    /// Maximum bytes of a name; file names have 255, with the ending.
    private static let maximumName = 240

    /// Characters of names that nobody sees.
    private static let unseen: Set<Unicode.GeneralCategory> = [
        .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
    ]

    /// Checks that a name is fit for a file.
    private static func check(_ name: String) throws(ToolError) {
        let isFit = name.unicodeScalars.allSatisfy { scalar in
            scalar != "/" && !unseen.contains(scalar.properties.generalCategory)
        }
        guard isFit, let first = name.first, first != ".", first != " ", name.utf8.count <= maximumName else {
            throw .usage(
                "A preset cannot have this name: it is too long, has a slash or invisible signs, or begins with a dot."
            )
        }
    }

    private static var folder: String { FileSystem.userConfiguration + "/gst-people/presets" }

    private static func path(_ name: String) -> String { "\(folder)/\(name).ini" }

    /// The names of all presets, sorted.
    package static var names: [String] {
        FileSystem.names(in: folder).filter { file in
            file.hasSuffix(".ini")
                && GuardedFile.isFit(
                    "\(folder)/\(file)", maximum: PresetText.maximumBytes, followsLinks: false)
        }.map { String($0.dropLast(4)) }.sorted()
    }

    static var json: JSON { .array(names.map { .string($0) }) }

    /// Writes a preset to a file that only the user can read.
    package static func save(_ settings: StudioSettings, as name: String) throws(ToolError) {
        try check(name)
        try KeyFile.write(entries(of: settings), to: path(name))
    }

    private static func entries(of settings: StudioSettings) -> [PresetText.Entry] {
        settings.entries.filter(\.key.isOfPresets).map { key, text in
            PresetText.Entry(element: key.element, property: key.property, text: text)
        }
    }

    /// Returns the settings as the text of a preset; those that presets cannot have are left out.
    package static func text(_ settings: StudioSettings) -> String {
        KeyFile.text(entries(of: settings)) ?? ""
    }

    /// Reads a preset; all its values are in their properties' ranges.
    package static func load(_ name: String) throws(ToolError) -> StudioSettings {
        try check(name)
        GStreamer.initialize()
        guard let entries = KeyFile.read(path(name)) else {
            let others = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw ToolError(.input, "there is no preset \(name). Presets here: \(others).")
        }
        return try settings(entries, of: "preset \(name)")
    }

    /// Reads the text of a preset; all its values are in their properties' ranges.
    package static func settings(of text: String) throws(ToolError) -> StudioSettings {
        guard text.utf8.count <= PresetText.maximumBytes, let entries = PresetText.entries(of: text) else {
            throw ToolError(.input, "these settings are not the text of a preset.")
        }
        return try settings(entries, of: "settings")
    }

    /// - Parameter origin: the words with which messages begin.
    private static func settings(
        _ entries: [PresetText.Entry], of origin: String
    ) throws(ToolError) -> StudioSettings {
        var settings = StudioSettings()
        for entry in entries {
            let (key, value) = (SettingKey(entry.element, entry.property), entry.text)
            guard key.isOfPresets else {
                throw ToolError(.input, "\(origin): a preset cannot set \(key). Remove this line.")
            }
            guard key != .background || !GStreamer.isURI(value) || FileSystem.exists(value) else {
                throw ToolError(
                    .input,
                    "\(origin): \(value) is no file of this machine. Write the path of a file.")
            }
            guard settings.read(key, value) else {
                throw ToolError(.input, "\(origin): \(key) does not take \(value).")
            }
        }
        let background = settings[.background] ?? ""
        if settings.replaceMissingBackground() {
            printDiagnostic(
                "\(origin): \(background) is not there any more; the room is blurred instead")
        }
        return settings
    }

    package static func remove(_ name: String) throws(ToolError) {
        try check(name)
        guard unlink(path(name).fileName) == 0 else { throw ToolError(.input, "there is no preset \(name).") }
    }
}

/// Small files of settings in the user's configuration folder: lines `property=value` below the name of a group.
enum KeyFile {
    /// Writes a file that only the user can read, and its folder.
    static func write(_ entries: [PresetText.Entry], to path: String) throws(ToolError) {
        guard let text = text(entries) else { throw ToolError(.failed, "no memory for a preset") }
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard g_mkdir_with_parents(folder.fileName, 0o700) == 0,
            g_file_set_contents_full(path.fileName, text, -1, people_file_consistent, 0o600, nil) != 0
        else { throw FileSystem.unwritable(path) }
    }

    /// Returns the text of a file; nil without memory.
    static func text(_ entries: [PresetText.Entry]) -> String? {
        guard let file = g_key_file_new() else { return nil }
        defer { g_key_file_unref(file) }
        for entry in entries { g_key_file_set_string(file, entry.element, entry.property, entry.text) }
        return g_key_file_to_data(file, nil, nil).map(copyAndFree)
    }

    /// Returns the values of a file; nil for one that cannot be read.
    static func read(_ path: String) -> [PresetText.Entry]? {
        let bytes = GuardedFile.bytes(path, maximum: PresetText.maximumBytes, followsLinks: false)
        let text = bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.isEmpty ? nil : PresetText.entries(of: text)
    }
}

/// The camera and the preset that were used last, in a file of the user's.
package struct LastUsed: Equatable {
    /// The camera, as `--camera` calls it; nil if none was ever chosen.
    package var camera: String?
    /// The name of the preset; nil if none was ever used.
    package var preset: String?

    private static let (group, camera, preset) = ("last", "camera", "preset")
    private static var path: String { FileSystem.userConfiguration + "/gst-people/last.ini" }

    /// Reads what was used last.
    package init() {
        for entry in KeyFile.read(Self.path) ?? [] where entry.element == Self.group && !entry.text.isEmpty {
            if entry.property == Self.camera { camera = entry.text }
            if entry.property == Self.preset { preset = entry.text }
        }
    }

    /// Remembers a camera and a preset; what is nil stays as it was.
    ///
    /// A folder that cannot be written, as that of a service, is no fault: nothing is remembered then.
    package static func note(camera: String? = nil, preset: String? = nil) {
        let before = LastUsed()
        var last = before
        if let camera { last.camera = camera }
        if let preset { last.preset = preset }
        guard last != before else { return }
        let entries = [(Self.camera, last.camera), (Self.preset, last.preset)].compactMap { name, text in
            text.map { PresetText.Entry(element: group, property: name, text: $0) }
        }
        do throws(ToolError) { try KeyFile.write(entries, to: path) } catch {}
    }
}
