import CommandKit
import GStreamerKit

/// A camera in PipeWire, provided by libcamera or by a program.
struct PipeWireCamera {
    /// The name of its node.
    let name: String
    let offered: OfferedCaps

    // Frames of some programs have no times.
    /// The source as a pipeline description.
    var elements: String { "pipewiresrc do-timestamp=true target-object=\(descriptionText(name))" }

    /// All cameras; none if PipeWire does not run, or its plug-in for GStreamer is not installed.
    static var all: [PipeWireCamera] {
        GStreamer.Device.all(of: "pipewiredeviceprovider").compactMap { device in
            guard device.has(class: "Video/Source"), let name = device.property("node.name"),
                let caps = device.caps
            else { return nil }
            return PipeWireCamera(name: name, offered: OfferedCaps(caps))
        }
    }
}

/// Video devices of the machine.
enum VideoDevices {
    /// Devices of hardware, in the order of their numbers.
    static var cameras: [String] { devices(in: "/dev").filter { !virtual.contains($0) } }

    /// Devices made by programs such as v4l2loopback, in the order of their numbers.
    static var virtual: [String] { devices(in: "/sys/devices/virtual/video4linux") }

    /// Returns the number N in `/dev/videoN`.
    static func number(_ path: String) -> Int? {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix("video") ? Int(name.dropFirst("video".count)) : nil
    }

    /// Returns the name of a virtual device in other programs, with its path.
    static func name(of path: String) -> String {
        let file = "/sys/devices/virtual/video4linux/\(path.split(separator: "/").last ?? "")/name"
        guard let label = FileSystem.text(of: file)?.split(separator: "\n").first else { return path }
        return "\(label) (\(path))"
    }

    private static func devices(in folder: String) -> [String] {
        FileSystem.names(in: folder).compactMap(number).sorted().map { "/dev/video\($0)" }
    }
}
