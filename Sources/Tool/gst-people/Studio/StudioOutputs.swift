import CommandKit
import GStreamerKit
import Glibc
import JSON
import Studio

/// The virtual camera and the recording, which the page starts and stops.
///
/// Each is a pipeline of its own, so that a full disk or a removed camera ends only that pipeline.
final class StudioOutputs {
    private let place: VirtualCamera.Place
    private let folder: String
    /// The microphone of the next recording.
    var microphones: StudioMicrophones
    private var camera: StudioOutput?
    private var recording: StudioOutput?
    /// Recordings that are being completed.
    private var ending: [StudioOutput] = []
    /// The file of the newest recording, and of the newest one that is complete.
    private(set) var (lastFile, completeFile): (String?, String?)

    init(place: VirtualCamera.Place, folder: String, _ microphones: StudioMicrophones) {
        (self.place, self.folder, self.microphones) = (place, folder, microphones)
    }

    /// Returns the state for the page.
    ///
    /// - Parameter offered: the name of the camera by which a service offers the picture; nil without one.
    func state(offered: String?) -> JSON {
        let texts = [offered.map(Self.text(offered:)) ?? cameraText, recordingText]
        return .object([
            ("camera", (offered ?? camera?.name).map { .string($0) } ?? .null),
            ("isOffered", .bool(offered != nil)),
            ("recording", recording?.file.map { .string($0.path) } ?? .null),
            ("complete", recording == nil ? completeFile.map { .string($0) } ?? .null : .null),
            ("recorded", recording.map { .number($0.seconds) } ?? .null),
            ("texts", .array(texts.compactMap { $0 }.map { .string($0) })),
        ])
    }

    private static func text(offered camera: String) -> String {
        "The camera service offers this picture as “\(camera)”, and takes over what you change here."
    }

    /// Whether the virtual camera or a recording gets the picture.
    var areRunning: Bool { camera != nil || recording != nil }

    /// The place where the picture is seen.
    private var cameraText: String? {
        guard let camera, let name = camera.name else {
            return recording == nil && lastFile == nil ? "Only this page shows the picture." : nil
        }
        let choice = "Choose the camera “\(name)” in "
        return camera.feed == nil
            ? "\(choice)Zoom, Teams, Meet, OBS or any other program; one that is open already sees it after a new start."
            : "\(choice)a program of GNOME, in OBS 30.2 or later, or in a browser that is set to PipeWire. "
                + "Zoom and Teams see it only with v4l2loopback."
    }

    private var recordingText: String? {
        guard let path = recording?.file?.path else { return lastFile.map { "Recorded: \($0)." } }
        guard let sound = recording?.microphone?.name else { return "Recording into \(path), without sound." }
        return "Recording into \(path), with the sound of \(sound)."
    }

    func perform(_ action: StudioAction, _ chain: GStreamer.Element) throws(ToolError) {
        switch action {
        case .startCamera: if camera == nil { camera = try makeCamera(chain) }
        case .stopCamera:
            camera?.stop()
            camera = nil
        case .startRecording:
            if recording == nil { recording = try makeRecording(chain) }
            lastFile = recording?.file?.path
        case .stopRecording: finishRecording()
        default: throw .usage("there is no action \(action.rawValue)")
        }
    }

    // MARK: - Pipelines

    private func makeCamera(_ chain: GStreamer.Element) throws(ToolError) -> StudioOutput {
        // Other programs expect one plain format, square pixels, whole frames and a constant size.
        let fixed = "video/x-raw,format=YUY2,pixel-aspect-ratio=1/1,interlace-mode=progressive"
        let elements = "videoconvert ! videoscale ! capsfilter caps=\(fixed)"
        let output: StudioOutput
        switch try VirtualCamera.sink(at: place) {
        case .elements(let sink):
            output = try StudioOutput(["\(elements) ! \(sink)"], to: nil)
            output.name = device.map { VideoDevices.name(of: $0) }
        case .feed(let sink):
            output = try StudioOutput(["\(elements) ! \(VirtualCamera.copies) name=feed"], to: nil)
            output.feed = try CameraFeed(output.chain, sink)
            output.name = "\(VirtualCamera.nodeName) (PipeWire)"
        }
        output.attach(to: chain)
        return output
    }

    private var device: String? {
        if case .device(let path) = place { path } else { VideoDevices.virtual.first }
    }

    private func makeRecording(_ chain: GStreamer.Element) throws(ToolError) -> StudioOutput {
        try FileSystem.makeFolder(folder)
        let start = "\(FileSystem.absolute(folder))/gst-people-\(Self.timestamp)"
        // Two recordings may begin within a second.
        let names = ["\(start).mkv"] + (2...9).map { "\(start)-\($0).mkv" }
        let path = names.first { !FileSystem.exists($0) } ?? names[0]
        let file = try OutputFile(path: path, overwrites: false, isPrivate: true)
        let source = try microphones.source()
        // Encoders for live use, and a container that can be played as far as it was written. Sound waits as
        // long as the encoder holds frames back.
        let sound =
            "appsrc name=sound is-live=true format=time ! queue max-size-buffers=0 max-size-bytes=0 max-size-time=0 "
            + "! audioconvert ! opusenc ! mux."
        let end = "matroskamux name=mux ! filesink name=file \(source == nil ? "" : sound)"
        let queue = "queue max-size-buffers=30 max-size-bytes=0 max-size-time=0"
        let output = try StudioOutput(
            [
                "\(queue) ! videoconvert ! x264enc speed-preset=veryfast pass=qual quantizer=21 key-int-max=60 ! \(end)",
                "\(queue) ! videoconvert ! vp8enc deadline=1 cpu-used=8 target-bitrate=4000000 ! \(end)",
            ], to: file)
        if let source { try output.attach(source.name, source.element) }
        output.attach(to: chain)
        return output
    }

    /// The current date and time: `2026-01-31-235959`.
    private static var timestamp: String {
        var (now, parts) = (time(nil), tm())
        localtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%d-%H%M%S", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    // MARK: - Running

    func attach(to chain: GStreamer.Element) {
        for output in [camera, recording] { output?.attach(to: chain) }
    }
    func detach() { for output in [camera, recording] { output?.detach() } }

    /// Handles failures and ends; to be called several times a second.
    func check(_ warn: (String) -> Void) {
        if let camera, !isRunning(camera, warn) { self.camera = nil }
        if let recording, !isRunning(recording, warn) { self.recording = nil }
        ending = ending.filter { isRunning($0, warn) }
    }

    /// Whether an output goes on; one that does not is stopped.
    private func isRunning(_ output: StudioOutput, _ warn: (String) -> Void) -> Bool {
        output.checkSound(warn)
        do throws(ToolError) {
            guard try output.hasEnded() else { return true }
            completeFile = output.file?.path ?? completeFile
        } catch {
            warn(error.message)
            if lastFile == output.file?.path { lastFile = nil }
        }
        output.stop()
        return false
    }

    private func finishRecording() {
        guard let recording else { return }
        recording.finish()
        ending.append(recording)
        self.recording = nil
    }

    /// Stops the camera and completes the recordings.
    func end() {
        camera?.stop()
        camera = nil
        finishRecording()
        let deadline = ContinuousClock.now + .seconds(10)
        while !ending.isEmpty, ContinuousClock.now < deadline {
            check { printDiagnostic("studio: \($0)") }
            usleep(20_000)
        }
    }
}

/// A pipeline that gets the frames of another one.
final class StudioOutput {
    private let pipeline: GStreamer.Pipeline
    let chain: GStreamer.Element
    /// The file that is written; nil for a camera.
    let file: OutputFile?
    /// The camera's name in other programs; nil for a file.
    var name: String?
    /// The feed of a camera in PipeWire; nil for other outputs.
    var feed: CameraFeed?
    private let source: GStreamer.AppSource
    private var tap: Tap?
    /// The microphone whose sound is recorded; nil without sound.
    private(set) var microphone: Microphone?
    /// Time of the system clock at the start, in nanoseconds.
    private let started = GStreamer.systemTime
    /// Seconds since the start.
    var seconds: Double { Double(GStreamer.systemTime - started) / 1e9 }

    /// Makes the pipeline.
    ///
    /// - Parameters:
    ///   - alternatives: elements for the frames; the first alternative whose elements are installed is used.
    ///   - file: the file for an element called `file`.
    init(_ alternatives: [String], to file: OutputFile?) throws(ToolError) {
        let input = "appsrc name=frames is-live=true format=time max-buffers=30 leaky-type=downstream ! "
        pipeline = try .make()
        chain = try pipeline.add(firstOf: alternatives.map { input + $0 }, hasEnds: false)
        guard let source = GStreamer.AppSource(chain.element(named: "frames")) else {
            throw ToolError(.failed, "GStreamer could not make the pipeline.")
        }
        (self.source, self.file) = (source, file)
        if let file { chain.element(named: "file")?.set("location", to: file.temporaryPath) }
    }

    deinit { pipeline.element.setState(.null) }

    /// Connects to the tee `outputs` in a chain.
    func attach(to chain: GStreamer.Element) {
        pipeline.element.setState(.playing)
        let (source, started, isRecorded) = (source, started, file != nil)
        tap = Tap(chain, at: "outputs", "\(Tap.newest) ! \(Tap.frames)") { frame in
            // Recorded frames have the time at which they were taken, as sound has; a camera's are sent now.
            let taken = isRecorded ? frame.runningTime.map { $0 &+ chain.baseTime } : nil
            Self.push(frame, taken: taken ?? GStreamer.systemTime, since: started, into: source)
        }
    }

    /// Records the sound of a microphone.
    func attach(_ name: String, _ microphone: GStreamer.Element) throws(ToolError) {
        guard let sound = GStreamer.AppSource(chain.element(named: "sound")) else { return }
        self.microphone = try Microphone(name, microphone) { [started] piece, taken in
            Self.push(piece, taken: taken, since: started, into: sound)
        }
    }

    /// Passes on what was taken since the start.
    private static func push(
        _ sample: GStreamer.Sample, taken: UInt64, since started: UInt64, into source: GStreamer.AppSource
    ) {
        guard taken >= started, let caps = sample.caps, let buffer = sample.buffer?.part(from: 0) else {
            return
        }
        buffer.writableView.setPresentationTime(taken - started)
        buffer.writableView.setDecodingTime(nil)
        if let sample = GStreamer.Sample(buffer, caps) { source.push(sample) }
    }

    /// Goes on without sound when none comes any more.
    func checkSound(_ warn: (String) -> Void) {
        guard let fault = microphone?.fault else { return }
        warn("\(fault) The recording goes on without.")
        endSound()
    }

    private func endSound() {
        microphone = nil
        GStreamer.AppSource(chain.element(named: "sound"))?.endStream()
    }

    /// Disconnects from the other pipeline, which is about to end.
    func detach() { tap = nil }

    /// Writes the remaining frames, and the end of the file.
    func finish() {
        tap?.remove()
        tap = nil
        source.endStream()
        endSound()
    }

    func stop() {
        tap?.remove()
        tap = nil
        microphone = nil
        pipeline.element.setState(.null)
    }

    /// Whether everything has been written.
    func hasEnded() throws(ToolError) -> Bool {
        try feed?.check()
        guard let message = pipeline.bus.pop([.error, .endOfStream]) else { return false }
        guard message.kind == .error else {
            try file?.publish()
            return true
        }
        if VirtualCamera.hasLostReader(message.failure) { return false }
        throw ToolError(pipelineError: message.failure, input: "the picture", output: file?.path)
    }
}
