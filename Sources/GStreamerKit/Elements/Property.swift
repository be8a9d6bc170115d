import CGStreamer
import FileNames
import Glibc

/// A GObject property of an element: its name, documentation, range and storage in the settings.
///
/// The default is the value in a new `Settings()`, so it is written once.
public struct Property<Settings: ElementSettings> {
    let makeSpec: () -> UnsafeMutablePointer<GParamSpec>?
    let read: (Settings, UnsafeMutablePointer<GValue>) -> Void
    let write: (inout Settings, UnsafePointer<GValue>) -> Void
}

/// The states in which an application may change a property.
public enum Mutability: Sendable {
    /// Changes in NULL and READY; takes effect at the next start.
    case untilReady
    /// Changes at any time; takes effect with the next frame.
    case whilePlaying
    /// Changes at any time, also by a `GstController`.
    case animated

    fileprivate var flags: GParamFlags {
        let access = people_param_readwrite
        return switch self {
        case .untilReady: GParamFlags(rawValue: access | people_param_mutable_ready)
        case .whilePlaying: GParamFlags(rawValue: access | people_param_mutable_playing)
        case .animated:
            GParamFlags(rawValue: access | people_param_mutable_playing | people_param_controllable)
        }
    }
}

/// A conversion between a setting as it is stored and the value of its property, in another unit or type.
public struct PropertyConversion<Stored, Shown> {
    let show: (Stored) -> Shown
    let store: (Shown) -> Stored

    /// Makes a conversion of two functions, each the other's inverse.
    public init(show: @escaping (Stored) -> Shown, store: @escaping (Shown) -> Stored) {
        (self.show, self.store) = (show, store)
    }
}

extension PropertyConversion where Stored == Int, Shown == Int32 {
    /// An integer.
    public static var count: Self { Self(show: { Int32(clamping: $0) }, store: { Int($0) }) }
}

extension PropertyConversion where Stored == Double?, Shown == Int32 {
    /// Seconds, shown in milliseconds; nil is shown as 0.
    public static var milliseconds: Self {
        Self(
            show: { Int32(exactly: (($0 ?? 0) * 1000).rounded()) ?? 0 },
            store: { $0 > 0 ? Double($0) / 1000 : nil })
    }
}

extension PropertyConversion where Stored == Double?, Shown == Double {
    /// Radians, shown in degrees; nil is shown as 0.
    public static var degrees: Self {
        Self(show: { shown(($0 ?? 0) * 180 / .pi) }, store: { $0 > 0 ? $0 * .pi / 180 : nil })
    }
}

extension PropertyConversion where Stored == Float, Shown == Double {
    /// A number in single precision.
    public static var single: Self { Self(show: { shown(Double($0)) }, store: { Float($0) }) }

    /// A share in single precision, shown in percent.
    public static var percent: Self { Self(show: { shown(Double($0) * 100) }, store: { Float($0 / 100) }) }
}

/// Returns a value without the rounding error of its storage: single precision has seven significant digits.
private func shown(_ value: Double) -> Double {
    guard value.isFinite, value != 0 else { return value }
    let scale = pow(10, 6 - log10(abs(value)).rounded(.down))
    return (value * scale).rounded() / scale
}

extension Property {
    /// Returns a property that is stored at `key`.
    ///
    /// - Parameters:
    ///   - spec: describes the property, given its default value.
    ///   - set: writes a value to a `GValue`.
    ///   - get: reads a value from a `GValue`; nil for an invalid one.
    private static func stored<Value>(
        _ key: WritableKeyPath<Settings, Value>,
        spec: @escaping (_ initial: Value) -> UnsafeMutablePointer<GParamSpec>?,
        set: @escaping (UnsafeMutablePointer<GValue>, Value) -> Void,
        get: @escaping (UnsafePointer<GValue>) -> Value?
    ) -> Self {
        Property(
            makeSpec: { spec(Settings()[keyPath: key]) },
            read: { set($1, $0[keyPath: key]) },
            write: { settings, value in
                if let value = get(value) { settings[keyPath: key] = value }
            })
    }

    /// Returns a property that is a whole number in `range`.
    public static func int(
        _ name: String, _ blurb: String, in range: ClosedRange<Int32>,
        _ key: WritableKeyPath<Settings, Int32>, _ mutability: Mutability = .whilePlaying
    ) -> Self {
        stored(
            key,
            spec: {
                g_param_spec_int(name, name, blurb, range.lowerBound, range.upperBound, $0, mutability.flags)
            },
            set: { g_value_set_int($0, $1) }, get: { g_value_get_int($0) })
    }

    /// Returns a property that is a whole number in `range`, stored by a conversion.
    public static func int<Stored>(
        _ name: String, _ blurb: String, in range: ClosedRange<Int32>,
        as conversion: PropertyConversion<Stored, Int32>,
        _ key: WritableKeyPath<Settings, Stored>, _ mutability: Mutability = .whilePlaying
    ) -> Self {
        stored(
            key,
            spec: {
                g_param_spec_int(
                    name, name, blurb, range.lowerBound, range.upperBound, conversion.show($0),
                    mutability.flags)
            },
            set: { g_value_set_int($0, conversion.show($1)) }, get: { conversion.store(g_value_get_int($0)) })
    }

    /// Returns a property that is a count in `range`.
    public static func count(
        _ name: String, _ blurb: String, in range: ClosedRange<Int>, _ key: WritableKeyPath<Settings, Int>,
        _ mutability: Mutability = .whilePlaying
    ) -> Self {
        int(
            name, blurb, in: Int32(clamping: range.lowerBound)...Int32(clamping: range.upperBound),
            as: .count, key,
            mutability)
    }

    /// Returns a property that is a whole number in `range`, such as a time.
    public static func int64(
        _ name: String, _ blurb: String, in range: ClosedRange<Int64>,
        _ key: WritableKeyPath<Settings, Int64>, _ mutability: Mutability = .whilePlaying
    ) -> Self {
        stored(
            key,
            spec: {
                g_param_spec_int64(
                    name, name, blurb, gint64(range.lowerBound), gint64(range.upperBound), gint64($0),
                    mutability.flags)
            },
            set: { g_value_set_int64($0, gint64($1)) }, get: { Int64(g_value_get_int64($0)) })
    }

    /// Returns a property that is a real number in `range`.
    public static func double(
        _ name: String, _ blurb: String, in range: ClosedRange<Double>,
        _ key: WritableKeyPath<Settings, Double>, _ mutability: Mutability = .animated
    ) -> Self {
        stored(
            key,
            spec: {
                g_param_spec_double(
                    name, name, blurb, range.lowerBound, range.upperBound, $0, mutability.flags)
            },
            set: { g_value_set_double($0, $1) }, get: { g_value_get_double($0) })
    }

    /// Returns a property that is a real number in `range`, stored by a conversion.
    public static func double<Stored>(
        _ name: String, _ blurb: String, in range: ClosedRange<Double>,
        as conversion: PropertyConversion<Stored, Double>,
        _ key: WritableKeyPath<Settings, Stored>, _ mutability: Mutability = .animated
    ) -> Self {
        stored(
            key,
            spec: {
                g_param_spec_double(
                    name, name, blurb, range.lowerBound, range.upperBound, conversion.show($0),
                    mutability.flags)
            },
            set: { g_value_set_double($0, conversion.show($1)) },
            get: { conversion.store(g_value_get_double($0)) })
    }

    /// Returns a property that is a colour as 0xAARRGGBB, GStreamer's convention for colour properties; the
    /// description gets the format and the default.
    public static func color(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, UInt32>,
        _ mutability: Mutability = .animated
    ) -> Self {
        stored(
            key,
            spec: { initial in
                // GObject prints whole numbers in decimal, in which a colour cannot be read.
                let digits = String(initial, radix: 16)
                let hexadecimal = "0x" + String(repeating: "0", count: 8 - digits.count) + digits
                return g_param_spec_uint(
                    name, name, "\(blurb): 0xAARRGGBB, \(hexadecimal) by default", 0, .max, initial,
                    mutability.flags)
            },
            set: { g_value_set_uint($0, $1) }, get: { g_value_get_uint($0) })
    }

    /// Returns a property that is a Boolean.
    public static func bool(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, Bool>,
        _ mutability: Mutability = .whilePlaying
    ) -> Self {
        stored(
            key, spec: { g_param_spec_boolean(name, name, blurb, $0 ? 1 : 0, mutability.flags) },
            set: { g_value_set_boolean($0, $1 ? 1 : 0) }, get: { g_value_get_boolean($0) != 0 })
    }

    /// Returns a property that is a text, or nil when unset.
    public static func string(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, String?>,
        _ mutability: Mutability = .whilePlaying
    ) -> Self {
        stored(
            key, spec: { g_param_spec_string(name, name, blurb, $0, mutability.flags) },
            set: { g_value_set_string($0, $1?.fileName) },
            get: { .some(g_value_get_string($0).map { String(fileName: $0) }) })
    }

    /// Returns a property that is a text and never unset: NULL restores the default.
    public static func text(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, String>,
        _ mutability: Mutability = .whilePlaying
    ) -> Self {
        stored(
            key, spec: { g_param_spec_string(name, name, blurb, $0, mutability.flags) },
            set: { g_value_set_string($0, $1.fileName) },
            get: { g_value_get_string($0).map { String(fileName: $0) } ?? Settings()[keyPath: key] })
    }

    /// Returns a property that is one case of an enumeration, chosen by its nick in `gst-launch-1.0`.
    public static func choice<Choice: PropertyChoice>(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, Choice>,
        _ mutability: Mutability = .whilePlaying
    ) -> Self {
        stored(
            key,
            spec: { g_param_spec_enum(name, name, blurb, Choice.gtype, $0.number, mutability.flags) },
            set: { g_value_set_enum($0, $1.number) }, get: { Choice(number: g_value_get_enum($0)) })
    }
}

/// An enumeration that is the type of a property; the raw values are the nicks that users type.
public protocol PropertyChoice: CaseIterable, RawRepresentable, Sendable, Equatable
where RawValue == String, AllCases == [Self] {
    /// The GType's name, unique in the process: `GstPeopleQuality`.
    static var typeName: String { get }
    /// The effect of the case, in a few words.
    var blurb: String { get }
}

extension PropertyChoice {
    var number: gint { gint(Self.allCases.firstIndex(of: self) ?? 0) }

    init?(number: gint) {
        guard Self.allCases.indices.contains(Int(number)) else { return nil }
        self = Self.allCases[Int(number)]
    }

    /// The GEnum of this enumeration, registered at first use.
    static var gtype: GType {
        let known = g_type_from_name(typeName)
        if known != 0 { return known }
        let type = g_enum_register_static(typeName, makeTable())
        gst_type_mark_as_plugin_api(type, GstPluginAPIFlags(rawValue: 0))
        return type
    }

    // GObject keeps the table and its strings for the life of the process.
    private static func makeTable() -> UnsafeMutablePointer<GEnumValue> {
        let table = UnsafeMutablePointer<GEnumValue>.allocate(capacity: allCases.count + 1)
        for (index, choice) in allCases.enumerated() {
            let value = GEnumValue(
                value: gint(index), value_name: UnsafePointer(g_strdup(choice.blurb)),
                value_nick: UnsafePointer(g_strdup(choice.rawValue)))
            (table + index).initialize(to: value)
        }
        (table + allCases.count).initialize(to: GEnumValue())
        return table
    }
}
