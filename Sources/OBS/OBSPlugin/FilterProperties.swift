import COBS
import Properties

/// The filter's settings as OBS shows and stores them.
enum FilterProperties {
    /// Sets the defaults of a new filter.
    static func setDefaults(in data: OpaquePointer?) {
        for property in FilterLayout.properties { property.setDefault(in: data) }
    }

    /// Returns the settings' controls.
    ///
    /// - Parameter status: the reason why frames are covered, which comes first.
    static func make(_ status: String?) -> OpaquePointer? {
        let all = obs_properties_create()
        if let status {
            let line = obs_properties_add_text(all, "status", status, OBS_TEXT_INFO)
            obs_property_text_set_info_type(line, OBS_TEXT_INFO_WARNING)
        }
        addPresets(to: all)
        for group in FilterLayout.groups {
            let controls = obs_properties_create()
            for property in group.properties { property.add(to: controls) }
            obs_properties_add_group(all, "group-" + group.name, group.name, OBS_GROUP_NORMAL, controls)
        }
        return all
    }

    /// Adds the choice of a preset of the studio, if there is one; it sets the other settings once.
    private static func addPresets(to controls: OpaquePointer?) {
        let names = StudioPreset.names
        guard !names.isEmpty else { return }
        let list = obs_properties_add_list(
            controls, StudioPreset.setting, "Preset of the studio", OBS_COMBO_TYPE_LIST,
            OBS_COMBO_FORMAT_STRING)
        obs_property_list_add_string(list, "Choose", "")
        for name in names { obs_property_list_add_string(list, name, name) }
        obs_property_set_modified_callback(list) { _, _, data in
            let name = obs_data_get_string(data, StudioPreset.setting).map { String(cString: $0) } ?? ""
            guard !name.isEmpty else { return false }
            // Later changes of single settings stay.
            obs_data_set_string(data, StudioPreset.setting, "")
            return StudioPreset(name)?.apply(to: data) ?? false
        }
    }
}

extension Property<FilterSettings> {
    fileprivate func setDefault(in data: OpaquePointer?) {
        switch initial {
        case .int(let value): obs_data_set_default_int(data, name, Int64(value))
        case .int64(let value): obs_data_set_default_int(data, name, value)
        case .double(let value): obs_data_set_default_double(data, name, value)
        case .color(let value): obs_data_set_default_int(data, name, Int64(exchangingRedAndBlue(value)))
        case .bool(let value): obs_data_set_default_bool(data, name, value)
        case .text(let value): obs_data_set_default_string(data, name, value ?? "")
        case .choice(let index): obs_data_set_default_string(data, name, facts.word(at: index))
        }
    }

    fileprivate func add(to controls: OpaquePointer?) {
        obs_property_set_long_description(control(in: controls, facts.control?.label ?? name), description)
    }

    private func control(in controls: OpaquePointer?, _ label: String) -> OpaquePointer? {
        switch kind {
        case .int(let range):
            obs_properties_add_int(controls, name, label, range.lowerBound, range.upperBound, 1)
        case .int64:
            obs_properties_add_int(controls, name, label, .min, .max, 1)
        case .double(let range):
            obs_properties_add_float_slider(
                controls, name, label, range.lowerBound, range.upperBound,
                // Two hundred steps; whole ones would be too coarse for shares.
                (range.upperBound - range.lowerBound) / 200)
        case .color: obs_properties_add_color(controls, name, label)
        case .bool: obs_properties_add_bool(controls, name, label)
        // Models have names as well, which the dialog could not choose.
        case .text(.file) where name == "background":
            obs_properties_add_path(
                controls, name, label, OBS_PATH_FILE, FilterLayout.fileFilter, nil)
        case .text: obs_properties_add_text(controls, name, label, OBS_TEXT_DEFAULT)
        case .choice: list(in: controls, label)
        }
    }

    private func list(in controls: OpaquePointer?, _ label: String) -> OpaquePointer? {
        let list = obs_properties_add_list(
            controls, name, label, OBS_COMBO_TYPE_LIST, OBS_COMBO_FORMAT_STRING)
        for word in facts.words(for: .obs) { obs_property_list_add_string(list, word.label, word.word) }
        return list
    }

    /// The text that OBS shows beside the control: the elements' descriptions, without versions of elements.
    private var description: String {
        var text = blurb
        if let end = blurb.firstRange(of: " (Since: ") { text = String(blurb[..<end.lowerBound]) }
        for word in facts.words(for: .obs) { text += "\n\(word.label): \(word.blurb)" }
        return text
    }
}
