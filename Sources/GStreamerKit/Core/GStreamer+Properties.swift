import CGStreamer

extension ObjectHandle {
    /// Sets a property from its text form, as in a pipeline description.
    package func set(_ property: String, parsing text: String) {
        gst_util_set_object_arg(pointer(), property, text)
    }

    /// Sets a property of texts to exactly this text.
    package func set(_ property: String, to text: String) {
        set(property, GType(people_g_type_string)) { g_value_set_string(&$0, text) }
    }

    /// Sets a property of caps.
    package func set(_ property: String, to caps: GStreamer.Caps) {
        set(property, gst_caps_get_type()) {
            g_value_set_boxed(&$0, UnsafeRawPointer(caps.reference.pointer))
        }
    }

    /// Sets a property of dates to a number of seconds since 1970.
    package func set(_ property: String, toTime seconds: Int64) {
        guard let date = g_date_time_new_from_unix_utc(gint64(seconds)) else { return }
        defer { g_date_time_unref(date) }
        set(property, g_date_time_get_type()) { g_value_set_boxed(&$0, UnsafeRawPointer(date)) }
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
    /// What a property takes, as the element's class declares it.
    package struct PropertyDescription {
        // GStreamer never unloads the class, which owns it.
        private let specification: UnsafeMutablePointer<GParamSpec>

        /// Nil when the element has no such property, or is not installed.
        package init?(_ property: String, of factory: String) {
            guard let found = gst_element_factory_find(factory) else { return nil }
            let factory = ObjectReference(taking: UnsafeMutableRawPointer(found))
            guard let loaded = gst_plugin_feature_load(OpaquePointer(factory.pointer)) else { return nil }
            let feature = ObjectReference(taking: UnsafeMutableRawPointer(loaded))
            let type = gst_element_factory_get_element_type(OpaquePointer(feature.pointer))
            guard let elementClass = g_type_class_ref(type)?.assumingMemoryBound(to: GObjectClass.self),
                let specification = g_object_class_find_property(elementClass, property)
            else { return nil }
            self.specification = specification
        }

        /// Whether `text` is a value in the property's range.
        package func accepts(_ text: String) -> Bool {
            value(text) { value in
                // GLib changes values that are out of range.
                g_param_value_validate(specification, value) == 0
            } ?? false
        }

        /// The range of a number; nil for other properties.
        package var range: ClosedRange<Double>? {
            // Both words are GStreamer's, for the limits of the type.
            guard let minimum = limit("min"), let maximum = limit("max"), minimum <= maximum else {
                return nil
            }
            return minimum...maximum
        }

        private func limit(_ word: String) -> Double? {
            value(word) { value in
                g_param_value_validate(specification, value)
                return gst_value_serialize(value).map(taken).flatMap { Double($0) }
            } ?? nil
        }

        /// Calls `body` with a value of the property's type; returns nil when `text` is none.
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
