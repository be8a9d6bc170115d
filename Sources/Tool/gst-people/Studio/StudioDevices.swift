import CommandKit
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

    /// The identifier of the camera that a service offers, for the page.
    static let offered = "service"

    /// Returns the cameras and microphones for the page.
    ///
    /// - Parameters:
    ///   - options: name the camera, or what replaces it.
    ///   - isOffered: whether a service offers a camera.
    ///   - isShown: whether this camera is shown.
    static func json(
        _ options: LiveOptions, _ microphones: StudioMicrophones, isOffered: Bool, isShown: Bool
    ) -> JSON {
        let service = isOffered ? [json(offered, "Camera service", sizes: [])] : []
        let cameras = service + cameras.map { json($0.id, $0.name, sizes: $0.sizes) }
        let chosen = isShown ? offered : options.camera
        return .object([
            ("cameras", .array(cameras)), ("chosen", chosen.map { .string($0) } ?? .null),
            ("hasVirtualCamera", .bool(!VideoDevices.virtual.isEmpty)),
            ("installation", .string(VirtualCamera.installation)),
            ("hasClip", .bool(SampleMedia.clip != nil)),
            ("isClip", .bool(options.usesStandIn || options.video != nil)),
            ("microphones", .array(microphones.names.map { .string($0) })),
            ("microphone", microphones.chosen.map { .string($0) } ?? .null),
        ])
    }

    private static func json(_ id: String, _ name: String, sizes: [String]) -> JSON {
        .object([
            ("id", .string(id)), ("name", .string(name)), ("sizes", .array(sizes.map { .string($0) })),
        ])
    }
}

/// The choice of the microphone for recordings.
struct StudioMicrophones: Sendable {
    /// The name of the microphone; nil for the first one, empty for none.
    var name: String?
    /// Elements that replace the microphones.
    var stand: String?

    /// The microphones of the machine with the names that people know, the default one first.
    private var devices: [(name: String, device: GStreamer.Device)] {
        // PulseAudio, or PipeWire in its place, has all microphones; ALSA has those of a machine without both.
        // PipeWire's own provider (0.3.65) does not return when it starts again while a camera of PipeWire is open.
        let providers = ["pulsedeviceprovider", "alsadeviceprovider"]
        let found = providers.lazy.map { provider in
            GStreamer.Device.all(of: provider).filter {
                // A monitor is not a microphone: it has what is played.
                $0.has(class: "Audio/Source") && $0.property("device.class") != "monitor"
            }
        }.first { !$0.isEmpty }
        var names: Set<String> = []
        return (found ?? []).sorted { $0.isDefault && !$1.isDefault }.map { device in
            var (name, number) = (device.name, 1)
            while !names.insert(name).inserted {
                number += 1
                name = "\(device.name) \(number)"
            }
            return (name, device)
        }
    }

    /// The names of the microphones.
    var names: [String] { stand.map { [$0] } ?? devices.map(\.name) }

    /// The name of the chosen microphone; nil for none.
    var chosen: String? { name.map { $0.isEmpty ? nil : $0 } ?? names.first }

    /// Returns the chosen microphone; nil for none.
    func source() throws(ToolError) -> (name: String, element: GStreamer.Element)? {
        if name == "" { return nil }
        if let stand { return (stand, try .parse(stand)) }
        let devices = devices
        guard let name else {
            return devices.first.flatMap { named in named.device.element.map { (named.name, $0) } }
        }
        guard let element = devices.first(where: { $0.name == name })?.device.element else {
            throw ToolError(.input, "There is no microphone \(name) any more. Choose another, or none.")
        }
        return (name, element)
    }
}

/// A microphone whose sound goes into a recording.
///
/// It is a pipeline of its own, so that a microphone that is unplugged does not end the recording.
final class Microphone: Sendable {
    let name: String
    private let pipeline: GStreamer.Pipeline
    /// Time of the system clock at which sound came last, in nanoseconds.
    private let last = Guarded<UInt64>(GStreamer.systemTime)

    /// Longest time without sound, in nanoseconds; the picture waits for the sound as long.
    private static let patience: UInt64 = 1_000_000_000

    /// Starts a microphone.
    ///
    /// - Parameter onSound: called with each piece of sound, and the time of the system clock at which it was
    ///   taken in nanoseconds, on a thread of the microphone's.
    init(
        _ name: String, _ source: GStreamer.Element,
        onSound: @escaping @Sendable (GStreamer.Sample, _ taken: UInt64) -> Void
    ) throws(ToolError) {
        (self.name, pipeline) = (name, try .make())
        pipeline.element.useSystemClock()
        pipeline.element.add(source)
        let format = "audio/x-raw,format=S16LE,rate=48000,channels=2,layout=interleaved"
        let chain = try pipeline.add(
            chain: "audioconvert ! audioresample ! \(format) ! appsink name=sound sync=false")
        try link(source, chain)
        guard let sink = GStreamer.AppSink(chain.element(named: "sound")) else {
            throw ToolError(.failed, "GStreamer could not make the pipeline.")
        }
        sink.setCallbacks(
            // The sink is in the pipeline, which would keep itself.
            onSample: { [last, weak pipeline] sink in
                guard let pipeline, let sound = sink.pull(within: 0), let time = sound.runningTime
                else { return true }
                last.update { $0 = GStreamer.systemTime }
                onSound(sound, time &+ pipeline.element.baseTime)
                return true
            }, onEnd: {})
        pipeline.element.setState(.playing)
    }

    deinit { pipeline.element.setState(.null) }

    /// The reason why no sound comes, as a sentence; nil while it comes.
    var fault: String? {
        if let message = pipeline.bus.pop(.error) { return "The microphone \(name): \(message.failure.text)" }
        let (last, now) = (last.snapshot(), GStreamer.systemTime)
        return now > last + Self.patience ? "The microphone \(name) sends no sound." : nil
    }
}
