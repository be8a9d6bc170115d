import COBS
import Imaging
import PeopleSettings
import PeopleVision
import Properties
import Synchronization

/// The settings of the filter: those of `personsegment`, `blendmask` and `autoframe`, under the same names.
///
/// `instances` is `blendmask`'s, the people to show; whether each person has a mask follows from it.
struct FilterSettings: ElementSettings, Equatable {
    var segment = PersonSegmentSettings()
    var blend = BlendSettings()
    /// Whether the picture follows the people.
    var follows = false
    var framing = FramingSettings()

    init() {
        segment.segmentation.qualityLevel = .fast
        segment.passesAtOnce = true
        // The scene behind the source is the background.
        blend.source = .transparent
    }

    static var properties: [Property<FilterSettings>] {
        PersonSegmentSettings.properties.filter { $0.replacement == nil && $0.name != "instance-masks" }
            .map { $0.lifted(to: \.segment) }
            + BlendSettings.properties.map { $0.lifted(to: \.blend) }
            + [follow] + FramingSettings.properties.map { $0.lifted(to: \.framing) }
    }

    private static var follow: Property<FilterSettings> {
        .bool("follow", "Crops the picture to the people, and follows them", \.follows)
            .control("Follow me", in: .framing, at: 1)
    }

    /// Whether people are chosen, which needs a mask of each.
    var choosesPeople: Bool {
        [blend.instances, blend.instancesAt, blend.instancesExcept].contains { $0?.isEmpty == false }
    }
}

extension FilterSettings {
    /// Reads the settings that OBS stores for a filter.
    init(_ data: OpaquePointer?) {
        self.init()
        for property in FilterLayout.properties { property.write(&self, property.value(in: data)) }
        segment.separates = choosesPeople
        // Finer masks of each person take so long that most frames would be dropped.
        if choosesPeople { segment.segmentation.qualityLevel = .fast }
    }
}

extension Property {
    /// Returns the property's value in OBS's data, within its range.
    fileprivate func value(in data: OpaquePointer?) -> PropertyValue {
        switch kind {
        case .int(let range):
            let value = Int32(clamping: obs_data_get_int(data, name))
            return .int(min(max(value, range.lowerBound), range.upperBound))
        case .int64(let range):
            let value = Int64(obs_data_get_int(data, name))
            return .int64(min(max(value, range.lowerBound), range.upperBound))
        case .double(let range):
            let value = obs_data_get_double(data, name)
            return value.isNaN ? initial : .double(min(max(value, range.lowerBound), range.upperBound))
        case .color:
            return .color(exchangingRedAndBlue(UInt32(truncatingIfNeeded: obs_data_get_int(data, name))))
        case .bool: return .bool(obs_data_get_bool(data, name))
        case .text:
            let text = obs_data_get_string(data, name).map { String(cString: $0) } ?? ""
            return .text(text.isEmpty ? nil : text)
        case .choice(let words):
            let word = obs_data_get_string(data, name).map { String(cString: $0) }
            return words.words.firstIndex { $0.word == word }.map { .choice($0) } ?? initial
        }
    }
}

/// Returns a colour of a property, 0xAARRGGBB, as OBS stores it, 0xAABBGGRR, or the reverse.
func exchangingRedAndBlue(_ color: UInt32) -> UInt32 {
    color & 0xff00_ff00 | (color & 0xff) << 16 | (color >> 16) & 0xff
}

/// The filter's properties in OBS: the rows of the table of properties that it offers.
enum FilterLayout {
    /// The properties of each group.
    // Unsafe: key paths are constant, and say so only in newer versions of Swift.
    nonisolated(unsafe) static let groups: [(name: String, properties: [Property<FilterSettings>])] = {
        let offered = FilterSettings.properties.filter { $0.facts.isOffered(by: .obs) }
        return PropertyGroup.allCases.map { group in
            let own = offered.filter { $0.facts.control?.group == group }
            return (group.rawValue, own.sorted { $0.facts.place < $1.facts.place })
        }.filter { !$0.1.isEmpty }
    }()

    /// The properties in OBS, in their order.
    static var properties: some Sequence<Property<FilterSettings>> { groups.lazy.flatMap(\.properties) }

    /// Endings of the names of pictures and of clips: those of OBS's image and media sources.
    ///
    /// `blendmask` decodes two frames to tell them apart. libobs' reader of pictures shows the first only, and its
    /// player repeats a picture as if it were a clip.
    private static let pictures = ["jpg", "jpeg", "png", "webp", "bmp", "tga"]
    private static let clips = [
        "mp4", "m4v", "mov", "mkv", "webm", "gif", "avi", "ts", "mxf", "flv", "ogv", "mpg",
    ]

    /// The choice of files for OBS's dialog.
    static var fileFilter: String {
        func patterns(_ endings: [String]) -> String { endings.map { "*." + $0 }.joined(separator: " ") }
        return "Pictures and clips (\(patterns(pictures + clips)))"
    }

    /// Whether a file is a clip, by its name.
    static func isClip(_ path: String) -> Bool {
        let path = path.lowercased()
        return clips.contains { path.hasSuffix("." + $0) }
    }
}

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

/// The reason why a filter covers frames, for its settings and OBS's log.
final class FilterReport: @unchecked Sendable {
    // Unchecked: OBS's functions for a source may be called from any thread.
    private let source: OpaquePointer?
    private let stored = Mutex<String?>(nil)

    init(_ source: OpaquePointer?) { self.source = source }

    /// A sentence or two; nil while frames are shown as they are asked for.
    var text: String? { stored.withLock { $0 } }

    /// Stores the reason, and tells it once.
    ///
    /// - Parameter isFault: whether it is written to the log as a warning.
    func set(_ reason: String?, isFault: Bool = true) {
        let isNew = stored.withLock { text in
            defer { text = reason }
            return text != reason
        }
        guard isNew else { return }
        if let reason {
            if isFault { Log.warn(reason, of: source) } else { Log.info(reason, of: source) }
        }
        // Open settings are drawn again.
        obs_source_update_properties(source)
    }
}
