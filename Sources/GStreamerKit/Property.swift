import CGStreamer

/// One GObject property of an element: its name, documentation, range and place in the settings.
///
/// The default is whatever a fresh `Settings()` holds, so it is written once.
public struct Property<Settings: ElementSettings> {
    let makeSpec: () -> UnsafeMutablePointer<GParamSpec>?
    let read: (Settings, UnsafeMutablePointer<GValue>) -> Void
    let write: (inout Settings, UnsafePointer<GValue>) -> Void
}

/// When an application may change a property.
public enum Mutability: Sendable {
    /// In NULL and READY: it takes effect at the next start.
    case untilReady
    /// At any time: it takes effect with the next frame.
    case whilePlaying
    /// At any time, and from a `GstController` too.
    case animated

    fileprivate var flags: GParamFlags {
        let access = G_PARAM_READWRITE.rawValue
        return switch self {
        case .untilReady: GParamFlags(rawValue: access | people_param_mutable_ready)
        case .whilePlaying: GParamFlags(rawValue: access | people_param_mutable_playing)
        case .animated:
            GParamFlags(rawValue: access | people_param_mutable_playing | people_param_controllable)
        }
    }
}

extension Property {
    /// A whole number in `range`.
    public static func int(
        _ name: String, _ blurb: String, in range: ClosedRange<Int32>,
        _ key: WritableKeyPath<Settings, Int32>, _ mutability: Mutability = .whilePlaying
    ) -> Self {
        Property(
            makeSpec: {
                g_param_spec_int(
                    name, name, blurb, range.lowerBound, range.upperBound, Settings()[keyPath: key],
                    mutability.flags)
            },
            read: { g_value_set_int($1, $0[keyPath: key]) },
            write: { $0[keyPath: key] = g_value_get_int($1) })
    }

    /// A whole number in `range`, such as a time.
    public static func int64(
        _ name: String, _ blurb: String, in range: ClosedRange<Int64>,
        _ key: WritableKeyPath<Settings, Int64>, _ mutability: Mutability = .whilePlaying
    ) -> Self {
        Property(
            makeSpec: {
                g_param_spec_int64(
                    name, name, blurb, gint64(range.lowerBound), gint64(range.upperBound),
                    gint64(Settings()[keyPath: key]), mutability.flags)
            },
            read: { g_value_set_int64($1, gint64($0[keyPath: key])) },
            write: { $0[keyPath: key] = Int64(g_value_get_int64($1)) })
    }

    /// A real number in `range`.
    public static func double(
        _ name: String, _ blurb: String, in range: ClosedRange<Double>,
        _ key: WritableKeyPath<Settings, Double>, _ mutability: Mutability = .animated
    ) -> Self {
        Property(
            makeSpec: {
                g_param_spec_double(
                    name, name, blurb, range.lowerBound, range.upperBound, Settings()[keyPath: key],
                    mutability.flags)
            },
            read: { g_value_set_double($1, $0[keyPath: key]) },
            write: { $0[keyPath: key] = g_value_get_double($1) })
    }

    /// A colour as 0xAARRGGBB, GStreamer's convention for colour properties; the description ends with that.
    public static func color(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, UInt32>,
        _ mutability: Mutability = .animated
    ) -> Self {
        Property(
            makeSpec: {
                let value = Settings()[keyPath: key]
                // GObject prints whole numbers in decimals only, in which nobody reads a colour.
                let digits = String(value, radix: 16)
                let hexadecimal = "0x" + String(repeating: "0", count: 8 - digits.count) + digits
                return g_param_spec_uint(
                    name, name, "\(blurb): 0xAARRGGBB, \(hexadecimal) by default", 0, .max, value,
                    mutability.flags)
            },
            read: { g_value_set_uint($1, $0[keyPath: key]) },
            write: { $0[keyPath: key] = g_value_get_uint($1) })
    }

    /// On or off.
    public static func bool(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, Bool>,
        _ mutability: Mutability = .whilePlaying
    ) -> Self {
        Property(
            makeSpec: {
                g_param_spec_boolean(
                    name, name, blurb, Settings()[keyPath: key] ? 1 : 0, mutability.flags)
            },
            read: { g_value_set_boolean($1, $0[keyPath: key] ? 1 : 0) },
            write: { $0[keyPath: key] = g_value_get_boolean($1) != 0 })
    }

    /// A text, or nil when unset.
    public static func string(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, String?>,
        _ mutability: Mutability = .whilePlaying
    ) -> Self {
        Property(
            makeSpec: {
                g_param_spec_string(name, name, blurb, Settings()[keyPath: key], mutability.flags)
            },
            read: { g_value_set_string($1, $0[keyPath: key]) },
            write: { $0[keyPath: key] = g_value_get_string($1).map { String(cString: $0) } })
    }

    /// One of an enumeration's cases, chosen by nick in `gst-launch-1.0`.
    public static func choice<Choice: PropertyChoice>(
        _ name: String, _ blurb: String, _ key: WritableKeyPath<Settings, Choice>,
        _ mutability: Mutability = .whilePlaying
    ) -> Self {
        Property(
            makeSpec: {
                g_param_spec_enum(
                    name, name, blurb, Choice.gtype, Settings()[keyPath: key].number, mutability.flags)
            },
            read: { g_value_set_enum($1, $0[keyPath: key].number) },
            write: { settings, value in
                if let choice = Choice(number: g_value_get_enum(value)) { settings[keyPath: key] = choice }
            })
    }
}
