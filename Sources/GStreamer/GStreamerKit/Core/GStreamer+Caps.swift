import CGStreamer

extension GStreamer {
    /// The kinds of data that a pad accepts or gives, or the kind of a stream: a list of structures, the best
    /// first.
    ///
    /// Changing a copy leaves the other copies as they are.
    package struct Caps: MiniObjectHandle, Equatable {
        package private(set) var reference: MiniObjectReference

        package init(_ reference: MiniObjectReference) { self.reference = reference }

        /// Parses caps as they are written in pipeline descriptions.
        package init?(_ text: String) {
            guard let caps = gst_caps_from_string(text) else { return nil }
            self.init(taking: caps)
        }

        /// Finds the kind of data that begins with these bytes; nil for no known kind.
        package init?(typeOf bytes: [UInt8]) {
            guard let caps = gst_type_find_helper_for_data(nil, bytes, gsize(bytes.count), nil) else {
                return nil
            }
            self.init(taking: caps)
        }

        package static func == (one: Caps, other: Caps) -> Bool {
            one.reference.pointer == other.reference.pointer
                || gst_caps_is_equal(one.pointer(), other.pointer()) != 0
        }

        fileprivate mutating func makeWritable() -> UnsafeMutablePointer<GstCaps>? {
            if isKnownUniquelyReferenced(&reference), reference.isWritable { return pointer() }
            guard let copy = gst_caps_copy(pointer()) else { return nil }
            reference = MiniObjectReference(taking: copy)
            return copy
        }
    }
}

// MARK: - Reading

extension GStreamer.Caps {
    /// Number of structures.
    package var count: Int { Int(gst_caps_get_size(pointer())) }

    /// Returns the fields of a structure.
    package func fields(at index: Int) -> StructureReader? {
        guard let index = guint(exactly: index), index < gst_caps_get_size(pointer()) else { return nil }
        return gst_caps_get_structure(pointer(), index).map {
            StructureReader(structure: $0, owner: reference)
        }
    }

    /// The fields of the first structure.
    package var fields: StructureReader? { fields(at: 0) }

    /// The name of the first structure: `audio/mpeg`.
    package var mediaType: String { fields?.name ?? "" }

    /// Whether there is one structure, all of whose fields have one value.
    package var isFixed: Bool { gst_caps_is_fixed(pointer()) != 0 }

    package var isEmpty: Bool { gst_caps_is_empty(pointer()) != 0 }

    /// The caps as a text that `init(_:)` parses.
    package var text: String { gst_caps_to_string(pointer()).map(copyAndFree) ?? "" }

    package func canIntersect(_ other: Self) -> Bool {
        gst_caps_can_intersect(pointer(), other.pointer()) != 0
    }

    /// Returns the intersection of both caps, in the order of these; may be empty.
    package func intersection(_ other: Self) -> Self? {
        gst_caps_intersect_full(pointer(), other.pointer(), GST_CAPS_INTERSECT_FIRST).map { Self(taking: $0) }
    }
}

// MARK: - Changing

extension GStreamer.Caps {
    /// Returns these structures, followed by those of `other` that they do not contain.
    package func merged(with other: Self?) -> Self {
        guard let other, let both = gst_caps_merge(retained(), other.retained()) else { return self }
        return Self(taking: both)
    }

    /// Appends the structures of `other`.
    package mutating func append(_ other: Self) {
        if let caps = makeWritable() { gst_caps_append(caps, other.retained()) }
    }

    /// Removes fields from all structures.
    package mutating func removeFields(_ names: String...) {
        guard let caps = makeWritable() else { return }
        for index in 0..<gst_caps_get_size(caps) {
            for name in names { gst_structure_remove_field(gst_caps_get_structure(caps, index), name) }
        }
    }

    /// Sets a field of all structures.
    ///
    /// - Parameter isList: whether `text` is a list of values.
    mutating func setField(_ name: String, to text: String, isList: Bool = false) {
        guard let caps = makeWritable() else { return }
        var value = GValue()
        g_value_init(&value, isList ? gst_value_list_get_type() : GType(people_g_type_string))
        defer { g_value_unset(&value) }
        guard gst_value_deserialize(&value, text) != 0 else { return }
        for index in 0..<gst_caps_get_size(caps) {
            gst_structure_set_value(gst_caps_get_structure(caps, index), name, &value)
        }
    }

    /// The first structure with one value for each field: the preferred one.
    package var fixated: Self {
        gst_caps_fixate(retained()).map { Self(taking: $0) } ?? self
    }

    /// Returns the structure at `index` by itself, with one value for each field.
    ///
    /// - Parameters:
    ///   - numbers: integer fields, and the values that they are to be near.
    ///   - fractions: fraction fields, and the integers that they are to be near.
    package func fixated(
        at index: Int, nearest numbers: [(field: String, value: Int)],
        fractions: [(field: String, value: Int)]
    ) -> Self? {
        guard let index = guint(exactly: index), index < gst_caps_get_size(pointer()),
            let caps = gst_caps_copy_nth(pointer(), index)
        else {
            return nil
        }
        let copy = Self(taking: caps)
        guard let structure = gst_caps_get_structure(caps, 0) else { return nil }
        for (field, value) in numbers {
            gst_structure_fixate_field_nearest_int(structure, field, gint(clamping: value))
        }
        for (field, value) in fractions {
            gst_structure_fixate_field_nearest_fraction(structure, field, gint(clamping: value), 1)
        }
        gst_structure_fixate(structure)
        return copy
    }
}
