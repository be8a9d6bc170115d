import CGStreamer
import TestSupport

/// Values of metadata that a hostile program may write.
extension SeededGenerator {
    /// Returns a value of any type; lists and structures contain further values, up to a depth.
    mutating func wildValue(depth: Int = 3) -> GValue {
        var value = GValue()
        switch Int.random(in: 0..<(depth > 0 ? 12 : 9), using: &self) {
        case 0, 1:
            g_value_init(&value, GType(people_g_type_int))
            g_value_set_int(&value, gint(truncatingIfNeeded: wildNumber()))
        case 2:
            g_value_init(&value, GType(people_g_type_double))
            g_value_set_double(&value, wildReal())
        case 3:
            g_value_init(&value, GType(people_g_type_string))
            if !once(in: 5) { g_value_set_string(&value, wildText()) }
        case 4:
            g_value_init(&value, GType(people_g_type_uint64))
            g_value_set_uint64(&value, guint64(truncatingIfNeeded: wildNumber()))
        case 5:
            g_value_init(&value, g_type_from_name("gint64"))
            g_value_set_int64(&value, gint64(wildNumber()))
        case 6:
            g_value_init(&value, people_type_fraction())
            let denominator = gint(truncatingIfNeeded: wildNumber())
            // GStreamer accepts neither a fraction by 0 nor one by a number without an opposite.
            let safe = denominator == 0 || denominator == .min ? 1 : denominator
            gst_value_set_fraction(&value, max(gint(truncatingIfNeeded: wildNumber()), -.max), safe)
        case 7:
            g_value_init(&value, GType(people_g_type_boolean))
            g_value_set_boolean(&value, once(in: 2) ? 1 : 0)
        case 8:
            g_value_init(&value, people_type_buffer())
            if !once(in: 5) { g_value_take_boxed(&value, zeroBuffer()) }
        case 9:
            g_value_init(&value, gst_value_list_get_type())
            for var item in wildItems(depth: depth - 1) {
                gst_value_list_append_and_take_value(&value, &item)
            }
        case 10:
            g_value_init(&value, gst_value_array_get_type())
            for var item in wildItems(depth: depth - 1) {
                gst_value_array_append_and_take_value(&value, &item)
            }
        default:
            g_value_init(&value, gst_structure_get_type())
            if !once(in: 5) { g_value_take_boxed(&value, wildStructure(depth: depth - 1)) }
        }
        return value
    }

    /// Returns up to three values for a list or an array; GStreamer accepts only one type in these, and no
    /// lists of other types.
    private mutating func wildItems(depth: Int) -> [GValue] {
        let items = (0..<Int.random(in: 0...3, using: &self)).map { _ in wildValue(depth: depth) }
        guard let type = items.first?.g_type else { return [] }
        let isNested = type == gst_value_list_get_type() || type == gst_value_array_get_type()
        let count = isNested ? 1 : items.prefix { $0.g_type == type }.count
        for var other in items[count...] { g_value_unset(&other) }
        return Array(items[..<count])
    }

    /// Returns a structure with some of the fields that elements read, of any type.
    mutating func wildStructure(depth: Int) -> UnsafeMutablePointer<GstStructure>? {
        let names = [
            "id", "x", "y", "width", "height", "roll", "yaw", "pitch", "faces", "angles-reliable", "mask",
            "joints", "landmarks", "chirality", "nose", "neck", "wrist", "thumb-cmc", "nose-crest",
        ]
        let structure = gst_structure_new_empty(pick(["face", "mask", "detection"]))
        for _ in 0..<Int.random(in: 0...8, using: &self) {
            var value = wildValue(depth: depth)
            gst_structure_take_value(structure, pick(names), &value)
        }
        return structure
    }

    /// Returns a buffer of zeros, of any size up to a few rows; sometimes without memory, or in several
    /// parts.
    private mutating func zeroBuffer() -> UnsafeMutablePointer<GstBuffer>? {
        guard !once(in: 6), let buffer = gst_buffer_new() else { return gst_buffer_new() }
        for _ in 0..<pick([1, 1, 3]) {
            let size = gsize(pick([1, 2, 16, 127, 128, 129, 512, 4096]))
            let part = gst_buffer_new_allocate(nil, size, nil)
            gst_buffer_memset(part, 0, 0, size)
            if let memory = gst_buffer_get_all_memory(part) { gst_buffer_append_memory(buffer, memory) }
            gst_buffer_unref(part)
        }
        return buffer
    }
}
