package import CommandKit
package import GStreamerKit
import Imaging
package import JSON

/// The pipeline that the page shows and controls.
package protocol StudioPipeline: AnyObject {
    /// The running elements; nil while there is no camera.
    var chain: GStreamer.Element? { get }
    /// Sets a property.
    func apply(_ key: SettingKey, _ text: String)
    /// The pipeline's state, which the page shows below the picture.
    var status: JSON { get }
    /// The function that lists the cameras, on any thread.
    var devices: @Sendable () -> JSON { get }
    /// The function that returns the first frame of a clip as JPEG, on any thread; nil for other files.
    var firstFrame: @Sendable (_ path: String) -> [UInt8]? { get }
    /// The function that returns the bodies of an analysed frame in space, as glTF.
    var scene: (GStreamer.Buffer) -> String { get }
    /// Starts or stops an output, or chooses the camera or size called `name`.
    func perform(_ action: StudioAction, _ name: String) throws(ToolError)
    /// The path of the newest complete recording.
    var recording: String? { get }
    /// Plays a video in a loop instead of the camera.
    func play(_ path: String)
    /// Returns the settings as command lines and pipelines for other programs.
    func lines(_ settings: StudioSettings) -> JSON
}

/// Answers the page's requests.
package final class StudioServer {
    package let gate: Gate
    /// The values of the settings.
    package private(set) var settings: StudioSettings
    unowned let stage: any StudioPipeline
    private let catalog: Catalog
    var backgrounds: Backgrounds
    var photos: Photos
    let lifter: any PhotoLifter
    /// The views that the page may show, each in every width.
    private let pictures: [PictureStream]
    /// Server-sent events, one stream for each open page.
    private var events: [HTTPStream] = []
    let server: HTTPServer
    private var lastSweep = ContinuousClock.now
    /// Unfinished uploads of backgrounds and of photos, by their requests.
    private var uploads: [UnsafeRawPointer: Upload] = [:]
    var uploadedPhotos: [UnsafeRawPointer: [UInt8]] = [:]
    private var uploadsSize = 0
    let (readers, decoder, liftingThread) = (Workers(4), Workers(1), Workers(1))
    /// Whether viewers may see the camera's frames.
    private let showsOriginal: Bool
    private var hasHadPages = false

    /// Maximum number of open answers of all pages together.
    private static let maximumStreams = 32

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - lifter: finds and cuts out what stands out in the photos.
    ///   - port: 0 for any free port.
    ///   - showsOriginal: whether viewers may see the camera's frames.
    package init(
        _ stage: any StudioPipeline, _ settings: StudioSettings, _ backgrounds: Backgrounds,
        _ photos: Photos, _ lifter: any PhotoLifter, port: UInt16, showsOriginal: Bool
    ) throws(ToolError) {
        if !showsOriginal, let fault = settings.roomFault { throw .usage(Self.hidden(fault)) }
        guard let server = HTTPServer(), let port = server.listen(port: port) else {
            throw ToolError(.failed, "port \(port) of 127.0.0.1 is taken; give another with --port")
        }
        let views = View.allCases.filter { showsOriginal || $0 != .original }
        pictures = views.flatMap { view in View.widths.map { PictureStream(view, width: $0, stage.scene) } }
        (self.stage, self.settings, self.backgrounds) = (stage, settings, backgrounds)
        (self.server, self.showsOriginal) = (server, showsOriginal)
        (self.photos, self.lifter) = (photos, lifter)
        (catalog, gate) = (Catalog(), Gate(port: port))
        server.serve(early: { [weak self] in self?.admit($0) }, { [weak self] in self?.answer($0) })
    }

    private static func hidden(_ fault: String) -> String {
        "\(fault); only gst-people studio --show-original does that"
    }

    /// Attaches the pictures to a new pipeline, or detaches them if there is none.
    package func stageChanged() {
        for picture in pictures {
            picture.attach(to: stage.chain, renewed: true)
            for entry in settings.entries { picture.set(entry.key, entry.text) }
        }
    }

    /// Sends new frames and events to waiting viewers.
    package func pump() {
        for picture in pictures { picture.pump() }
        events.removeAll { $0.isOver }
        if ContinuousClock.now - lastSweep > .seconds(1) {
            lastSweep = .now
            server.sweep()
        }
        if !events.isEmpty { hasHadPages = true }
    }

    /// Whether the last page has been closed.
    package var isAbandoned: Bool { hasHadPages && events.isEmpty }

    /// Sends the pipeline's state to all pages.
    package func sendStatus() { if !events.isEmpty { send("status", status) } }

    /// Whether a page is open.
    package var hasPages: Bool { !events.isEmpty }
    /// Whether a page shows a live picture.
    package var isWatched: Bool { pictures.contains { $0.count > 0 } }

    /// The pipeline's state, and why the room is visible: null while nobody sees it.
    private var status: JSON {
        guard case .object(let fields) = stage.status else { return stage.status }
        return .object(fields + [("room", visibleRoom.map { .string($0) } ?? .null)])
    }

    /// The reason why somebody sees the room, as a phrase; nil while it is hidden.
    private var visibleRoom: String? {
        let shown = pictures.contains { $0.view == .original && $0.count > 0 }
        return settings.roomFault ?? (shown ? "the view “Original” is open" : nil)
    }

    func send(_ event: String, _ data: JSON) {
        let bytes = Array("event: \(event)\ndata: \(data.text)\n\n".utf8)
        for stream in events { stream.write(bytes) }
    }

    package func end() {
        for picture in pictures { picture.end() }
        for stream in events { stream.end() }
        liftingThread.end()
    }

    // MARK: - Requests

    /// Checks the head of a request, before its body arrives.
    private func admit(_ request: HTTPExchange) {
        gate.protect(request)
        let limits = ["/backgrounds": Backgrounds.maximumUpload, "/photos": Photos.maximumUpload]
        let limit = limits[request.path] ?? Gate.maximumMessage
        if let fault = gate.fault(request, maximumBody: limit) {
            return server.refuse(request, fault.status, fault.reason)
        }
        if gate.mayPass(request) { server.trust(request) }
        guard request.method == "POST", limits[request.path] != nil else { return }
        do throws(Refusal) { try receive(request) } catch {
            server.refuse(request, error.status, error.reason)
        }
    }

    private func answer(_ request: HTTPExchange) {
        guard !request.isAnswered else { return }
        do throws(Refusal) {
            try request.method == "POST" ? post(request) : get(request)
        } catch {
            refuse(request, error)
        }
    }

    struct Refusal: Error {
        let status: UInt32
        let reason: String

        init(_ status: UInt32, _ reason: String) { (self.status, self.reason) = (status, reason) }

        /// Refuses with the reason of the tool, without its advice for command lines.
        init(_ error: ToolError) {
            let advice = "; see --help"
            status = error.code == .usage ? 400 : 409
            reason =
                error.message.hasSuffix(advice) ? String(error.message.dropLast(advice.count)) : error.message
        }

        static let unknown = Refusal(404, "There is nothing here.")
    }

    /// Returns the result of `body`; refuses with its error.
    static func refusing<Value>(_ body: () throws(ToolError) -> Value) throws(Refusal) -> Value {
        do throws(ToolError) { return try body() } catch { throw Refusal(error) }
    }

    private func get(_ request: HTTPExchange) throws(Refusal) {
        if let file = Self.files[request.path] { return request.answer(200, type: file.type, file.bytes) }
        switch request.path {
        case Self.words:
            request.answer(
                200, type: "text/javascript; charset=utf-8",
                Languages.script(for: request.header("Accept-Language") ?? ""))
        case "/proof":
            guard let proof = gate.proof(request.query("name") ?? "", of: request.query("nonce") ?? "") else {
                throw .unknown
            }
            request.answer(200, type: "text/plain; charset=utf-8", Array(proof.utf8))
        case "/settings": reply(request, page)
        case "/lines": reply(request, stage.lines(settings))
        case "/devices":
            let devices = stage.devices
            answer(request, readers, { devices() }) { [weak self] in self?.reply($0, $1) }
        case "/events": events.append(try stream(request, "text/event-stream"))
        case "/stream": try showPicture(request)
        case "/recording": try showRecording(request)
        case "/background":
            let name = request.query("name") ?? ""
            guard let picture = backgrounds.picture(name, firstFrame: stage.firstFrame) else {
                throw .unknown
            }
            answer(request, readers, picture.read) { request, bytes throws(Refusal) in
                guard let bytes else { throw .unknown }
                request.answer(200, type: picture.type, bytes)
            }
        default: try getPhoto(request)
        }
    }

    /// The path of the script with the page's texts in the browser's language; it contains no secrets.
    static let words = "/words.js"

    /// The files of the page, by their paths; they contain no secrets.
    static let files: [String: (type: String, bytes: [UInt8])] = [
        "/": ("text/html; charset=utf-8", PackageResources.index_html),
        "/studio.css": ("text/css; charset=utf-8", PackageResources.studio_css),
        "/studio.js": ("text/javascript; charset=utf-8", PackageResources.studio_js),
        "/photos.js": ("text/javascript; charset=utf-8", PackageResources.photos_js),
        "/watch.js": ("text/javascript; charset=utf-8", PackageResources.watch_js),
        "/body.js": ("text/javascript; charset=utf-8", PackageResources.body_js),
        "/icon.svg": ("image/svg+xml", PackageResources.icon_svg),
    ]

    private func post(_ request: HTTPExchange) throws(Refusal) {
        switch request.path {
        case "/session":
            guard let token = gate.token(for: try json(request)["code"]?.string ?? "") else {
                throw Refusal(401, "This address has been used.")
            }
            reply(request, .object([("token", .string(token))]))
        case "/leave":
            gate.accept(try json(request)["code"]?.string ?? "")
            reply(request, .object([]))
        case "/settings":
            try set(try json(request))
            reply(request, .object([("kind", .string(settings.kind))]))
        case "/actions": try act(try json(request), request)
        case "/backgrounds": try add(request)
        case "/photos": try addPhoto(request)
        case "/lift": try lift(try json(request), request)
        default: throw .unknown
        }
    }

    /// Answers with the result of some work on another thread.
    func answer<Value: Sendable>(
        _ request: HTTPExchange, _ workers: Workers,
        _ work: @escaping @Sendable () throws(ToolError) -> Value,
        then finish: @escaping (HTTPExchange, Value) throws(Refusal) -> Void
    ) {
        let later = request.later()
        workers.run({ Result { () throws(ToolError) in try work() } }) { result in
            later.give { [weak self] request in
                do throws(Refusal) { try finish(request, Self.refusing(result.get)) } catch {
                    self?.refuse(request, error)
                }
            }
        }
    }

    private func refuse(_ request: HTTPExchange, _ error: Refusal) {
        request.answer(error.status, type: "text/plain; charset=utf-8", Array((error.reason + "\n").utf8))
    }

    func reply(_ request: HTTPExchange, _ value: JSON) {
        request.answer(200, type: "application/json", Array(value.text.utf8))
    }

    private func json(_ request: HTTPExchange) throws(Refusal) -> JSON {
        let type = request.header("Content-Type") ?? ""
        guard type.split(separator: ";").first == "application/json" else { throw Refusal(415, "Send JSON.") }
        do throws(JSONError) { return try JSON(parsing: request.body) } catch {
            throw Refusal(400, "\(error)")
        }
    }

    private func stream(_ request: HTTPExchange, _ type: String) throws(Refusal) -> HTTPStream {
        let open = pictures.reduce(events.count) { $0 + $1.count }
        guard open < Self.maximumStreams else { throw Refusal(429, "Too many pages are open.") }
        return request.stream(type: type)
    }

    private func showPicture(_ request: HTTPExchange) throws(Refusal) {
        let (view, width) = (request.query("view"), request.query("width") ?? "\(View.widths[0])")
        let found = pictures.first { $0.view.rawValue == view && "\($0.width)" == width }
        guard let picture = found else { throw .unknown }
        picture.add(try stream(request, picture.view.type), stage.chain)
        for entry in settings.entries { picture.set(entry.key, entry.text) }
    }

    // MARK: - Settings

    /// The data from which the page draws itself.
    private var page: JSON {
        let views = View.allCases.filter { view in pictures.contains { $0.view == view } }
        return .object([
            ("groups", catalog.json(showsOriginal: showsOriginal)), ("values", values),
            ("kind", .string(settings.kind)), ("key", .string(gate.key)),
            ("minimumBlur", .number(showsOriginal ? 0 : Backdrop.minimumBlur)),
            ("views", .array(views.map { .string($0.rawValue) })), ("backgrounds", backgrounds.json),
            ("presets", Preset.json), ("status", status), ("photos", photos.json),
        ])
    }

    private var values: JSON {
        .object(
            catalog.settings.map { setting in
                let text = settings[setting.key] ?? setting.defaultValue
                let shown = setting.key == .background ? backgrounds.name(ofPath: text) ?? "" : text
                return (setting.key.description, setting.json(shown))
            })
    }

    private func set(_ value: JSON) throws(Refusal) {
        guard case .object(let fields) = value else { throw Refusal(400, "Send an object.") }
        var changed = settings
        var changes: [Change] = []
        for (name, value) in fields {
            guard let key = SettingKey(name), let setting = catalog[key] else {
                throw Refusal(400, "There is no setting \(name).")
            }
            guard let text = setting.text(of: value).flatMap({ path($0, of: key) }) else {
                throw Refusal(400, "\(name) does not take \(value.text).")
            }
            changed[key] = text
            changes.append((key, text))
        }
        if !showsOriginal, let fault = changed.roomFault { throw Refusal(403, Self.hidden(fault)) }
        apply(changes)
    }

    /// Returns the path for the name of an offered file; other texts stay.
    private func path(_ text: String, of key: SettingKey) -> String? {
        key == .background && !text.isEmpty ? backgrounds.path(text) : text
    }

    /// Sets a setting from the program itself.
    package func choose(_ key: SettingKey, _ text: String) { apply([(key, text)]) }

    private typealias Change = (key: SettingKey, text: String)

    /// Sets the changes one after the other; `blendmask` keeps the room hidden in between.
    ///
    /// An equal text is set again: it may be the place of a click on another frame.
    private func apply(_ changes: [Change]) {
        for (key, text) in changes {
            settings[key] = text
            stage.apply(key, text)
            for picture in pictures { picture.set(key, text) }
        }
        send("settings", .object([("values", values), ("kind", .string(settings.kind))]))
    }

    /// Blurs the room instead of showing a background that is not there any more.
    private func replaceMissingBackground() {
        var changed = settings
        guard changed.replaceMissingBackground() else { return }
        apply(StudioSettings.backgroundKeys.map { ($0, changed[$0] ?? "") })
    }

    // MARK: - Actions

    private func act(_ value: JSON, _ request: HTTPExchange) throws(Refusal) {
        guard let word = value["action"]?.string else { throw Refusal(400, "Name an action.") }
        guard let action = StudioAction(rawValue: word) else {
            return try act(request) { () throws(ToolError) in throw .usage("there is no action \(word)") }
        }
        let name = value["name"]?.string ?? ""
        if action == .loadPreset {
            return answer(request, readers, { () throws(ToolError) in try Preset.load(name) }) {
                [weak self] request, preset throws(Refusal) in
                try self?.act(request) { () throws(ToolError) in
                    try self?.load(preset)
                    LastUsed.note(preset: name)
                }
            }
        }
        try act(request) { () throws(ToolError) in
            switch action {
            case .savePreset:
                try Preset.save(settings, as: name)
                LastUsed.note(preset: name)
            case .removePreset: try Preset.remove(name)
            case .removeBackground:
                try backgrounds.remove(name)
                send("backgrounds", backgrounds.json)
                replaceMissingBackground()
            case .chooseVideo:
                guard let path = backgrounds.clip(name) else {
                    throw ToolError(.input, "There is no video \(name) here.")
                }
                stage.play(path)
            case .closePhoto:
                photos.close(value["id"]?.integer)
                send("photos", photos.json)
            default: try stage.perform(action, name)
            }
        }
    }

    private func act(
        _ request: HTTPExchange, _ body: () throws(ToolError) -> Void
    ) throws(Refusal) {
        try Self.refusing(body)
        send("presets", Preset.json)
        sendStatus()
        reply(request, .object([]))
    }

    /// Sets the preset's settings, and resets all others.
    package func load(_ preset: StudioSettings) throws(ToolError) {
        if !showsOriginal, let fault = preset.roomFault { throw ToolError(.input, Self.hidden(fault)) }
        if let path = preset[.background], !path.isEmpty { backgrounds.offer(path) }
        apply(catalog.settings.map { ($0.key, preset[$0.key] ?? $0.defaultValue) })
        send("backgrounds", backgrounds.json)
    }

    // MARK: - Backgrounds

    /// Takes the body of a request: of a background to a file, of a photo to memory.
    private func receive(_ request: HTTPExchange) throws(Refusal) {
        let (id, size) = (request.id, request.announcedLength ?? 0)
        guard uploadsSize + size <= Backgrounds.maximumUploads else {
            throw Refusal(429, "Too much is on its way at once; wait until it is there.")
        }
        if request.path == "/photos" {
            uploadedPhotos[id] = []
            server.receive(request) { [weak self] in self?.uploadedPhotos[id]?.append(contentsOf: $0) }
        } else {
            let upload = try Self.refusing { () throws(ToolError) in
                try backgrounds.upload(request.query("name") ?? "", size: size)
            }
            uploads[id] = upload
            server.receive(request) { upload.append($0) }
        }
        uploadsSize += size
        request.onEnd { [weak self] in
            self?.uploads[$0.id] = nil
            self?.uploadedPhotos[$0.id] = nil
            self?.uploadsSize -= size
        }
    }

    /// Adds a completely uploaded file.
    private func add(_ request: HTTPExchange) throws(Refusal) {
        server.hasReceived(request)
        guard let upload = uploads[request.id] else { throw .unknown }
        answer(request, decoder, { () throws(ToolError) in try upload.publish() }) {
            [weak self] request, _ in
            guard let self else { return }
            send("backgrounds", backgrounds.json)
            reply(request, .object([("name", .string(upload.name))]))
        }
    }
}
