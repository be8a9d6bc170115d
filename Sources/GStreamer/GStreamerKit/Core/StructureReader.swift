import CGStreamer
package import Imaging

/// Reads fields of a `GstStructure`; nil when a field is absent or of another type.
///
/// Valid as long as the structure's owner lives; a reader with a handle keeps the owner alive.
public struct StructureReader {
    let structure: UnsafeMutablePointer<GstStructure>
    private let owner: MiniObjectReference?

    init(structure: UnsafeMutablePointer<GstStructure>) { self.init(structure: structure, owner: nil) }

    init(structure: UnsafeMutablePointer<GstStructure>, owner: MiniObjectReference?) {
        (self.structure, self.owner) = (structure, owner)
    }

    /// Returns a structure inside this one.
    private func inner(_ fields: UnsafePointer<GstStructure>) -> StructureReader {
        StructureReader(structure: UnsafeMutablePointer(mutating: fields), owner: owner)
    }

    /// The structure's name.
    package var name: String { gst_structure_get_name(structure).map { String(cString: $0) } ?? "" }

    /// The structure as a text, in the syntax of caps.
    package var text: String { gst_structure_to_string(structure).map(copyAndFree) ?? "" }

    /// Returns a whole number.
    public func int(_ field: StaticString) -> Int? {
        var number: gint = 0
        let found = field.withCString { gst_structure_get_int(structure, $0, &number) }
        return found != 0 ? Int(number) : nil
    }

    /// Whether there is a field of that name, of whatever type.
    public func has(_ field: StaticString) -> Bool {
        field.withCString { gst_structure_has_field(structure, $0) } != 0
    }

    /// Returns a time in nanoseconds, of any integer type: Python writes small numbers as `gint`.
    ///
    /// Nil when it is negative.
    public func nanoseconds(_ field: StaticString) -> UInt64? {
        field.withCString { field in
            var (long, number): (guint64, gint64) = (0, 0)
            if gst_structure_get_uint64(structure, field, &long) != 0 { return UInt64(long) }
            if gst_structure_get_int64(structure, field, &number) != 0 { return UInt64(exactly: number) }
            var small: gint = 0
            return gst_structure_get_int(structure, field, &small) != 0 ? UInt64(exactly: small) : nil
        }
    }

    /// Returns an identifier (`guint64`).
    public func identifier(_ field: StaticString) -> UInt64? {
        var number: guint64 = 0
        let found = field.withCString { gst_structure_get_uint64(structure, $0, &number) }
        return found != 0 ? UInt64(number) : nil
    }

    /// Returns a fraction; nil when its denominator is not positive.
    public func fraction(_ field: StaticString) -> (numerator: Int, denominator: Int)? {
        var (numerator, denominator): (gint, gint) = (0, 0)
        let found = field.withCString {
            gst_structure_get_fraction(structure, $0, &numerator, &denominator)
        }
        return found != 0 && denominator > 0 ? (Int(numerator), Int(denominator)) : nil
    }

    /// Returns a real number.
    public func double(_ field: StaticString) -> Double? {
        var number = 0.0
        let found = field.withCString { gst_structure_get_double(structure, $0, &number) }
        return found != 0 ? number : nil
    }

    /// Returns a text; copied.
    public func string(_ field: StaticString) -> String? {
        field.withCString { gst_structure_get_string(structure, $0) }.map { String(cString: $0) }
    }

    /// Returns a text under a name that is not known beforehand; copied.
    package func string(named field: String) -> String? {
        gst_structure_get_string(structure, field).map { String(cString: $0) }
    }

    /// Returns a Boolean.
    public func bool(_ field: StaticString) -> Bool? {
        var flag: gboolean = 0
        let found = field.withCString { gst_structure_get_boolean(structure, $0, &flag) }
        return found != 0 ? flag != 0 : nil
    }

    /// Returns a whole number that is not negative.
    package func unsigned(_ field: StaticString) -> UInt32? {
        var number: guint = 0
        let found = field.withCString { gst_structure_get_uint(structure, $0, &number) }
        return found != 0 ? number : nil
    }

    /// Returns the media type of a field that contains caps.
    package func mediaType(_ field: StaticString) -> String? {
        guard let value = field.withCString({ gst_structure_get_value(structure, $0) }),
            g_type_check_value_holds(value, gst_caps_get_type()) != 0, let caps = gst_value_get_caps(value)
        else { return nil }
        return GStreamer.Caps(retaining: UnsafeMutablePointer(mutating: caps)).mediaType
    }

    /// Returns a structure inside the structure; valid as long as this one.
    public func structure(_ field: StaticString) -> StructureReader? {
        guard let value = field.withCString({ gst_structure_get_value(structure, $0) }),
            g_type_check_value_holds(value, gst_structure_get_type()) != 0,
            let fields = gst_value_get_structure(value)
        else { return nil }
        return inner(fields)
    }

    /// Returns the real number at `index` of an array (`GstValueArray`) whose name is not known beforehand.
    public func double(named field: String, at index: Int) -> Double? {
        guard let index = guint(exactly: index), let array = gst_structure_get_value(structure, field),
            g_type_check_value_holds(array, gst_value_array_get_type()) != 0,
            index < gst_value_array_get_size(array), let value = gst_value_array_get_value(array, index),
            g_type_check_value_holds(value, GType(people_g_type_double)) != 0
        else { return nil }
        return g_value_get_double(value)
    }

    /// The box of the fields `x`, `y`, `width` and `height`; nil when one of them is missing.
    package var box: Rectangle? {
        guard let x = double("x"), let y = double("y"), let width = double("width"),
            let height = double("height")
        else { return nil }
        return Rectangle(x: x, y: y, width: width, height: height)
    }

    /// Calls `body` for each structure of a list (`GstValueList`); skips items of other types.
    public func forEach(_ field: StaticString, _ body: (StructureReader) -> Void) {
        guard let list = field.withCString({ gst_structure_get_value(structure, $0) }),
            g_type_check_value_holds(list, gst_value_list_get_type()) != 0
        else { return }
        for index in 0..<gst_value_list_get_size(list) {
            guard let item = gst_value_list_get_value(list, index),
                g_type_check_value_holds(item, gst_structure_get_type()) != 0,
                let fields = gst_value_get_structure(item)
            else { continue }
            body(inner(fields))
        }
    }

    /// Removes the structures of a list for which `isKept` returns false; returns how many are left.
    @discardableResult
    package func keep(_ field: StaticString, where isKept: (StructureReader) -> Bool) -> Int {
        var (kept, count) = (GValue(), 0)
        g_value_init(&kept, gst_value_list_get_type())
        forEach(field) { item in
            guard isKept(item) else { return }
            var value = GValue()
            g_value_init(&value, gst_structure_get_type())
            g_value_set_boxed(&value, item.structure)
            gst_value_list_append_and_take_value(&kept, &value)
            count += 1
        }
        field.withCString { gst_structure_take_value(structure, $0, &kept) }
        return count
    }

    /// Lends a buffer's bytes for reading to `body`; nil when the field contains no readable buffer.
    public func withBytes<Result>(_ field: StaticString, _ body: (UnsafeRawBufferPointer) -> Result)
        -> Result?
    {
        let value = field.withCString { gst_structure_get_value(structure, $0) }
        guard let value, g_type_check_value_holds(value, people_type_buffer()) != 0,
            let buffer = g_value_get_boxed(value)?.assumingMemoryBound(to: GstBuffer.self)
        else { return nil }
        return buffer.withBytes(body)
    }
}

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
