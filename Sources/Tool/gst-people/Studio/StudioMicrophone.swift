import CommandKit
import GStreamerKit
import Synchronization

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
    private let last = Mutex<UInt64>(GStreamer.systemTime)

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
        let element = pipeline.element
        sink.setCallbacks(
            onSample: { [weak self] sink in
                guard let sound = sink.pull(within: 0), let time = sound.runningTime else { return true }
                self?.last.withLock { $0 = GStreamer.systemTime }
                onSound(sound, time &+ element.baseTime)
                return true
            }, onEnd: {})
        element.setState(.playing)
    }

    deinit { pipeline.element.setState(.null) }

    /// The reason why no sound comes, as a sentence; nil while it comes.
    var fault: String? {
        if let message = pipeline.bus.pop(.error) { return "The microphone \(name): \(message.failure.text)" }
        let (last, now) = (last.withLock { $0 }, GStreamer.systemTime)
        return now > last + Self.patience ? "The microphone \(name) sends no sound." : nil
    }
}
