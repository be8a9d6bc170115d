import CGStreamer
import TestSupport
import Testing

/// Properties as an application reads and sets them.
struct PropertyTests {
    private final class Instance {
        let object: UnsafeMutablePointer<GObject>

        init() throws {
            guard hasProbe, let element = gst_element_factory_make("peopletestprobe", nil) else {
                throw SetupFailure("no probe")
            }
            object = UnsafeMutableRawPointer(gst_object_ref_sink(element)).assumingMemoryBound(
                to: GObject.self)
        }

        deinit { gst_object_unref(object) }

        func set(_ name: String, _ text: String) { gst_util_set_object_arg(object, name, text) }

        /// Returns the value as `gst-launch-1.0` would write it.
        func get(_ name: String) -> String? {
            guard let spec = spec(name) else { return nil }
            var value = GValue()
            g_value_init(&value, spec.pointee.value_type)
            defer { g_value_unset(&value) }
            g_object_get_property(object, name, &value)
            guard let text = gst_value_serialize(&value) else { return nil }
            defer { g_free(text) }
            return String(cString: text)
        }

        func spec(_ name: String) -> UnsafeMutablePointer<GParamSpec>? {
            let type = people_type_of_instance(object)
            let objectClass = g_type_class_peek(type)?.assumingMemoryBound(to: GObjectClass.self)
            return g_object_class_find_property(objectClass, name)
        }
    }

    @Test(arguments: [
        ("number", "7"), ("ratio", "0.25"), ("color", "4279383126"), ("on", "true"), ("label", "first"),
        ("fruit", "pear"),
    ])
    func startsWithTheSettingsDefaults(_ name: String, _ value: String) throws {
        #expect(try Instance().get(name) == value)
    }

    @Test(arguments: [
        ("number", "-5", "-5"), ("number", "100", "100"), ("number", "101", "7"), ("ratio", "1.0", "1"),
        ("color", "0xff000001", "4278190081"), ("on", "false", "false"), ("label", "second", "second"),
        ("fruit", "quince", "quince"), ("fruit", "0", "apple"), ("fruit", "potato", "pear"),
    ])
    func takesValuesInTheirRange(_ name: String, _ text: String, _ expected: String) throws {
        let instance = try Instance()
        instance.set(name, text)
        #expect(instance.get(name) == expected)
    }

    @Test func keepsInstancesApart() throws {
        let (one, other) = (try Instance(), try Instance())
        one.set("number", "50")
        #expect(one.get("number") == "50")
        #expect(other.get("number") == "7")
    }

    @Test func unsetsTexts() throws {
        let instance = try Instance()
        var null = GValue()
        g_value_init(&null, GType(people_g_type_string))
        g_object_set_property(instance.object, "label", &null)
        g_object_get_property(instance.object, "label", &null)
        #expect(g_value_get_string(&null) == nil)
        g_value_unset(&null)
    }

    @Test func propertiesDeclareInWhichStatesTheyMayChange() throws {
        let instance = try Instance()
        let flags = { (name: String) in
            Int32(truncatingIfNeeded: instance.spec(name)?.pointee.flags.rawValue ?? 0)
        }
        #expect(flags("number") & people_param_mutable_playing != 0)
        #expect(flags("number") & people_param_controllable == 0)
        #expect(flags("ratio") & people_param_controllable != 0)
        #expect(flags("on") & people_param_mutable_playing == 0)
        #expect(flags("on") & people_param_mutable_ready != 0)
    }

    @Test func describesEveryProperty() throws {
        let instance = try Instance()
        for property in ["number", "ratio", "color", "on", "label", "empty", "fruit", "failing"] {
            let blurb = instance.spec(property).flatMap { g_param_spec_get_blurb($0) }.map {
                String(cString: $0)
            }
            #expect(blurb?.isEmpty == false, "\(property)")
        }
    }
}
