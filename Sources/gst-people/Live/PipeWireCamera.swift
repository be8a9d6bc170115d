import CGStreamer
import CommandKit

/// A camera that PipeWire shows to programs: one that only libcamera can drive, or one that a program provides.
struct PipeWireCamera {
    /// The node's name.
    let name: String
    let offered: OfferedCaps

    // Frames of some programs have no times of their own.
    /// As in a launch line.
    var elements: String { "pipewiresrc do-timestamp=true target-object=\(launchText(name))" }

    /// None where PipeWire does not run, or its plug-in for GStreamer is not installed.
    static var all: [PipeWireCamera] {
        guard let provider = gst_device_provider_factory_get_by_name("pipewiredeviceprovider") else {
            return []
        }
        defer { gst_object_unref(provider) }
        // Of one that is not started PipeWire 1.4 lists devices that are gone.
        guard gst_device_provider_start(provider) != 0 else { return [] }
        defer { gst_device_provider_stop(provider) }
        let devices = gst_device_provider_get_devices(provider)
        defer { g_list_free_full(devices) { gst_object_unref($0) } }
        var cameras: [PipeWireCamera] = []
        var entry = devices
        while let node = entry?.pointee {
            if let device = node.data?.assumingMemoryBound(to: GstDevice.self), let camera = Self(device) {
                cameras.append(camera)
            }
            entry = node.next
        }
        return cameras
    }

    private init?(_ device: UnsafeMutablePointer<GstDevice>) {
        guard gst_device_has_classes(device, "Video/Source") != 0,
            let properties = gst_device_get_properties(device)
        else { return nil }
        defer { gst_structure_free(properties) }
        guard let name = gst_structure_get_string(properties, "node.name"),
            let caps = gst_device_get_caps(device)
        else { return nil }
        self.name = String(cString: name)
        offered = OfferedCaps(caps)
    }
}
