import CommandKit
import FileNames
import GStreamerKit
import Glibc

/// Elements that deliver live frames.
struct LiveSource {
    enum Kind {
        case camera
        /// A video in a loop.
        case clip
        /// A stream behind the people.
        case stream
    }

    let kind: Kind
    /// The name in messages.
    let name: String
    /// The elements as a pipeline description; their frames may be JPEG.
    let elements: String
    /// Elements that decode the frames.
    let decoder: String
    /// The size, rate and format of the frames; nil where only the frames tell.
    var mode: CameraMode?

    var isClip: Bool { kind == .clip }

    /// Whether the memory of frames lasts when the elements are closed.
    ///
    /// `pipewiresrc` (0.3.65) unmaps that of its frames, also while other elements read them.
    var ownsMemory: Bool { !elements.hasPrefix(PipeWireCamera.element) }

    /// A queue that keeps only the newest frame: a frame that is still waiting when the next one arrives is
    /// late.
    static let newest = "queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0"

    /// All elements as the description of one pipeline.
    var description: String { "\(elements) ! \(Self.newest) ! \(decoder)" }

    /// Chooses the camera, or its replacement, and prints which it is.
    init(_ options: LiveOptions) throws(ToolError) {
        if let video = options.video {
            self = try .video(video, options.size)
            return
        }
        if options.usesStandIn {
            self = try .clip(options.size)
            return
        }
        do throws(ToolError) {
            self = try .camera(options)
        } catch {
            guard SampleMedia.clip != nil, options.mayAsk else { throw error }
            guard error.code == .input, options.source == nil,
                try Terminal.confirms("\(error.message)\nPlay the packaged clip instead? [Y/n] ")
            else {
                throw ToolError(error.code, "\(error.message)\n  The packaged clip can stand in: --stand-in")
            }
            self = try .clip(options.size)
        }
    }

    private init(
        _ kind: Kind, _ name: String, _ elements: String, decoder: String = "videoconvert",
        mode: CameraMode? = nil
    ) {
        (self.kind, self.name, self.elements, self.decoder) = (kind, name, elements, decoder)
        self.mode = mode
    }

    /// Returns a stream from a server or a file, with frames paced by the clock.
    static func stream(_ uri: String) -> LiveSource {
        LiveSource(
            .stream, uri, "uridecodebin uri=\(descriptionText(uri)) ! videoconvert ! clocksync")
    }

    /// Returns the packaged clip.
    ///
    /// - Parameter size: size that frames are scaled to, like a size of a camera; nil for the clip's own.
    private static func clip(_ size: (width: Int, height: Int)?) throws(ToolError) -> LiveSource {
        guard let clip = SampleMedia.clip else {
            throw ToolError(
                .missing,
                "The packaged clip is not here. It comes with the package gst-people-models, and with pipelines/setup."
            )
        }
        try printText("stand-in: the packaged clip\n")
        return try video(clip, size)
    }

    private static func video(
        _ path: String, _ size: (width: Int, height: Int)?
    ) throws(ToolError) -> LiveSource {
        try checkInput(path)
        let scaling = size.map { size in
            "videoscale ! capsfilter caps=video/x-raw,width=\(size.width),height=\(size.height),"
                + "pixel-aspect-ratio=1/1 ! "
        }
        // The clock gives the frames the pace of a camera's.
        return LiveSource(
            .clip, path,
            "filesrc location=\(descriptionText(path)) ! decodebin ! videoconvert ! \(scaling ?? "")clocksync"
        )
    }

    private static func camera(_ options: LiveOptions) throws(ToolError) -> LiveSource {
        let (elements, offered) = try device(options)
        guard let mode = CameraMode.best(of: offered.caps, size: options.size) else {
            throw ToolError(.input, "the camera has no such mode. It offers:\n\(offered.list)")
        }
        try printText("camera: \(mode.summary)\n")
        return LiveSource(
            .camera, "camera", "\(elements) ! \(mode.caps)", decoder: mode.decoder, mode: mode)
    }

    /// Returns the camera that is back, or another one, with frames of a mode, since the elements behind it
    /// may not change.
    static func camera(_ options: LiveOptions, in wanted: CameraMode?) throws(ToolError) -> LiveSource {
        let (elements, offered) = try device(options)
        let size = wanted.map { ($0.width, $0.height) } ?? options.size
        let found =
            CameraMode.best(of: offered.caps, size: size) ?? CameraMode.best(of: offered.caps, size: nil)
        guard let mode = found else { throw ToolError(.input, "the camera has no such mode.") }
        let adapter = wanted.flatMap { $0.caps == mode.caps ? nil : " ! \(mode.decoder) ! \($0.adapter)" }
        return LiveSource(
            .camera, "camera", "\(elements) ! \(mode.caps)\(adapter ?? "")",
            decoder: (wanted ?? mode).decoder)
    }

    // MARK: - Messages

    /// Returns the message about a silence of so many seconds, with likely causes.
    func silence(seconds: Int64) -> String {
        let start = "\(name): no frames for \(seconds) s. "
        guard kind == .camera else {
            return start + "The stream may not be running, its address may be wrong, or the network is slow."
        }
        let found = VideoDevices.cameras
        return start
            + "Another program may use the camera, it may be switched off, or another one is meant (--camera). "
            + "Cameras here: \(found.isEmpty ? "none" : found.joined(separator: ", "))."
    }

    private static func device(_ options: LiveOptions) throws(ToolError) -> (String, OfferedCaps) {
        if let source = options.source {
            // Caps may end it, which only an element may follow.
            let elements = source + " ! identity"
            return (elements, try OfferedCaps(of: elements))
        }
        return try camera(at: options.camera)
    }

    /// Returns the camera with a name, or the first camera that delivers frames.
    private static func camera(at name: String?) throws(ToolError) -> (String, OfferedCaps) {
        if let name, !name.hasPrefix("/") { return try pipeWire(name) }
        do throws(ToolError) { return try device(at: name) } catch {
            let others = name == nil ? PipeWireCamera.all : []
            guard let camera = others.first(where: { $0.name != VirtualCamera.nodeName }) else { throw error }
            return (camera.elements, camera.offered)
        }
    }

    private static func pipeWire(_ name: String) throws(ToolError) -> (String, OfferedCaps) {
        guard GStreamer.Registry.has(element: "pipewiresrc") else { throw .missing(element: "pipewiresrc") }
        let found = PipeWireCamera.all
        guard let camera = found.first(where: { $0.name == name }) else {
            let others = found.isEmpty ? "none" : found.map(\.name).joined(separator: ", ")
            throw ToolError(.input, "PipeWire has no camera \(name). Cameras there: \(others).")
        }
        return (camera.elements, camera.offered)
    }

    private static func device(at path: String?) throws(ToolError) -> (String, OfferedCaps) {
        let found = VideoDevices.cameras
        if let path, access(path.fileName, F_OK) != 0 {
            let others = found.isEmpty ? "none" : found.joined(separator: ", ")
            throw ToolError(.input, "there is no \(path). Cameras here: \(others).")
        }
        var reasons = ""
        for candidate in path.map({ [$0] }) ?? found {
            let elements = "v4l2src device=\(descriptionText(candidate))"
            do throws(ToolError) { return (elements, try OfferedCaps(of: elements)) } catch {
                reasons += "\n  \(candidate): \(error.message)"
            }
        }
        throw ToolError(.input, (path == nil ? "no camera found." : "no camera there.") + reasons)
    }
}

/// The caps that elements without a sink can deliver.
struct OfferedCaps {
    let caps: GStreamer.Caps

    init(_ caps: GStreamer.Caps) { self.caps = caps }

    /// Queries the elements' caps; opens the device and closes it again.
    init(of elements: String) throws(ToolError) {
        let pipeline = try GStreamer.Pipeline.make()
        let source = try pipeline.add(chain: elements)
        guard let pad = source.pad("src") else {
            throw ToolError(.input, "\(elements): delivers no frames")
        }
        try pipeline.open()
        guard let caps = pad.possibleCaps else {
            throw ToolError(.input, "\(elements): delivers no frames")
        }
        self.caps = caps
    }

    /// The caps for users, one mode per line.
    var list: String {
        let maximum = 20
        return (0..<min(caps.count, maximum)).compactMap { caps.fields(at: $0).map { "  " + $0.text } }
            .joined(separator: "\n")
    }
}

extension GStreamer.Pipeline {
    /// Opens the devices of the elements; the pipeline's end closes them.
    func open() throws(ToolError) {
        guard !element.setState(.ready) else { return }
        throw ToolError(.input, bus.pop(.error)?.failure.text ?? "it cannot be opened")
    }
}

/// Returns a text quoted as a value in a pipeline description.
func descriptionText(_ text: String) -> String {
    "\"" + text.map { "\\\"".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
}

/// A camera in PipeWire, provided by libcamera or by a program.
struct PipeWireCamera {
    /// The element that reads such cameras.
    static let element = "pipewiresrc"

    /// The name of its node.
    let name: String
    let offered: OfferedCaps

    // Frames of some programs have no times.
    /// The source as a pipeline description.
    var elements: String { "\(Self.element) do-timestamp=true target-object=\(descriptionText(name))" }

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
