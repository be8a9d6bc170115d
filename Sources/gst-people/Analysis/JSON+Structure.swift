import CGStreamer
import JSON

extension JSON {
    /// A structure's fields in their order.
    ///
    /// - Parameter pointLists: names of fields whose arrays hold three numbers a point, and become arrays of points.
    init(_ structure: UnsafePointer<GstStructure>, pointLists: Set<String>) {
        self = .object(
            Self.names(of: structure).compactMap { name in
                gst_structure_get_value(structure, name).map {
                    (name, JSON($0, pointLists: pointLists, isPoints: pointLists.contains(name)))
                }
            })
    }

    /// A value of one of the types that analysers write; null for another.
    ///
    /// - Parameter isPoints: whether arrays in it are lists of points.
    init(_ value: UnsafePointer<GValue>, pointLists: Set<String> = [], isPoints: Bool = false) {
        func holds(_ type: GType) -> Bool { g_type_check_value_holds(value, type) != 0 }
        if holds(GType(people_g_type_double)) {
            self = .number(g_value_get_double(value))
        } else if holds(GType(people_g_type_int)) {
            self = .integer(Int(g_value_get_int(value)))
        } else if holds(GType(people_g_type_boolean)) {
            self = .bool(g_value_get_boolean(value) != 0)
        } else if holds(GType(people_g_type_string)) {
            self = g_value_get_string(value).map { .string(String(cString: $0)) } ?? .null
        } else if holds(gst_structure_get_type()), let fields = gst_value_get_structure(value) {
            // The arrays in a structure of points are lists of points, too.
            self = JSON(fields, pointLists: isPoints ? Set(Self.names(of: fields)) : pointLists)
        } else if holds(gst_value_list_get_type()) {
            self = .array(
                (0..<gst_value_list_get_size(value)).compactMap {
                    gst_value_list_get_value(value, $0).map { JSON($0, pointLists: pointLists) }
                })
        } else if holds(gst_value_array_get_type()) {
            let items = (0..<gst_value_array_get_size(value)).compactMap {
                gst_value_array_get_value(value, $0).map { JSON($0) }
            }
            self = .array(isPoints ? Self.points(items) : items)
        } else {
            self = .null
        }
    }

    private static func names(of fields: UnsafePointer<GstStructure>) -> [String] {
        (0..<guint(max(0, gst_structure_n_fields(fields)))).compactMap {
            gst_structure_nth_field_name(fields, $0).map { String(cString: $0) }
        }
    }

    /// Three numbers each.
    private static func points(_ numbers: [JSON]) -> [JSON] {
        stride(from: 0, to: numbers.count, by: 3).map {
            .array(Array(numbers[$0..<min($0 + 3, numbers.count)]))
        }
    }
}
