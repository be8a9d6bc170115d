import CGStreamer
import FileNames
// Elements declare their settings as properties, so a program that imports GStreamerKit imports these too.
@_exported public import Properties

extension Property {
    /// Returns the description of the GObject property.
    func makeSpec() -> UnsafeMutablePointer<GParamSpec>? {
        let flags = self.flags
        return switch (kind, initial) {
        case (.int(let range), .int(let initial)):
            g_param_spec_int(name, name, blurb, range.lowerBound, range.upperBound, initial, flags)
        case (.int64(let range), .int64(let initial)):
            g_param_spec_int64(
                name, name, blurb, gint64(range.lowerBound), gint64(range.upperBound), gint64(initial), flags)
        case (.double(let range), .double(let initial)):
            g_param_spec_double(name, name, blurb, range.lowerBound, range.upperBound, initial, flags)
        case (.color, .color(let initial)):
            // GObject prints whole numbers in decimal, in which a colour cannot be read.
            g_param_spec_uint(
                name, name, "\(blurb): 0xAARRGGBB, \(hexadecimal(initial)) by default", 0, .max, initial,
                flags)
        case (.bool, .bool(let initial)): g_param_spec_boolean(name, name, blurb, initial ? 1 : 0, flags)
        case (.text, .text(let initial)): g_param_spec_string(name, name, blurb, initial, flags)
        case (.choice(let words), .choice(let initial)):
            g_param_spec_enum(name, name, blurb, words.gtype, gint(initial), flags)
        default: nil
        }
    }

    /// Writes the value in `settings` to a `GValue` of the property's type.
    func copyValue(of settings: Settings, to target: UnsafeMutablePointer<GValue>) {
        switch read(settings) {
        case .int(let value): g_value_set_int(target, value)
        case .int64(let value): g_value_set_int64(target, gint64(value))
        case .double(let value): g_value_set_double(target, value)
        case .color(let value): g_value_set_uint(target, value)
        case .bool(let value): g_value_set_boolean(target, value ? 1 : 0)
        case .text(let value): g_value_set_string(target, value?.fileName)
        case .choice(let value): g_value_set_enum(target, gint(value))
        }
    }

    /// Stores the value of a `GValue` of the property's type.
    func setValue(in settings: inout Settings, from source: UnsafePointer<GValue>) {
        let value: PropertyValue =
            switch kind {
            case .int: .int(g_value_get_int(source))
            case .int64: .int64(Int64(g_value_get_int64(source)))
            case .double: .double(g_value_get_double(source))
            case .color: .color(g_value_get_uint(source))
            case .bool: .bool(g_value_get_boolean(source) != 0)
            case .text: .text(g_value_get_string(source).map { String(fileName: $0) })
            case .choice: .choice(Int(g_value_get_enum(source)))
            }
        write(&settings, value)
    }
}

/// Returns a colour as eight hexadecimal digits.
private func hexadecimal(_ color: UInt32) -> String {
    let digits = String(color, radix: 16)
    return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
}

extension Property {
    private var flags: GParamFlags {
        let deprecation = replacement == nil ? 0 : people_param_deprecated
        return GParamFlags(rawValue: people_param_readwrite | deprecation | mutability.flags)
    }
}

extension Mutability {
    fileprivate var flags: gint {
        switch self {
        case .untilReady: people_param_mutable_ready
        case .whilePlaying, .latched: people_param_mutable_playing
        case .animated: people_param_mutable_playing | people_param_controllable
        }
    }
}

extension PropertyWords {
    /// The name of the GType, unique in the process.
    private var typeName: String { "GstPeople\(name)" }

    /// The GEnum of the words, registered at first use.
    fileprivate var gtype: GType {
        let known = g_type_from_name(typeName)
        if known != 0 { return known }
        let type = g_enum_register_static(typeName, makeTable())
        gst_type_mark_as_plugin_api(type, GstPluginAPIFlags(rawValue: 0))
        return type
    }

    // GObject keeps the table and its strings for the life of the process.
    private func makeTable() -> UnsafeMutablePointer<GEnumValue> {
        let table = UnsafeMutablePointer<GEnumValue>.allocate(capacity: words.count + 1)
        for (index, choice) in words.enumerated() {
            let value = GEnumValue(
                value: gint(index), value_name: UnsafePointer(g_strdup(choice.blurb)),
                value_nick: UnsafePointer(g_strdup(choice.word)))
            (table + index).initialize(to: value)
        }
        (table + words.count).initialize(to: GEnumValue())
        return table
    }
}
