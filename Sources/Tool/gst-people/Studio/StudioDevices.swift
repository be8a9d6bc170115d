import GStreamerKit
import JSON

/// The cameras and microphones of the machine, by the names that people know.
enum StudioDevices {
    /// A camera, and what `--camera` calls it.
    struct Camera {
        let id: String
        let name: String
        /// The sizes of its frames, as `1280x720`, the largest first.
        let sizes: [String]

        init?(_ id: String?, _ device: GStreamer.Device) {
            guard let id, device.has(class: "Video/Source") else { return nil }
            (self.id, name) = (id, device.name.isEmpty ? id : device.name)
            var found: [(width: Int, height: Int)] = []
            let caps = device.caps
            for index in 0..<(caps?.count ?? 0) {
                guard let fields = caps?.fields(at: index), let width = fields.int("width"),
                    let height = fields.int("height"), !found.contains(where: { $0 == (width, height) })
                else { continue }
                found.append((width, height))
            }
            sizes = found.sorted { $0 > $1 }.map { "\($0.width)x\($0.height)" }
        }
    }

    /// The cameras of the kernel, and those that only PipeWire has; not those that programs make.
    static var cameras: [Camera] {
        let virtual = VideoDevices.virtual
        let devices = GStreamer.Device.all(of: "v4l2deviceprovider").compactMap { device in
            Camera(device.property("device.path"), device)
        }.filter { !virtual.contains($0.id) }
        let nodes = GStreamer.Device.all(of: "pipewiredeviceprovider")
            .filter { $0.property("api.v4l2.path") == nil }
            .compactMap { Camera($0.property("node.name"), $0) }
        return devices + nodes.filter { $0.id != VirtualCamera.nodeName }
    }

    /// Returns the cameras and microphones for the page.
    ///
    /// - Parameter options: name the camera, or what replaces it.
    static func json(_ options: LiveOptions, _ microphones: StudioMicrophones) -> JSON {
        let cameras = cameras.map { camera in
            JSON.object([
                ("id", .string(camera.id)), ("name", .string(camera.name)),
                ("sizes", .array(camera.sizes.map { .string($0) })),
            ])
        }
        return .object([
            ("cameras", .array(cameras)), ("chosen", options.camera.map { .string($0) } ?? .null),
            ("hasVirtualCamera", .bool(!VideoDevices.virtual.isEmpty)),
            ("installation", .string(VirtualCamera.installation)),
            ("hasClip", .bool(SampleMedia.clip != nil)),
            ("isClip", .bool(options.usesStandIn || options.video != nil)),
            ("microphones", .array(microphones.names.map { .string($0) })),
            ("microphone", microphones.chosen.map { .string($0) } ?? .null),
        ])
    }
}
