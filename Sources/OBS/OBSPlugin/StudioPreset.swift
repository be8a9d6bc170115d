import COBS
import PeopleSettings
import Properties

/// Settings that `gst-people studio` has saved under a name, as a file of lines `property=value` below each
/// element's name.
struct StudioPreset {
    /// The name of the choice in the filter's settings.
    static let setting = "preset"

    private static let ending = ".ini"
    /// The names above the properties that the filter has.
    private static let elements = ["blendmask", "personsegment", "autoframe", "camera"]

    /// The names of all presets, sorted.
    static var names: [String] {
        guard let folder = os_get_config_path_ptr("gst-people/presets") else { return [] }
        defer { bfree(folder) }
        guard let listing = os_opendir(folder) else { return [] }
        defer { os_closedir(listing) }
        var names: [String] = []
        while let entry = os_readdir(listing) {
            let file = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !entry.pointee.directory, file.hasSuffix(ending) {
                names.append(String(file.dropLast(ending.count)))
            }
        }
        return names.sorted()
    }

    private let name: String

    /// Makes the preset of a name; nil if there is none.
    init?(_ name: String) {
        guard Self.names.contains(name) else { return nil }
        self.name = name
    }

    /// Sets all of a filter's settings to the preset's, and those that it does not have to the elements' defaults.
    ///
    /// - Returns: false if the file cannot be read, shows the room, or hides heads, which the filter cannot: nothing is
    ///   then set.
    func apply(to data: OpaquePointer?) -> Bool {
        guard let entries = entries else { return false }
        func text(_ element: String, _ property: String) -> String? {
            entries.first { $0.element == element && $0.property == property }?.text
        }
        if let fault = Self.fault(of: entries) ?? HiddenRoom.fault(text) {
            Log.warn("The preset \(name) is not used: \(fault).", of: nil)
            return false
        }
        var plain = FilterSettings()
        plain.blend = BlendSettings()
        for property in FilterLayout.properties {
            // The former name of `instance-masks`, which follows from the chosen people.
            let elements = property.name == "instances" ? ["blendmask"] : Self.elements
            let found = elements.lazy.compactMap { text($0, property.name) }.first
            let value = found.flatMap { property.value(of: $0) }
            property.store(value ?? property.read(plain), in: data)
        }
        return true
    }

    /// The values in the file; nil if it cannot be read.
    private var entries: [PresetText.Entry]? {
        guard let path = os_get_config_path_ptr("gst-people/presets/" + name + Self.ending) else {
            return nil
        }
        defer { bfree(path) }
        guard let bytes = os_quick_read_utf8_file(path) else { return nil }
        defer { bfree(bytes) }
        let text = String(cString: bytes)
        return text.utf8.count > PresetText.maximumBytes ? nil : PresetText.entries(of: text)
    }

    /// Returns the reason why the filter does not use a preset, as a phrase; nil for one that it uses.
    private static func fault(of entries: [PresetText.Entry]) -> String? {
        if let heads = entries.first(where: { $0.property == "heads" }), heads.text != "keep" {
            return "the filter cannot hide heads"
        }
        return entries.first { !PresetText.allows($0.element, $0.property) }
            .map { "a preset cannot set \($0.property)" }
    }
}

extension Property<FilterSettings> {
    /// Returns the value that GStreamer spells as `text`; nil for one that the filter does not offer.
    fileprivate func value(of text: String) -> PropertyValue? {
        if case .choice = kind, !facts.words(for: .obs).contains(where: { $0.word == text }) { return nil }
        return kind.value(of: text)
    }

    /// Stores a value in OBS's data.
    fileprivate func store(_ value: PropertyValue, in data: OpaquePointer?) {
        switch value {
        case .int(let value): obs_data_set_int(data, name, Int64(value))
        case .int64(let value): obs_data_set_int(data, name, value)
        case .double(let value): obs_data_set_double(data, name, value)
        case .color(let value): obs_data_set_int(data, name, Int64(exchangingRedAndBlue(value)))
        case .bool(let value): obs_data_set_bool(data, name, value)
        case .text(let value): obs_data_set_string(data, name, value ?? "")
        case .choice(let index): obs_data_set_string(data, name, facts.word(at: index))
        }
    }
}
