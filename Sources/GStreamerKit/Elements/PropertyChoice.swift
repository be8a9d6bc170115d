import CGStreamer

/// An enumeration that a property can hold; the raw values are the nicks that users type.
public protocol PropertyChoice: CaseIterable, RawRepresentable, Sendable, Equatable
where RawValue == String, AllCases == [Self] {
    /// The GType's name, unique in the process: `GstPeopleQuality`.
    static var typeName: String { get }
    /// What the case does, in a few words.
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
