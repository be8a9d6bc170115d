import CommandKit
import GStreamerKit
import Studio

/// The camera that another program of the user offers on demand, for a page that shows and changes it.
final class OfferedCameraLink {
    private let bus: SessionBus
    /// The camera's state, as it was when it was last asked; nil while none is offered.
    private(set) var status: CameraStatus?
    /// The newest refusal of a change, as a sentence, until it is taken.
    private var refusal: String?
    private var isAsked = false
    private var lastAsked = ContinuousClock.now
    /// The settings that are sent when those before have been taken over.
    private var waiting: String?
    private var isSending = false
    /// The settings of the camera that this program has sent or seen.
    private var known = ""

    /// Time between two questions about the state.
    private static let pace = Duration.milliseconds(500)

    /// Looks for the camera; nil without a session.
    init?() {
        guard let bus = SessionBus() else { return nil }
        self.bus = bus
        status = try? bus.call(
            CameraInterface.name, CameraInterface.path, "org.freedesktop.DBus.Properties", "GetAll",
            Variant.texts([CameraInterface.name]), read: CameraInterface.status)
        known = status?.settings ?? ""
    }

    /// The device, or the name of the PipeWire node, that readers open; nil while there is none.
    var camera: String? { status.flatMap { $0.camera.isEmpty ? nil : $0.camera } }

    /// Asks for the state when it is time; to be called several times a second.
    func poll() {
        guard !isAsked, .now - lastAsked > Self.pace else { return }
        (isAsked, lastAsked) = (true, .now)
        let question = Variant.texts([CameraInterface.name])
        send("org.freedesktop.DBus.Properties", "GetAll", question) { [weak self] answer in
            self?.isAsked = false
            self?.status = try? answer.map(CameraInterface.status).get()
        }
    }

    /// Returns the settings that another program has given to the camera, once.
    func takeOtherSettings() -> String? {
        guard !isSending, let settings = status?.settings, settings != known else { return nil }
        known = settings
        return settings
    }

    /// Returns the reason why the newest change was refused, once.
    func takeRefusal() -> String? {
        defer { refusal = nil }
        return refusal
    }

    // MARK: - Changes

    /// Shows the background only, or ends that.
    func setCovered(_ isCovered: Bool) {
        status?.isCovered = isCovered
        change(isCovered ? .cover : .uncover, nil) { _ in }
    }

    /// Lets the camera take over settings; of several that come while it does so, it gets the last.
    func use(_ settings: StudioSettings) {
        waiting = Preset.text(settings)
        sendWaiting()
    }

    private func sendWaiting() {
        guard !isSending, let text = waiting else { return }
        (isSending, waiting) = (true, nil)
        change(.useSettings, Variant.texts([text])) { [weak self] answer in
            guard let self else { return }
            isSending = false
            // As the camera writes them.
            if let settings = answer.flatMap({ Variant.texts(of: $0).first }) {
                known = settings
                status?.settings = settings
            }
            sendWaiting()
        }
    }

    private func change(
        _ method: CameraInterface.Method, _ arguments: OpaquePointer?,
        then: @escaping (OpaquePointer?) -> Void
    ) {
        send(CameraInterface.name, method.rawValue, arguments) { [weak self] answer in
            if case .failure(let error) = answer, !error.isUnknown { self?.refusal = error.message }
            then(try? answer.get())
        }
    }

    private func send(
        _ interface: String, _ method: String, _ arguments: OpaquePointer?,
        then: @escaping (Result<OpaquePointer, CallError>) -> Void
    ) {
        bus.send(
            CameraInterface.name, CameraInterface.path, interface, method, arguments, then: then)
    }
}
