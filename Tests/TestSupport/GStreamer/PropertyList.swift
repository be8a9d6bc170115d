import CGStreamer
import GStreamerKit

/// A property of an element, as its class describes it.
public struct PropertyDescription: Sendable {
    /// The kind of a property's values.
    public enum Kind: Sendable {
        /// A whole or real number; texts of the minimum, the maximum and the default.
        case number(least: String, greatest: String, usual: String)
        /// One of these words, and the default.
        case choice([String], usual: String)
        /// Any text.
        case text
    }

    /// The property's name.
    public let name: String
    /// The kind of the property's values.
    public let kind: Kind

    /// Returns the properties of an element, without those of its GStreamer base classes.
    public static func all(of factory: String) -> [PropertyDescription] {
        TestedPlugin.load()
        guard let element = GStreamer.Element(factory: factory) else { return [] }
        let type = people_type_of_instance(element.pointer(GTypeInstance.self))
        guard let klass = g_type_class_peek(type)?.assumingMemoryBound(to: GObjectClass.self) else {
            return []
        }
        var count: guint = 0
        guard let specs = g_object_class_list_properties(klass, &count) else { return [] }
        defer { g_free(specs) }
        return (0..<Int(count)).compactMap { index in
            specs[index].flatMap { $0.pointee.owner_type == type ? PropertyDescription($0) : nil }
        }
    }

    private init?(_ spec: UnsafeMutablePointer<GParamSpec>) {
        guard let kind = Kind(spec) else { return nil }
        name = String(cString: spec.pointee.name)
        self.kind = kind
    }
}

extension PropertyDescription.Kind {
    fileprivate init?(_ spec: UnsafeMutablePointer<GParamSpec>) {
        let raw = UnsafeMutableRawPointer(spec)
        switch String(cString: g_type_name(spec.pointee.value_type)) {
        case "gint":
            let spec = raw.assumingMemoryBound(to: GParamSpecInt.self).pointee
            self.init(spec.minimum, spec.maximum, spec.default_value)
        case "gint64":
            let spec = raw.assumingMemoryBound(to: GParamSpecInt64.self).pointee
            self.init(spec.minimum, spec.maximum, spec.default_value)
        case "guint":
            let spec = raw.assumingMemoryBound(to: GParamSpecUInt.self).pointee
            self.init(spec.minimum, spec.maximum, spec.default_value)
        case "gdouble":
            let spec = raw.assumingMemoryBound(to: GParamSpecDouble.self).pointee
            self.init(spec.minimum, spec.maximum, spec.default_value)
        case "gboolean":
            let usual = raw.assumingMemoryBound(to: GParamSpecBoolean.self).pointee.default_value
            self = .choice(["false", "true"], usual: usual != 0 ? "true" : "false")
        case "gchararray": self = .text
        default:
            guard
                let values = g_type_class_peek(spec.pointee.value_type)?
                    .assumingMemoryBound(to: GEnumClass.self).pointee
            else { return nil }
            let number = raw.assumingMemoryBound(to: GParamSpecEnum.self).pointee.default_value
            let choices = (0..<Int(values.n_values)).map { values.values[$0] }
            guard let usual = choices.first(where: { $0.value == number }) else { return nil }
            self = .choice(
                choices.map { String(cString: $0.value_nick) }, usual: String(cString: usual.value_nick))
        }
    }

    private init<Number>(_ least: Number, _ greatest: Number, _ usual: Number) {
        self = .number(least: "\(least)", greatest: "\(greatest)", usual: "\(usual)")
    }
}
