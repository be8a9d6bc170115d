import CGStreamer

extension GStreamer {
    /// The installed plugins and elements.
    package enum Registry {
        private static func factory(_ element: String) -> ObjectReference? {
            gst_element_factory_find(element).map { ObjectReference(taking: UnsafeMutableRawPointer($0)) }
        }

        /// Whether an element is installed.
        package static func has(element: String) -> Bool { factory(element) != nil }

        /// Loads a plugin, as making one of its elements would; false when the plugin is not installed.
        package static func load(plugin name: String) -> Bool {
            gst_plugin_load_by_name(name).map { ObjectReference(taking: UnsafeMutableRawPointer($0)) } != nil
        }

        /// The file of a plugin; nil when it is not installed.
        package static func file(ofPlugin name: String) -> String? {
            guard let plugin = gst_registry_find_plugin(gst_registry_get(), name) else { return nil }
            let reference = ObjectReference(taking: UnsafeMutableRawPointer(plugin))
            defer { withExtendedLifetime(reference) {} }
            return gst_plugin_get_filename(plugin).map { String(cString: $0) }
        }

        /// Returns the elements of a plugin, in the order of their names.
        package static func elements(ofPlugin name: String) -> [String] {
            let features = gst_registry_get_feature_list_by_plugin(gst_registry_get(), name)
            defer { gst_plugin_feature_list_free(features) }
            var names: [String] = []
            var entry = features
            while let node = entry?.pointee {
                if let feature = node.data, isElementFactory(feature),
                    let name = feature.assumingMemoryBound(to: GstObject.self).pointee.name
                {
                    names.append(String(cString: name))
                }
                entry = node.next
            }
            return names.sorted()
        }

        private static func isElementFactory(_ feature: UnsafeMutableRawPointer) -> Bool {
            let instance = feature.assumingMemoryBound(to: GTypeInstance.self)
            return g_type_check_instance_is_a(instance, gst_element_factory_get_type()) != 0
        }

        /// Whether an installed decoder accepts data of these caps.
        package static func canDecode(_ caps: Caps) -> Bool {
            let decoders: GstElementFactoryListType = 1
            let all = gst_element_factory_list_get_elements(decoders, GST_RANK_MARGINAL)
            let fitting = gst_element_factory_list_filter(all, caps.pointer(), GST_PAD_SINK, 0)
            defer {
                gst_plugin_feature_list_free(all)
                gst_plugin_feature_list_free(fitting)
            }
            return fitting != nil
        }
    }
}

extension GStreamer.Element {
    private func metadata(_ key: String) -> String? {
        gst_element_get_factory(pointer()).flatMap { gst_element_factory_get_metadata($0, key) }
            .map { String(cString: $0) }
    }

    /// GStreamer's class path: `Filter/Analyzer/Video`.
    package var classification: String? { metadata("klass") }

    /// The factory's name, with which elements of this kind are made.
    package var factoryName: String? {
        gst_element_get_factory(pointer()).flatMap { factory in
            gst_object_get_name(UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self))
        }.map(copyAndFree)
    }

    /// The name of the element's plugin.
    package var plugin: String? {
        gst_element_get_factory(pointer()).flatMap { gst_plugin_feature_get_plugin_name($0) }
            .map { String(cString: $0) }
    }
}

// MARK: - Devices

extension GStreamer {
    /// A camera, a microphone or the like.
    package struct Device: ObjectHandle {
        package let reference: ObjectReference

        package init(_ reference: ObjectReference) { self.reference = reference }

        /// Returns the devices that a provider lists; none when the provider is not installed or cannot
        /// start.
        package static func all(of provider: String) -> [Device] {
            guard let provider = gst_device_provider_factory_get_by_name(provider) else { return [] }
            let reference = ObjectReference(taking: provider)
            defer { withExtendedLifetime(reference) {} }
            // A provider of PipeWire 1.4 that is not started also lists devices that are gone. There is one provider of a kind, and
            // it runs until the process ends: that of PipeWire 0.3.65 sometimes damages memory, or waits forever, when it is stopped
            // and started again.
            guard gst_device_provider_start(provider) != 0 else { return [] }
            let list = gst_device_provider_get_devices(provider)
            defer { g_list_free(list) }
            var devices: [Device] = []
            var entry = list
            while let node = entry?.pointee {
                if let device = node.data { devices.append(Device(taking: device)) }
                entry = node.next
            }
            return devices
        }

        /// The name for users.
        package var name: String { gst_device_get_display_name(pointer()).map(copyAndFree) ?? "" }

        /// Whether the device is of a class, such as `Video/Source`.
        package func has(class name: String) -> Bool { gst_device_has_classes(pointer(), name) != 0 }

        /// Returns the value of a text property.
        package func property(_ name: String) -> String? {
            guard let properties = gst_device_get_properties(pointer()) else { return nil }
            defer { gst_structure_free(properties) }
            return gst_structure_get_string(properties, name).map { String(cString: $0) }
        }

        /// Whether users have chosen the device as the usual one of its class.
        package var isDefault: Bool {
            guard let properties = gst_device_get_properties(pointer()) else { return false }
            defer { gst_structure_free(properties) }
            var flag: gboolean = 0
            return gst_structure_get_boolean(properties, "is-default", &flag) != 0 && flag != 0
        }

        /// A new element that reads from the device, or writes to it.
        package var element: Element? {
            gst_device_create_element(pointer(), nil).map { Element(taking: $0) }
        }

        /// The caps that the device can deliver.
        package var caps: Caps? { gst_device_get_caps(pointer()).map { Caps(taking: $0) } }
    }
}
