import CGStreamer
import CommandKit
import Glibc

/// A camera for other programs, made by v4l2loopback.
enum VirtualCamera {
    /// The elements that write to the virtual camera at `path`, or to the first one.
    static func sink(at path: String?) throws(ToolError) -> String {
        let device = path ?? VideoDevices.virtual.first
        guard let device, access(device, F_OK) == 0 else { throw ToolError(.input, advice(device)) }
        // Elements before it must not write into its few buffers: drivers fail when all are in use.
        let elements = "identity drop-allocation=true ! v4l2sink device=\(launchText(device)) sync=false"
        do throws(ToolError) {
            let graph = try Graph()
            _ = try graph.add(chain: elements)
            try graph.open()
        } catch {
            throw ToolError(error.code, "\(device) cannot be written to: \(error.message)")
        }
        return elements
    }

    /// Programs such as browsers list it as a camera only with exclusive_caps.
    private static func advice(_ device: String?) -> String {
        let number = device.flatMap(VideoDevices.number) ?? 10
        return """
            there is no \(device ?? "virtual camera"). As root, install v4l2loopback and load it:
              apt-get install v4l2loopback-dkms
              modprobe v4l2loopback video_nr=\(number) card_label="gst-people" exclusive_caps=1
            """
    }
}
