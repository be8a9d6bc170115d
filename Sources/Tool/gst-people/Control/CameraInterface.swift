import CGIO

/// The D-Bus interface of an offered camera.
enum CameraInterface {
    /// The name on the bus, and the name of the interface.
    static let name = "org.gst_people.Camera1"
    static let path = "/org/gst_people/Camera1"

    enum Method: String {
        case cover = "Cover"
        case uncover = "Uncover"
        case usePreset = "UsePreset"
        case set = "Set"
    }

    /// The description that introspection prints.
    static let description = """
        <node>
          <interface name="\(name)">
            <method name="Cover"/>
            <method name="Uncover"/>
            <method name="UsePreset"><arg name="name" type="s" direction="in"/></method>
            <method name="Set">
              <arg name="property" type="s" direction="in"/>
              <arg name="value" type="s" direction="in"/>
            </method>
            <property name="State" type="s" access="read"/>
            <property name="Covered" type="b" access="read"/>
            <property name="Preset" type="s" access="read"/>
            <property name="Problem" type="s" access="read"/>
          </interface>
        </node>
        """

    /// Returns the value of each property, in the order of the description.
    static func properties(_ status: CameraStatus) -> [(name: String, value: OpaquePointer?)] {
        [
            ("State", g_variant_new_string(status.state.rawValue)),
            ("Covered", g_variant_new_boolean(status.isCovered ? 1 : 0)),
            ("Preset", g_variant_new_string(status.preset)),
            ("Problem", g_variant_new_string(status.problem)),
        ]
    }
}

/// Values of GLib for messages.
enum Variant {
    static func tuple(_ values: [OpaquePointer?]) -> OpaquePointer? {
        var values = values
        return g_variant_new_tuple(&values, gsize(values.count))
    }

    static func texts(_ texts: [String]) -> OpaquePointer? { tuple(texts.map { g_variant_new_string($0) }) }

    /// Returns the texts of a tuple; other values are left out.
    static func texts(of tuple: OpaquePointer) -> [String] {
        (0..<g_variant_n_children(tuple)).compactMap { index in
            guard let value = g_variant_get_child_value(tuple, index) else { return nil }
            defer { g_variant_unref(value) }
            guard g_variant_classify(value) == G_VARIANT_CLASS_STRING else { return nil }
            return g_variant_get_string(value, nil).map { String(cString: $0) }
        }
    }
}
