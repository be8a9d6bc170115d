import CGIO
import CGStreamer
import CommandKit
import GStreamerKit
import Glibc
import Studio
import Synchronization

/// A virtual camera whose real camera is open only while a program reads it.
final class OnDemandCamera {
    private let offered: OfferedCamera
    private let readers: any CameraReaders
    private let isWarm: Bool
    private let mode: CameraMode
    /// The caps of all frames.
    private let caps: String
    /// The options of the command line.
    private let given: LiveOptions
    private var settings: CameraSettings { didSet { text = settings.text } }
    /// The settings as the text of a preset.
    private var text: String
    /// The device, or the name of the PipeWire node, that readers open.
    private let name: String
    /// The real camera and its analysis; nil while they are not loaded.
    private var player: LivePlayer?
    /// Frames of the player before this running time are of the time before it was opened.
    private let fresh = FreshFrames()
    /// Whether the camera is wanted: a program reads it, or did so a moment ago.
    private var isOpen = false
    private var lastRead = ContinuousClock.now
    private var lastAttempt = ContinuousClock.now
    /// The reason why the real camera cannot be opened; nil while it can.
    private var failure: String?

    /// Time for which the camera stays open after its last reader: a program that changes its settings closes
    /// and opens it.
    private static let linger = Duration.seconds(10)
    /// Longest times between two looks at signals and messages, in milliseconds.
    private static let (openInterval, closedInterval): (UInt32, UInt32) = (100, 500)
    /// Time between two attempts to open the real camera.
    private static let retryInterval = Duration.seconds(2)
    /// The mode that is offered while there is no camera, if no size is asked for.
    private static let usualSize = (width: 1280, height: 720)

    /// Makes the camera, which nobody sees before `run`.
    ///
    /// - Parameters:
    ///   - name: the device, or the name of the PipeWire node, that readers open.
    ///   - fixed: caps for other programs.
    ///   - isWarm: whether models stay loaded while nobody reads.
    init(
        _ options: LiveOptions, _ sink: VirtualCamera.Sink, name: String, _ readers: any CameraReaders,
        fixed: String, isWarm: Bool
    ) throws(ToolError) {
        var options = options
        // The clip is played in a loop, and nobody is asked.
        (options.sink, options.mayAsk) = (nil, false)
        (given, self.readers, self.isWarm) = (options, readers, isWarm)
        (self.name, settings) = (name, CameraSettings(options))
        text = settings.text
        mode = try Self.mode(options)
        let picture = try CoveredPicture.draw(options, mode, caps: fixed)
        caps = picture.caps?.text ?? fixed
        offered = try OfferedCamera(sink, picture)
    }

    /// The mode of the camera; the usual one if there is no camera now.
    private static func mode(_ options: LiveOptions) throws(ToolError) -> CameraMode {
        do throws(ToolError) {
            let source = try LiveSource(options)
            if let mode = source.mode { return mode }
            if let mode = try firstMode(of: source) { return mode }
        } catch {
            guard error.code == .input, !options.usesStandIn else { throw error }
            printDiagnostic("\(error.message)\nIt is looked for when a program reads the virtual camera.")
        }
        let size = options.size ?? usualSize
        let usual = "video/x-raw,format=YUY2,width=\(size.width),height=\(size.height),framerate=30/1"
        guard let mode = GStreamer.Caps(usual).flatMap({ CameraMode($0) }) else {
            throw ToolError(.failed, "GStreamer could not make caps.")
        }
        return mode
    }

    /// Returns the mode of a clip's first frame.
    private static func firstMode(of source: LiveSource) throws(ToolError) -> CameraMode? {
        let pipeline = try GStreamer.Pipeline.make()
        let chain = try pipeline.add(chain: "\(source.elements) ! \(Tap.frames)", hasEnds: false)
        pipeline.element.setState(.playing)
        defer { pipeline.element.setState(.null) }
        let frame = GStreamer.AppSink(chain.element(named: "frames"))?.pull(within: SingleFrame.patience)
        return frame?.caps.flatMap { CameraMode($0) }
    }

    // MARK: - Running

    /// Offers the camera until Control-C.
    ///
    /// - Returns: the program's exit status.
    func run() throws(ToolError) -> Int32 {
        IdleMemory.limitAreas()
        let control = CameraControl(self)
        if isWarm { try warmUp() }
        try offered.start()
        try printText("offered: \(mode.width)x\(mode.height); the camera opens when a program reads it\n")
        let wake = readers.descriptor.map { WakeUp($0) }
        while try !LivePlayer.isInterrupted() {
            if let wake {
                wake.wait(atMost: isOpen ? Self.openInterval : Self.closedInterval)
            } else {
                MainContext.iterate()
            }
            try offered.check()
            try follow(readers.isRead())
            watchPlayer()
            control?.publish()
        }
        return ExitCode.success.rawValue
    }

    private func follow(_ isRead: Bool) throws(ToolError) {
        if isRead { lastRead = .now }
        if isRead, !isOpen {
            isOpen = true
            offered.gate.open()
            try printText("opened: a program reads the camera\n")
            attempt()
        } else if isOpen, .now - lastRead > Self.linger {
            isOpen = false
            offered.gate.close()
            close()
            try printText("closed: no program reads the camera\n")
        }
    }

    private func watchPlayer() {
        guard isOpen else { return }
        guard let player else {
            if .now - lastAttempt > Self.retryInterval { attempt() }
            return
        }
        do throws(ToolError) {
            if try player.step() {
                throw ToolError(.input, "\(player.source.name): no frames come any more.")
            }
            if offered.gate.hasFinished { failure = nil }
        } catch { fail(error) }
    }

    // MARK: - The real camera

    /// Opens the real camera; a failure is reported once, and tried again later.
    private func attempt() {
        lastAttempt = .now
        do throws(ToolError) {
            if let player {
                fresh.set(player.runningTime)
                player.resume()
            } else {
                fresh.set(0)
                let new = try makePlayer()
                player = new
                new.start()
            }
        } catch { fail(error) }
    }

    private func fail(_ error: ToolError) {
        player = nil
        if failure != error.message { printDiagnostic("\(error.message)\nIt is tried again.") }
        failure = error.message
    }

    private func close() {
        failure = nil
        if isWarm { player?.suspend() } else { player = nil }
        IdleMemory.release()
    }

    private func makePlayer() throws(ToolError) -> LivePlayer {
        let options = settings.options
        let player = try LivePlayer(
            options, options.wholeCompositing,
            then: "videoconvert ! videoscale ! capsfilter caps=\(descriptionText(caps)) name=out "
                + "! \(Tap.frames)")
        player.printsSpeed = false
        // The gate does: a black frame that has passed the effects would count as a finished one.
        player.coversLosses = false
        GStreamer.AppSink(player.chain.element(named: "frames"))?.setCallbacks(
            onSample: { [fresh, gate = offered.gate] sink in
                if let frame = sink.pull(within: 0), fresh.includes(frame) { gate.pass(frame) }
                return true
            }, onEnd: {})
        return player
    }

    /// Loads the models by a black frame.
    private func warmUp() throws(ToolError) {
        fresh.set(.max)
        let player = try makePlayer()
        guard let caps = GStreamer.Caps(mode.caps), let frame = CoveredFrame(caps)?.sample else {
            throw ToolError(.failed, "GStreamer could not draw a frame.")
        }
        try player.warmUp(frame)
        self.player = player
    }
}

// MARK: - Control

extension OnDemandCamera: ControlledCamera {
    var status: CameraStatus {
        let state: CameraStatus.State =
            !isOpen ? .closed : offered.gate.hasFinished ? .open : .opening
        return CameraStatus(
            state: state, isCovered: offered.gate.isCovered, preset: settings.preset ?? "",
            problem: failure ?? player?.problem ?? "", settings: text, camera: name)
    }

    func cover() throws(ToolError) { try offered.gate.cover() }

    func uncover() { offered.gate.uncover() }

    func usePreset(_ name: String) throws(ToolError) {
        var new = CameraSettings(given)
        try new.use(preset: name)
        try apply(new)
    }

    func set(_ property: String, to value: String) throws(ToolError) {
        var new = settings
        let change = try new.set(property, to: value)
        // Most properties change while frames come; others need other elements.
        if let change, let element = player?.chain.element(named: change.element) {
            offered.gate.setPicture(try CoveredPicture.draw(new.options, mode, caps: caps))
            settings = new
            change.apply(to: element)
        } else {
            try apply(new)
        }
    }

    func useSettings(_ text: String) throws(ToolError) {
        var new = CameraSettings(given)
        new.use(try Preset.settings(of: text))
        guard let chain = player?.chain, let changes = new.changes(since: settings) else {
            return try apply(new)
        }
        offered.gate.setPicture(try CoveredPicture.draw(new.options, mode, caps: caps))
        settings = new
        for change in changes {
            if let element = chain.element(named: change.element) { change.apply(to: element) }
        }
    }

    /// Takes over settings with new elements.
    private func apply(_ new: CameraSettings) throws(ToolError) {
        offered.gate.setPicture(try CoveredPicture.draw(new.options, mode, caps: caps))
        settings = new
        player = nil
        if isOpen {
            attempt()
        } else if isWarm {
            try warmUp()
        }
    }
}

// MARK: - Parts

/// The running time from which on a player's frames are taken.
private final class FreshFrames: Sendable {
    private let start = Mutex<UInt64>(0)

    func set(_ time: UInt64) { start.withLock { $0 = time } }

    func includes(_ frame: GStreamer.Sample) -> Bool {
        guard let time = frame.runningTime else { return false }
        return start.withLock { time >= $0 }
    }
}

/// Memory of a program that has nothing to do.
enum IdleMemory {
    /// Size from which on a block of memory is a mapping of its own, in bytes: more than a frame in full HD, since each mapping takes
    /// time.
    private static let mapped: Int32 = 4 << 20

    /// Keeps the allocator from having an area for each of many threads, and from raising the size of mapped blocks.
    ///
    /// Memory that is free in one area is not used by others, and holes that models leave in an area are not given back. After fifty
    /// openings 58 MB are resident; 64 MB with two areas alone.
    static func limitAreas() {
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, mapped)
    }

    /// Gives back what the allocator keeps of released models, and pages of code, which the system has in its cache of files and
    /// maps again when they run.
    static func release() {
        malloc_trim(0)
        for code in unchangedCode() { madvise(code.baseAddress, code.count, MADV_DONTNEED) }
    }

    /// The code of files, as far as nobody has changed it in memory, such as a debugger.
    private static func unchangedCode() -> [UnsafeMutableRawBufferPointer] {
        var (code, mapping): ([UnsafeMutableRawBufferPointer], UnsafeMutableRawBufferPointer?) = ([], nil)
        for line in (FileSystem.text(of: "/proc/self/smaps") ?? "").split(separator: "\n") {
            // A mapping begins with "START-END r-xp OFFSET DEVICE INODE PATH", and lines "NAME: VALUE" follow.
            let words = line.split(separator: " ", maxSplits: 5)
            if words.count == 6, words[1] == "r-xp", words[5].drop(while: { $0 == " " }).hasPrefix("/") {
                mapping = range(words[0])
            } else if words.first == "Private_Dirty:" {
                if let mapping, line.hasSuffix(" 0 kB") { code.append(mapping) }
                mapping = nil
            }
        }
        return code
    }

    /// Reads addresses: "7f00a000-7f00b000".
    private static func range(_ text: Substring) -> UnsafeMutableRawBufferPointer? {
        let ends = text.split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1], let count = Int(exactly: ends[1] - ends[0]) else {
            return nil
        }
        return UnsafeMutableRawBufferPointer(
            start: UnsafeMutableRawPointer(bitPattern: ends[0]), count: count)
    }
}

/// Waits for events of the main context, and for data of a file descriptor.
///
/// A camera that nobody reads waits long, so that it costs nothing.
final class WakeUp {
    private let descriptor: Int32
    private var data: guint?
    private var alarm: guint?

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { for source in [data, alarm] { if let source { g_source_remove(source) } } }

    /// Waits until data or an event has come; to be called when all data have been read.
    ///
    /// - Parameter milliseconds: the longest wait.
    func wait(atMost milliseconds: guint) {
        watchData()
        setAlarm(milliseconds)
        g_main_context_iteration(nil, 1)
        while g_main_context_iteration(nil, 0) != 0 {}
        if let alarm { g_source_remove(alarm) }
        alarm = nil
    }

    private var pointer: gpointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func body(_ data: gpointer?) -> WakeUp? {
        data.map { Unmanaged<WakeUp>.fromOpaque($0).takeUnretainedValue() }
    }

    private func watchData() {
        guard data == nil else { return }
        let channel = g_io_channel_unix_new(descriptor)
        data = g_io_add_watch(
            channel, G_IO_IN,
            { _, _, data in
                WakeUp.body(data)?.data = nil
                // Removed, since the main context would go on as long as there are data.
                return 0
            }, pointer)
        g_io_channel_unref(channel)
    }

    private func setAlarm(_ milliseconds: guint) {
        alarm = g_timeout_add(
            milliseconds,
            { data in
                WakeUp.body(data)?.alarm = nil
                return 0
            }, pointer)
    }
}
