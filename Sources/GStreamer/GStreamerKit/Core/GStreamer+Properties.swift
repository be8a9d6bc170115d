import CGStreamer
import FileNames

extension ObjectHandle {
    /// Sets a property from a text, as in a pipeline description.
    package func set(_ property: String, parsing text: String) {
        gst_util_set_object_arg(pointer(), property, text)
    }

    /// Sets a text property to exactly this text, which may be a file name.
    package func set(_ property: String, to text: String) {
        set(property, GType(people_g_type_string)) { g_value_set_string(&$0, text.fileName) }
    }

    /// Sets a caps property.
    package func set(_ property: String, to caps: GStreamer.Caps) {
        set(property, gst_caps_get_type()) {
            g_value_set_boxed(&$0, UnsafeRawPointer(caps.reference.pointer))
        }
    }

    /// Sets a date property to a number of seconds since 1970.
    package func set(_ property: String, toTime seconds: Int64) {
        guard let date = g_date_time_new_from_unix_utc(gint64(seconds)) else { return }
        defer { g_date_time_unref(date) }
        set(property, g_date_time_get_type()) { g_value_set_boxed(&$0, UnsafeRawPointer(date)) }
    }

    /// Returns the word of an enumeration property; nil for properties of other types.
    package func word(of property: String) -> String? {
        var value = GValue()
        g_object_get_property(pointer(), property, &value)
        defer { g_value_unset(&value) }
        return gst_value_serialize(&value).map(copyAndFree)
    }

    private func set(_ property: String, _ type: GType, _ assign: (inout GValue) -> Void) {
        var value = GValue()
        g_value_init(&value, type)
        assign(&value)
        g_object_set_property(pointer(), property, &value)
        g_value_unset(&value)
    }
}

extension GStreamer {
    /// A property as the element's class declares it.
    package struct PropertyDescription {
        // GStreamer never unloads the class, which owns the specification.
        private let specification: UnsafeMutablePointer<GParamSpec>

        /// Returns nil when the element has no such property, or is not installed.
        package init?(_ property: String, of factory: String) {
            guard let elementClass = Self.elementClass(factory),
                let specification = g_object_class_find_property(elementClass, property)
            else { return nil }
            self.specification = specification
        }

        private init(_ specification: UnsafeMutablePointer<GParamSpec>) { self.specification = specification }

        /// Returns the properties of an element, without deprecated ones and those that every element has; none
        /// when the element is not installed.
        package static func all(of factory: String) -> [PropertyDescription] {
            guard let elementClass = elementClass(factory) else { return [] }
            var count: guint = 0
            guard let list = g_object_class_list_properties(elementClass, &count) else { return [] }
            defer { g_free(list) }
            let general: Set<GType> = [
                gst_object_get_type(), gst_element_get_type(), gst_base_transform_get_type(),
            ]
            return (0..<Int(count)).compactMap { list[$0] }
                .filter { !general.contains($0.pointee.owner_type) }.map { PropertyDescription($0) }
                .filter { !$0.has(people_param_deprecated) }
        }

        private static func elementClass(_ factory: String) -> UnsafeMutablePointer<GObjectClass>? {
            guard let found = gst_element_factory_find(factory) else { return nil }
            let factory = ObjectReference(taking: UnsafeMutableRawPointer(found))
            guard let loaded = gst_plugin_feature_load(OpaquePointer(factory.pointer)) else { return nil }
            let feature = ObjectReference(taking: UnsafeMutableRawPointer(loaded))
            let type = gst_element_factory_get_element_type(OpaquePointer(feature.pointer))
            return g_type_class_ref(type)?.assumingMemoryBound(to: GObjectClass.self)
        }

        /// Whether `text` is a value in the property's range.
        package func accepts(_ text: String) -> Bool {
            value(text) { value in
                // GLib changes values that are out of range.
                g_param_value_validate(specification, value) == 0
            } ?? false
        }

        /// Returns the text of a value as GStreamer writes it; nil when `text` is no value in the property's
        /// range.
        package func written(_ text: String) -> String? {
            if isText { return text }
            guard accepts(text), let found = value(text, { gst_value_serialize($0).map(copyAndFree) }),
                let written = found
            else { return nil }
            // The shortest text of a number, not GStreamer's text with 17 digits.
            if case .number = kind { return Double(written).map { "\($0)" } }
            return written
        }

        /// The range of a number; nil for other properties.
        package var range: ClosedRange<Double>? {
            // GStreamer has both words for the limits of the type.
            guard let minimum = limit("min"), let maximum = limit("max"), minimum <= maximum else {
                return nil
            }
            return minimum...maximum
        }

        /// Kinds of values.
        package enum Kind {
            case flag, integer, number, text
            /// One of several words, each with its meaning.
            case choice([(word: String, meaning: String)])
            case other
        }

        package var name: String { String(cString: specification.pointee.name) }

        /// The property's description; a sentence without a full stop.
        package var summary: String {
            g_param_spec_get_blurb(specification).map { String(cString: $0) } ?? ""
        }

        package var isText: Bool {
            if case .text = kind { true } else { false }
        }

        /// Whether the property can be set while the pipeline plays.
        package var isLive: Bool {
            has(people_param_mutable_playing)
        }

        private func has(_ flag: gint) -> Bool {
            Int64(specification.pointee.flags.rawValue) & Int64(flag) != 0
        }

        package var kind: Kind {
            let type = specification.pointee.value_type
            switch type {
            case GType(people_g_type_boolean): return .flag
            case GType(people_g_type_string): return .text
            case GType(people_g_type_double): return .number
            case GType(people_g_type_int), GType(people_g_type_uint), GType(people_g_type_int64):
                return .integer
            default: return g_type_is_a(type, GType(people_g_type_enum)) != 0 ? .choice(words) : .other
            }
        }

        private var words: [(word: String, meaning: String)] {
            guard let reference = g_type_class_ref(specification.pointee.value_type) else { return [] }
            defer { g_type_class_unref(reference) }
            let choices = reference.assumingMemoryBound(to: GEnumClass.self).pointee
            return (0..<Int(choices.n_values)).map { index in
                let choice = choices.values[index]
                return (String(cString: choice.value_nick), String(cString: choice.value_name))
            }
        }

        /// The default value as a text, as in a pipeline description; nil for a text that is not set.
        package var defaultText: String? {
            guard let value = g_param_spec_get_default_value(specification) else { return nil }
            if case .text = kind { return g_value_get_string(value).map { String(cString: $0) } }
            return gst_value_serialize(value).map(copyAndFree)
        }

        private func limit(_ word: String) -> Double? {
            value(word) { value in
                g_param_value_validate(specification, value)
                return gst_value_serialize(value).map(copyAndFree).flatMap { Double($0) }
            } ?? nil
        }

        /// Calls `body` with a value of the property's type; returns nil when `text` is no such value.
        private func value<Result>(
            _ text: String, _ body: (UnsafeMutablePointer<GValue>) -> Result
        ) -> Result? {
            var value = GValue()
            g_value_init(&value, specification.pointee.value_type)
            defer { g_value_unset(&value) }
            guard gst_value_deserialize(&value, text) != 0 else { return nil }
            return body(&value)
        }
    }
}

extension GStreamer.Element {
    /// Calls `body` with each new pad, on a thread of GStreamer's.
    package func onPadAdded(_ body: @escaping @Sendable (GStreamer.Pad) -> Void) {
        typealias Box = ClosureBox<@Sendable (GStreamer.Pad) -> Void>
        let callback: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, pad, data in
            if let pad { Box.body(data)?(GStreamer.Pad(retaining: pad)) }
        }
        connect("pad-added", unsafeBitCast(callback, to: GCallback.self), Box(body).retained)
    }

    /// Calls `body` when the element has all its pads.
    package func onNoMorePads(_ body: @escaping @Sendable () -> Void) {
        typealias Box = ClosureBox<@Sendable () -> Void>
        let callback: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in Box.body(data)?() }
        connect("no-more-pads", unsafeBitCast(callback, to: GCallback.self), Box(body).retained)
    }

    /// Sets the function that decides whether a decodebin decodes streams of some caps further.
    package func onAutoplug(_ body: @escaping @Sendable (GStreamer.Caps) -> Bool) {
        typealias Box = ClosureBox<@Sendable (GStreamer.Caps) -> Bool>
        let callback: @convention(c) (gpointer?, gpointer?, gpointer?, gpointer?) -> gboolean = {
            _, _, caps, data in
            guard let caps, let body = Box.body(data) else { return 1 }
            return body(GStreamer.Caps(retaining: caps)) ? 1 : 0
        }
        connect("autoplug-continue", unsafeBitCast(callback, to: GCallback.self), Box(body).retained)
    }

    /// Calls `body` with each element added to this bin or to a bin inside it, on the thread that adds it.
    package func onElementAdded(_ body: @escaping @Sendable (GStreamer.Element) -> Void) {
        typealias Box = ClosureBox<@Sendable (GStreamer.Element) -> Void>
        let callback: @convention(c) (gpointer?, gpointer?, gpointer?, gpointer?) -> Void = {
            _, _, element, data in
            if let element { Box.body(data)?(GStreamer.Element(retaining: element)) }
        }
        connect("deep-element-added", unsafeBitCast(callback, to: GCallback.self), Box(body).retained)
    }

    private func connect(_ signal: String, _ callback: GCallback?, _ data: gpointer) {
        g_signal_connect_data(
            reference.pointer, signal, callback, data, { data, _ in releaseClosure(data) },
            GConnectFlags(rawValue: 0))
    }
}
