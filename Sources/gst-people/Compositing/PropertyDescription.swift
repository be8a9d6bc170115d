import CGStreamer
import CommandKit

/// What a property of an element takes, as the element itself declares it.
struct PropertyDescription {
    // GStreamer never unloads the element's class, which owns it.
    private let specification: UnsafeMutablePointer<GParamSpec>

    /// - Throws: when the element is not installed, or has no such property.
    init(_ property: String, of element: String) throws(ToolError) {
        gst_init(nil, nil)
        guard let factory = gst_element_factory_find(element) else { throw .missing(element: element) }
        defer { gst_object_unref(UnsafeMutableRawPointer(factory)) }
        guard let loaded = gst_plugin_feature_load(factory) else { throw .missing(element: element) }
        defer { gst_object_unref(UnsafeMutableRawPointer(loaded)) }
        let type = gst_element_factory_get_element_type(loaded)
        guard
            let elementClass = g_type_class_ref(type)?.assumingMemoryBound(to: GObjectClass.self),
            let specification = g_object_class_find_property(elementClass, property)
        else {
            throw ToolError(.missing, "\(element) has no property \(property). Install gst-people again.")
        }
        self.specification = specification
    }

    /// Whether `text` is a value in the property's range.
    func accepts(_ text: String) -> Bool {
        value(text) { value in
            // GLib changes values that are out of range.
            g_param_value_validate(specification, value) == 0
        } ?? false
    }

    /// The range of a number; nil for other properties.
    var range: ClosedRange<Double>? {
        // Both words are GStreamer's, for the limits of the type.
        guard let minimum = limit("min"), let maximum = limit("max"), minimum <= maximum else { return nil }
        return minimum...maximum
    }

    private func limit(_ word: String) -> Double? {
        value(word) { value in
            g_param_value_validate(specification, value)
            guard let text = gst_value_serialize(value) else { return nil }
            defer { g_free(text) }
            return Double(String(cString: text))
        } ?? nil
    }

    /// Calls `body` with a value of the property's type; returns nil when `text` is none.
    private func value<Result>(_ text: String, _ body: (UnsafeMutablePointer<GValue>) -> Result) -> Result? {
        var value = GValue()
        g_value_init(&value, specification.pointee.value_type)
        defer { g_value_unset(&value) }
        guard gst_value_deserialize(&value, text) != 0 else { return nil }
        return body(&value)
    }
}
