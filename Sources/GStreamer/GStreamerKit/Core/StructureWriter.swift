import CGStreamer

/// Writes fields of a `GstStructure` that belongs to a meta or a message.
public struct StructureWriter {
    let structure: UnsafeMutablePointer<GstStructure>

    /// Sets a whole number (`gint`).
    public func set(_ field: StaticString, _ number: Int) {
        set(field, type: GType(people_g_type_int)) { g_value_set_int(&$0, gint(clamping: number)) }
    }

    /// Sets a whole number that is not negative (`guint`).
    public func set(_ field: StaticString, unsigned number: UInt32) {
        set(field, type: GType(people_g_type_uint)) { g_value_set_uint(&$0, number) }
    }

    /// Sets a real number (`gdouble`).
    public func set(_ field: StaticString, _ number: Double) {
        set(field, type: GType(people_g_type_double)) { g_value_set_double(&$0, number) }
    }

    /// Sets a text.
    public func set(_ field: StaticString, _ text: String) {
        set(field, type: GType(people_g_type_string)) { g_value_set_string(&$0, text) }
    }

    /// Sets a fraction (`GstFraction`).
    public func set(_ field: StaticString, fraction: (numerator: Int, denominator: Int)) {
        set(field, type: people_type_fraction()) {
            gst_value_set_fraction(
                &$0, gint(clamping: fraction.numerator), gint(clamping: fraction.denominator))
        }
    }

    /// Sets a buffer; the structure takes a reference of its own.
    func set(_ field: StaticString, buffer: UnsafeMutablePointer<GstBuffer>) {
        set(field, type: people_type_buffer()) { g_value_set_boxed(&$0, buffer) }
    }

    /// Sets a list (`GstValueList`) of `count` structures called `name`, each filled by `fill`.
    public func set(
        _ field: StaticString, list name: StaticString, count: Int, _ fill: (Int, StructureWriter) -> Void
    ) {
        var list = GValue()
        g_value_init(&list, gst_value_list_get_type())
        for index in 0..<count {
            guard let item = name.withCString({ gst_structure_new_empty($0) }) else { continue }
            fill(index, StructureWriter(structure: item))
            var value = GValue()
            g_value_init(&value, gst_structure_get_type())
            g_value_take_boxed(&value, item)
            gst_value_list_append_and_take_value(&list, &value)
        }
        field.withCString { gst_structure_take_value(structure, $0, &list) }
    }

    /// Sets a structure called `name`, filled by `fill`.
    public func set(_ field: StaticString, structure name: StaticString, _ fill: (StructureWriter) -> Void) {
        guard let item = name.withCString({ gst_structure_new_empty($0) }) else { return }
        fill(StructureWriter(structure: item))
        var value = GValue()
        g_value_init(&value, gst_structure_get_type())
        g_value_take_boxed(&value, item)
        field.withCString { gst_structure_take_value(structure, $0, &value) }
    }

    /// Sets an array (`GstValueArray`) of `count` real numbers.
    public func set(_ field: StaticString, count: Int, numbers: (Int) -> Double) {
        field.withCString { setArray($0, count: count, numbers) }
    }

    /// Sets an array of real numbers under a name that is not known beforehand.
    public func set(named field: String, count: Int, numbers: (Int) -> Double) {
        setArray(field, count: count, numbers)
    }

    private func setArray(_ field: UnsafePointer<CChar>, count: Int, _ numbers: (Int) -> Double) {
        var array = GValue()
        g_value_init(&array, gst_value_array_get_type())
        for index in 0..<count {
            var value = GValue()
            g_value_init(&value, GType(people_g_type_double))
            g_value_set_double(&value, numbers(index))
            gst_value_array_append_and_take_value(&array, &value)
        }
        gst_structure_take_value(structure, field, &array)
    }

    /// Sets an array (`GstValueArray`) of whole numbers.
    public func set(_ field: StaticString, integers: [Int]) {
        var array = GValue()
        g_value_init(&array, gst_value_array_get_type())
        for number in integers {
            var value = GValue()
            g_value_init(&value, GType(people_g_type_int))
            g_value_set_int(&value, gint(clamping: number))
            gst_value_array_append_and_take_value(&array, &value)
        }
        field.withCString { gst_structure_take_value(structure, $0, &array) }
    }

    /// Copies a field of another structure; does nothing if that structure has no such field.
    public func set(_ field: StaticString, copying fields: StructureReader) {
        field.withCString { name in
            guard let value = gst_structure_get_value(fields.structure, name) else { return }
            gst_structure_set_value(structure, name, value)
        }
    }

    /// Sets a time or duration (`guint64`, nanoseconds).
    public func set(_ field: StaticString, nanoseconds: UInt64) { set(field, identifier: nanoseconds) }

    /// Sets an identifier (`guint64`).
    public func set(_ field: StaticString, identifier: UInt64) {
        set(field, type: GType(people_g_type_uint64)) { g_value_set_uint64(&$0, guint64(identifier)) }
    }

    /// Sets a Boolean (`gboolean`).
    public func set(_ field: StaticString, _ flag: Bool) {
        set(field, type: GType(people_g_type_boolean)) { g_value_set_boolean(&$0, flag ? 1 : 0) }
    }

    private func set(_ field: StaticString, type: GType, _ assign: (inout GValue) -> Void) {
        var value = GValue()
        g_value_init(&value, type)
        assign(&value)
        // The structure takes over the value's contents.
        field.withCString { gst_structure_take_value(structure, $0, &value) }
    }
}
