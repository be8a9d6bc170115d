package import CGStreamer
import FileNames
// Elements declare their settings as properties, so a program that imports GStreamerKit imports these too.
@_exported public import Properties

/// No settings at all.
public struct NoSettings: ElementSettings {
    /// Creates the default settings.
    public init() {}
    /// No properties.
    public static var properties: [Property<NoSettings>] { [] }
}

extension ElementSettings {
    /// Makes the descriptions of the GObject properties, in their order.
    static func makeSpecs() -> [UnsafeMutablePointer<GParamSpec>?] { properties.map { $0.makeSpec() } }

    /// Makes the descriptions of the properties that a bin around the element offers, in their order.
    static func makeSpecs(hiding hidden: Set<String>) -> [UnsafeMutablePointer<GParamSpec>?] {
        offered(hiding: hidden).map { $0.makeSpec() }
    }

    /// Returns the names of the properties that a bin around the element offers, in their order.
    static func names(hiding hidden: Set<String>) -> [String] { offered(hiding: hidden).map(\.name) }

    private static func offered(hiding hidden: Set<String>) -> [Property<Self>] {
        properties.filter { $0.replacement == nil && !hidden.contains($0.name) }
    }
}

/// The settings of one element, shared by the application's threads and the streaming thread.
///
/// Applications set properties while frames are processed. The streaming thread works with a copy of its own, `current`, which
/// the element renews before each frame.
public final class SettingsBox<Settings: ElementSettings>: SettingsAccess {
    /// The settings of the current frame, on the streaming thread.
    public private(set) var current = Settings()
    /// The number of changes that `current` has.
    private var copiedChanges = 0

    private struct Shared {
        var settings = Settings()
        /// Number of times that a property was set.
        var changes = 0
        /// Whether a stream is running.
        var isStreaming = false
    }

    private let guarded = Guarded(Shared())
    private let properties = Settings.properties

    /// Settings with their defaults.
    public init() {}

    /// Returns a copy of the settings as they are now, on any thread; frames have theirs in `current`.
    public func snapshot() -> Settings { guarded.snapshot().settings }

    /// Copies the settings to `current` if a property has been set since the last copy.
    ///
    /// - Returns: whether they were copied.
    @discardableResult package func renew() -> Bool {
        let changed = guarded.update { [copiedChanges] in $0.changes == copiedChanges ? nil : $0 }
        guard let changed else { return false }
        (current, copiedChanges) = (changed.settings, changed.changes)
        return true
    }

    func read(_ number: Int, into value: UnsafeMutablePointer<GValue>) -> Bool {
        guard properties.indices.contains(number - 1) else { return false }
        properties[number - 1].copyValue(of: snapshot(), to: value)
        return true
    }

    package func write(_ number: Int, from value: UnsafePointer<GValue>) -> PropertyWriting {
        guard properties.indices.contains(number - 1) else { return .unknown }
        let property = properties[number - 1]
        return guarded.update { shared in
            var settings = shared.settings
            property.setValue(in: &settings, from: value)
            if shared.isStreaming, property.isReleased(from: shared.settings, to: settings) {
                return .latched
            }
            shared.settings = settings
            shared.changes &+= 1
            return .stored
        }
    }

    package func setStreaming(_ isStreaming: Bool) { guarded.update { $0.isStreaming = isStreaming } }
}

/// The outcome of setting a property.
package enum PropertyWriting {
    case stored
    /// The property keeps its value until the stream ends.
    case latched
    /// There is no such property.
    case unknown
}

extension Property {
    /// Whether a latched property would change from true to false.
    fileprivate func isReleased(from old: Settings, to new: Settings) -> Bool {
        mutability == .latched && read(old) == .bool(true) && read(new) == .bool(false)
    }
}

/// Access of the GObject trampolines to an element's settings, whatever their type.
protocol SettingsAccess: AnyObject {
    /// Copies property `number` (from 1) to `value`; false if there is no such property.
    func read(_ number: Int, into value: UnsafeMutablePointer<GValue>) -> Bool
    /// Sets property `number` (from 1) to `value`.
    func write(_ number: Int, from value: UnsafePointer<GValue>) -> PropertyWriting
    /// Notes that a stream begins or has ended.
    func setStreaming(_ isStreaming: Bool)
    /// Copies the settings for the streaming thread if they have changed.
    @discardableResult func renew() -> Bool
}

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
