import CommandKit
import GStreamerKit
import JSON
import Studio

/// A live player whose settings a page changes; the player is replaced when one of its elements fails.
final class StudioSession: StudioPipeline {
    private var options: LiveOptions
    private let initial: StudioSettings
    private let outputs: StudioOutputs
    private let showsOriginal: Bool
    private let photos = StudioPhotos()
    /// Whether a camera or video is played.
    private var isLive: Bool
    /// Whether the camera was switched off on the page.
    private var isOff = false
    /// Whether the player has another camera or size than is wanted.
    private var isOutdated = false
    private var player: LivePlayer?
    /// Time at which the player was started.
    private var started = ContinuousClock.now
    /// The camera that a service offers; nil without a session of D-Bus.
    private let link: OfferedCameraLink?
    /// Whether such a camera is shown, and changed, in place of one that is opened here.
    private var prefersOffered: Bool
    /// Whether the player shows it.
    private var isAttached = false
    /// Whether the page gets the settings of such a camera, which are not sent back.
    private var isTakingOver = false
    private weak var server: StudioServer?
    /// The source of the newest player.
    private var lastSource: LiveSource?
    /// Last time at which a page or an output showed the picture.
    private var lastViewed = ContinuousClock.now
    private var isViewed = true
    /// Whether the quality is still to be chosen by what the machine reaches.
    private var choosesQuality: Bool
    private var qualityMeter: QualityMeter?
    /// The quality that was chosen so far, unless the page has chosen another one.
    private var chosenQuality = "fast"
    /// The elements whose findings are drawn, and those that find the heads that are hidden.
    private var (finders, headFinders): (ElementSlot?, ElementSlot?)
    /// The elements that follow the people.
    private var framing: ElementSlot?
    private var masks: MaskMeter?
    private var monitor = StudioMonitor()
    /// Time at which the player is made again.
    private var retry = ContinuousClock.now

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - isLive: whether the camera or video is played from the start on.
    ///   - showsOriginal: whether the room may be visible.
    ///   - choosesQuality: whether the quality is chosen by what the machine reaches.
    ///   - prefersOffered: whether the camera that a service offers is shown while there is one.
    init(
        _ options: LiveOptions, _ settings: StudioSettings, _ outputs: StudioOutputs, isLive: Bool,
        showsOriginal: Bool, choosesQuality: Bool, prefersOffered: Bool
    ) {
        (self.prefersOffered, link) = (prefersOffered, OfferedCameraLink())
        self.choosesQuality = choosesQuality
        (self.options, initial, self.outputs) = (options, settings, outputs)
        (self.isLive, self.showsOriginal) = (isLive, showsOriginal)
    }

    var chain: GStreamer.Element? { player?.chain }

    // MARK: - Running

    /// Serves the page until Control-C.
    ///
    /// - Parameter paths: the photos of the page.
    /// - Returns: the program's exit status.
    func run(
        _ backgrounds: Backgrounds, photos paths: [String], port: UInt16, exitsWithPage: Bool,
        opensBrowser: Bool
    ) throws(ToolError) -> Int32 {
        let server = try StudioServer(
            self, initial, backgrounds, Photos(paths), photos, port: port, showsOriginal: showsOriginal)
        self.server = server
        attachOrDetach(server)
        isOutdated = false
        if isLive { try startFirst() }
        try printText("open \(server.gate.address)\nin a browser on this machine; Control-C ends\n")
        let browser = opensBrowser ? Browser(opening: server.gate.address) : nil
        defer { browser?.removeFile() }
        var lastReport = ContinuousClock.now
        var lastReader = ContinuousClock.now
        while try !isInterrupted() {
            MainContext.iterate()
            try work(server)
            server.pump()
            if let address = server.gate.takeNewAddress() {
                try printText("open \(address)\nin another window\n")
            }
            let now = ContinuousClock.now
            if now - lastReport > Self.pace {
                lastReport = now
                server.sendStatus()
            }
            if !server.isAbandoned { lastReader = now }
            if exitsWithPage, now - lastReader > Self.patience { break }
        }
        server.end()
        outputs.end()
        player?.stop()
        try player?.summarize()
        return ExitCode.success.rawValue
    }

    /// Time between two reports of the state to the pages.
    private static let pace = Duration.milliseconds(250)
    /// Time after which the last page counts as closed; a page that is reloaded is gone for a moment.
    private static let patience = Duration.seconds(3)
    /// Time from a failure to the next try.
    private static let pause = Duration.seconds(2)
    /// Time without a viewer after which the camera is closed: while pages show something else, and without pages.
    private static let (shortRest, longRest) = (Duration.seconds(3), Duration.seconds(60))

    private func isInterrupted() throws(ToolError) -> Bool {
        if let signal = photos.interruption { return try LivePlayer.ends(after: signal) }
        return try LivePlayer.isInterrupted()
    }

    /// Starts the player, and looks for a camera that is not there.
    private func startFirst() throws(ToolError) {
        do throws(ToolError) { try start(initial) } catch {
            guard error.code == .input, error.signal == nil, isCamera else { throw error }
            monitor.problem = error.message
            printDiagnostic("studio: \(error.message)\n  It is looked for; the page opens without.")
        }
    }

    /// Whether the picture is that of a camera.
    private var isCamera: Bool { options.video == nil && options.source == nil && !options.usesStandIn }

    /// Whether the camera or video is open.
    private var isOn: Bool { isLive && !isOff && isViewed }

    /// The picture's state, by which the page chooses what it shows.
    private enum State: String {
        /// Switched off on the page.
        case off
        /// Closed because nobody looks.
        case resting
        /// Without a camera, which is looked for.
        case missing
        /// Without a video, or with a failure that is no missing camera.
        case failed
        case starting
        /// Without new frames: covered ones take their place.
        case lost
        case playing
    }

    private var state: State {
        if isOff { return .off }
        guard isOn else { return .resting }
        if isAttached, link?.status?.problem.isEmpty == false { return .lost }
        if monitor.problem != nil { return player != nil ? .lost : isCamera ? .missing : .failed }
        return (player?.meter.now.frames ?? 0) > 0 ? .playing : .starting
    }

    private func noteViewers(_ server: StudioServer) {
        let now = ContinuousClock.now
        if server.isWatched || outputs.areRunning { lastViewed = now }
        isViewed = now - lastViewed < (server.hasPages ? Self.shortRest : Self.longRest)
    }

    private func work(_ server: StudioServer) throws(ToolError) {
        outputs.check { monitor.warn($0) }
        noteViewers(server)
        followOffered(server)
        chooseQuality(server)
        if isOutdated {
            isOutdated = false
            retry = .now
            stop(server)
        }
        // Outputs get covered frames while the camera is closed.
        if !isOn, !outputs.areRunning, player != nil { stop(server) }
        do throws(ToolError) {
            if let player {
                if player.isCovered == isOn { player.isCovered = !isOn }
                if try player.step() || isSilent(player) {
                    throw ToolError(.input, "no frames come any more")
                }
                monitor.problem = player.problem
            } else if isOn, ContinuousClock.now >= retry {
                try start(server.settings)
                monitor.problem = nil
                server.stageChanged()
            }
        } catch {
            // Other settings may work, but a missing package would still be missing.
            guard [.input, .failed].contains(error.code), error.signal == nil else { throw error }
            monitor.problem = error.message
            retry = .now + Self.pause
            guard player != nil else { return }
            printDiagnostic("studio: \(error.message)")
            stop(server)
        }
    }

    // MARK: - A service's camera

    /// Follows the state of the camera that a service offers.
    private func followOffered(_ server: StudioServer) {
        link?.poll()
        attachOrDetach(server)
        if let refusal = link?.takeRefusal() { monitor.warn(refusal) }
        guard isAttached, let status = link?.status else { return }
        isOff = status.isCovered
        if let settings = link?.takeOtherSettings() { takeOver(settings, server) }
    }

    /// Puts the camera's settings on the page; one that shows the room is not shown any more.
    private func takeOver(_ settings: String, _ server: StudioServer) {
        isTakingOver = true
        defer { isTakingOver = false }
        do throws(ToolError) { try server.load(try Preset.settings(of: settings)) } catch {
            prefersOffered = false
            monitor.warn("The picture of the camera service is not shown: \(error.message)")
        }
    }

    /// Shows the offered camera, with its settings on the page, or ends that, when it has come or gone.
    private func attachOrDetach(_ server: StudioServer) {
        let isOffered = prefersOffered && isCamera && link?.camera != nil
        guard isOffered != isAttached else { return }
        if isOffered { takeOver(link?.status?.settings ?? "", server) } else { isOff = false }
        guard prefersOffered || !isOffered else { return }
        (isAttached, isOutdated, qualityMeter) = (isOffered, true, nil)
    }

    /// Whether the offered camera, which sends a frame at once, has sent none: PipeWire (0.3.65, 1.4.2) leaves a reader without
    /// frames now and then.
    private func isSilent(_ player: LivePlayer) -> Bool {
        isAttached && isOn && player.meter.now.frames == 0 && .now - started > Self.firstFrameTime
    }

    /// Longest time until an offered camera sends its first frame.
    private static let firstFrameTime = Duration.seconds(5)

    /// Makes the player of the offered camera.
    private func makeAttached(_ camera: String) throws(ToolError) -> LivePlayer {
        var offered = options
        (offered.camera, offered.size, offered.mayAsk) = (camera, nil, false)
        (offered.turn, offered.framing) = (CameraTurn(), FramingOptions())
        let insertions = LivePlayer.Insertions(
            beforeAnalysis: "identity name=finders ! identity ! ",
            beforeBlend: "tee name=raw allow-not-linked=true ! ")
        return try LivePlayer(offered, nil, insertions, then: Self.end)
    }

    // MARK: - Quality

    /// Measures the machine once there is a picture, and chooses the quality unless the page has done so meanwhile.
    private func chooseQuality(_ server: StudioServer) {
        if choosesQuality, !isAttached, state == .playing {
            choosesQuality = false
            // Without the model of "Fine" there is nothing to choose.
            qualityMeter = try? QualityMeter(.fine, for: player?.meter.mode)
        }
        guard let meter = qualityMeter, meter.isOver else { return }
        qualityMeter = nil
        guard let (quality, reason) = meter.result, server.settings[.quality] == chosenQuality else { return }
        monitor.qualityReason = reason
        chosenQuality = quality
        server.choose(.quality, quality)
        // A machine that is quick enough for one level may be so for the next.
        if quality == "balanced" { qualityMeter = try? QualityMeter(.finest, for: meter.mode) }
    }

    private func stop(_ server: StudioServer) {
        outputs.detach()
        player?.stop()
        (player, finders, headFinders, framing, masks) = (nil, nil, nil, nil, nil)
        server.stageChanged()
    }

    /// The elements behind the replacement of the background.
    private static let end =
        "poseoverlay name=poseoverlay faces=none bodies=none hands=none ! identity name=out "
        + "! tee name=outputs allow-not-linked=true ! fakesink sync=false"

    private func makePlayer() throws(ToolError) -> LivePlayer {
        let insertions = LivePlayer.Insertions(
            beforeAnalysis: "videoflip name=turn ! identity name=finders ! identity ! ",
            beforeBlend: "identity name=heads ! identity name=framing ! identity "
                + "! tee name=raw allow-not-linked=true ! ")
        // The page has settings for mirroring and following.
        var unturned = options
        (unturned.turn, unturned.framing) = (CameraTurn(), FramingOptions())
        // The page offers replacements of a missing camera.
        unturned.mayAsk = false
        let player = try LivePlayer(unturned, Compositing(), insertions, then: Self.end)
        headFinders = try ElementSlot(player.chain, after: "heads")
        framing = try ElementSlot(player.chain, after: "framing")
        let segment = player.chain.element(named: "personsegment")
        masks = player.chain.element(named: "blendmask")?.pad("sink").map { MaskMeter($0, of: segment) }
        lastSource = player.source
        return player
    }

    private func start(_ settings: StudioSettings) throws(ToolError) {
        let player =
            if isAttached, let camera = link?.camera { try makeAttached(camera) } else { try makePlayer() }
        player.onWarning = { [weak self] in self?.monitor.warn($0.text) }
        finders = try ElementSlot(player.chain, after: "finders")
        self.player = player
        setProperty(.mirror, settings[.mirror] ?? "false")
        for entry in settings.entries { setProperty(entry.key, entry.text) }
        if !showsOriginal, !isAttached { try hideRoom(player.chain) }
        player.start()
        started = .now
        outputs.attach(to: player.chain)
    }

    /// Makes `blendmask` hide the room until the stream ends, whatever settings follow in whatever order.
    private func hideRoom(_ chain: GStreamer.Element) throws(ToolError) {
        let blend = chain.element(named: "blendmask")
        blend?.set("hide-room", parsing: "true")
        guard blend?.word(of: "hide-room") == "true" else {
            throw ToolError(.missing, "blendmask cannot hide the room. Install gst-people again.")
        }
    }

    // MARK: - Settings

    func apply(_ key: SettingKey, _ text: String) {
        setProperty(key, text)
        if isAttached, !isTakingOver, let server, key.element != "poseoverlay" { link?.use(server.settings) }
    }

    /// Sets a property of the player's elements; one that shows an offered camera has few.
    private func setProperty(_ key: SettingKey, _ text: String) {
        guard let chain else { return }
        if [.background, .backgroundSource].contains(key) { monitor.clearWarnings() }
        if key == .mirror {
            let turn = options.turn.mirrored(text == "true")
            chain.element(named: "turn")?.set("video-direction", parsing: turn.direction)
        } else if let element = framing?.element(named: key.element) ?? chain.element(named: key.element) {
            let isText = GStreamer.PropertyDescription(key.property, of: key.element)?.isText ?? false
            if isText {
                element.set(key.property, to: text)
            } else {
                element.set(key.property, parsing: text)
            }
        }
        if key.element == "poseoverlay" || [.backgroundSource, .heads].contains(key) { find() }
        if [.follow, .framing, .heads].contains(key), let settings = server?.settings { frame(settings) }
    }

    /// Follows the people, or shows all of the camera's picture.
    private func frame(_ settings: StudioSettings) {
        let elements = settings.follows ? settings.framingElements(hasFinder: settings.hidesHeads) : []
        do throws(ToolError) { try framing?.fill(elements) } catch { monitor.warn(error.message) }
    }

    /// Runs only those finders whose findings are drawn, or needed for heads that are hidden.
    ///
    /// Until its head is found, a person whose head is hidden is hidden as a whole.
    private func find() {
        guard let chain else { return }
        let drawn = OverlayFinder.needed { chain.element(named: $0.element)?.word(of: $0.property) }
        let hidesHeads = chain.element(named: "blendmask")?.word(of: "heads") != "keep"
        do throws(ToolError) {
            try finders?.fill(drawn.map(\.elements))
            try headFinders?.fill(hidesHeads ? [Compositing.headFinders] : [])
        } catch {
            monitor.warn(error.message)
        }
    }

    func lines(_ settings: StudioSettings) -> JSON {
        lastSource.map { StudioLines(options, $0, settings).json } ?? .object([])
    }

    // MARK: - Actions and state

    func perform(_ action: StudioAction, _ name: String) throws(ToolError) {
        switch action {
        case .startLive: isLive = true
        case .cameraOff:
            isOff = true
            if isAttached { link?.setCovered(true) }
        case .cameraOn:
            isOff = false
            if isAttached { link?.setCovered(false) }
            // Not only after the time of a failure.
            retry = .now
        case .chooseClip:
            (options.camera, options.size) = (nil, nil)
            (options.video, options.source, options.usesStandIn) = (nil, nil, true)
            isOutdated = true
        case .chooseCamera where name == StudioDevices.offered:
            guard link?.camera != nil else {
                throw ToolError(.input, "The camera service has ended.")
            }
            prefersOffered = true
            (options.video, options.source, options.usesStandIn) = (nil, nil, false)
        case .chooseCamera:
            prefersOffered = false
            // Only what is listed is opened.
            guard StudioDevices.cameras.contains(where: { $0.id == name }) else {
                throw ToolError(.input, "This camera is not there any more.")
            }
            LastUsed.note(camera: name)
            (options.camera, options.size) = (name, nil)
            (options.video, options.source, options.usesStandIn) = (nil, nil, false)
            isOutdated = true
        case .chooseSize:
            options.size = name.isEmpty ? nil : try LiveOptions.size(name)
            isOutdated = true
        case .chooseMicrophone:
            guard name.isEmpty || outputs.microphones.names.contains(name) else {
                throw ToolError(.input, "This microphone is not there any more.")
            }
            outputs.microphones.name = name
        case .showRecording:
            guard let path = recording, let slash = path.lastIndex(of: "/") else {
                throw ToolError(.input, "There is no recording yet.")
            }
            Browser.start("xdg-open", String(path[...slash]))
        case .startCamera where isAttached:
            throw ToolError(.input, "The camera service offers this picture to other programs already.")
        default: try outputs.perform(action, try wokenChain())
        }
    }

    /// Returns the chain for an output; starts the player if it was closed because nobody looked.
    private func wokenChain() throws(ToolError) -> GStreamer.Element {
        if player == nil, isLive, !isOff, let server {
            lastViewed = .now
            try start(server.settings)
            server.stageChanged()
        }
        guard let chain else {
            throw ToolError(
                .input, isOff ? "The camera is off. Switch it on first." : "There is no camera now.")
        }
        return chain
    }

    var recording: String? { outputs.completeFile }

    func play(_ path: String) {
        (options.camera, options.size) = (nil, nil)
        (options.video, options.source, options.usesStandIn) = (path, nil, false)
        isOutdated = true
    }

    var devices: @Sendable () -> JSON {
        let (isOffered, isAttached) = (link?.camera != nil, isAttached)
        return { [options, microphones = outputs.microphones] in
            StudioDevices.json(options, microphones, isOffered: isOffered, isShown: isAttached)
        }
    }

    var firstFrame: @Sendable (String) -> [UInt8]? {
        { [photos] path in try? photos.firstFrame(ofClip: path) }
    }

    var scene: (GStreamer.Buffer) -> String { { BodyScene(of: $0.view, fieldOfView: 0).text } }

    var status: JSON {
        let reading = player.map { ($0.meter.now, $0.meter.mode) }
        return monitor.status(
            isLive: isLive, state.rawValue, reading?.0, reading?.1 ?? nil, masks?.reading,
            outputs.state(offered: isAttached ? link?.camera : nil))
    }
}

/// The element whose findings a property of the overlay draws.
struct OverlayFinder {
    /// The property of `poseoverlay`.
    let property: String
    let elements: String

    static let all = [
        OverlayFinder(property: "faces", elements: "facepose landmarks=true"),
        OverlayFinder(property: "bodies", elements: "bodypose"),
        OverlayFinder(property: "hands", elements: "handpose"),
    ]

    /// Returns the finders for overlays, and for a colour that follows the head, of these settings.
    static func needed(_ value: (SettingKey) -> String?) -> [OverlayFinder] {
        let followsHead = value(.backgroundSource) == "pose"
        return all.filter { finder in
            let isDrawn = (value(SettingKey("poseoverlay", finder.property)) ?? "none") != "none"
            return isDrawn || (followsHead && finder.property == "faces")
        }
    }
}
