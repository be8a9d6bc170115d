import COBS
import Imaging
import PeopleSettings
import PeopleVision
import Properties

/// The settings of the filter: those of `personsegment` and `blendmask`, under the same names.
///
/// `instances` is `blendmask`'s, the people to show; whether each person has a mask follows from it.
struct FilterSettings: ElementSettings, Equatable {
    var segment = PersonSegmentSettings()
    var blend = BlendSettings()

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
