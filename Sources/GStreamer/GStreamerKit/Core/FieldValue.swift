import CGStreamer

/// A copy of a field's value.
package indirect enum FieldValue: Sendable {
    case number(Double)
    case integer(Int)
    case flag(Bool)
    /// A text; nil if it is not set.
    case text(String?)
    case structure([Field])
    /// A `GstValueList`.
    case list([FieldValue])
    /// A `GstValueArray`.
    case array([FieldValue])
    /// A value of another type.
    case other

    /// A field of a structure.
    package typealias Field = (name: String, value: FieldValue)

    fileprivate init(_ value: UnsafePointer<GValue>) {
        func holds(_ type: GType) -> Bool { g_type_check_value_holds(value, type) != 0 }
        if holds(GType(people_g_type_double)) {
            self = .number(g_value_get_double(value))
        } else if holds(GType(people_g_type_int)) {
            self = .integer(Int(g_value_get_int(value)))
        } else if holds(GType(people_g_type_boolean)) {
            self = .flag(g_value_get_boolean(value) != 0)
        } else if holds(GType(people_g_type_string)) {
            self = .text(g_value_get_string(value).map { String(cString: $0) })
        } else if holds(gst_structure_get_type()), let fields = gst_value_get_structure(value) {
            self = .structure(StructureReader(structure: UnsafeMutablePointer(mutating: fields)).fields)
        } else if holds(gst_value_list_get_type()) {
            self = .list(
                (0..<gst_value_list_get_size(value)).compactMap {
                    gst_value_list_get_value(value, $0).map { FieldValue($0) }
                })
        } else if holds(gst_value_array_get_type()) {
            self = .array(
                (0..<gst_value_array_get_size(value)).compactMap {
                    gst_value_array_get_value(value, $0).map { FieldValue($0) }
                })
        } else {
            self = .other
        }
    }
}

extension StructureReader {
    /// Returns the value of a field whose name is not known beforehand; nil when it is absent.
    package func value(named field: String) -> FieldValue? {
        gst_structure_get_value(structure, field).map { FieldValue($0) }
    }

    /// All fields in their order.
    package var fields: [FieldValue.Field] {
        (0..<guint(max(0, gst_structure_n_fields(structure)))).compactMap { index in
            guard let name = gst_structure_nth_field_name(structure, index).map({ String(cString: $0) })
            else {
                return nil
            }
            return value(named: name).map { (name, $0) }
        }
    }
}
