import CGIO
import CommandKit
import GStreamerKit
import Glibc

/// The D-Bus object by which programs of the same user control an offered camera.
///
/// Calls are answered on the thread that iterates the main context.
final class CameraControl {
    private unowned let camera: any ControlledCamera
    private let connection: SessionBus
    private var owner: guint = 0
    private var registration: guint = 0
    private var published = CameraStatus()

    /// Offers the object on the session bus; nil, with a message for the user, where there is none.
    init?(_ camera: any ControlledCamera) {
        guard let connection = SessionBus() else {
            printDiagnostic("no D-Bus session: the camera cannot be controlled by \"gst-people control\".")
            return nil
        }
        (self.camera, self.connection) = (camera, connection)
        register()
        let lost: GBusNameLostCallback = { connection, _, _ in
            // Without a connection, the session has ended.
            guard connection != nil else { return }
            printDiagnostic("control: another camera is controlled by \"gst-people control\" already.")
        }
        owner = g_bus_own_name_on_connection(
            connection.pointer, CameraInterface.name, .withoutQueue, nil, lost, nil, nil)
    }

    deinit {
        if owner != 0 { g_bus_unown_name(owner) }
        if registration != 0 { g_dbus_connection_unregister_object(connection.pointer, registration) }
    }

    private func register() {
        guard let node = g_dbus_node_info_new_for_xml(CameraInterface.description, nil) else { return }
        defer { g_dbus_node_info_unref(node) }
        var table = GDBusInterfaceVTable()
        table.method_call = { _, sender, _, _, method, arguments, invocation, data in
            guard let invocation, let control = CameraControl.body(data) else { return }
            control.call(
                sender.map { String(cString: $0) }, method.map { String(cString: $0) } ?? "",
                arguments.map { Variant.texts(of: $0) } ?? [], invocation)
        }
        table.get_property = { _, _, _, _, name, _, data in
            guard let name, let control = CameraControl.body(data) else { return nil }
            let wanted = String(cString: name)
            return CameraInterface.properties(control.camera.status).first { $0.name == wanted }?.value
        }
        // GLib copies the table, and keeps the interface.
        registration = g_dbus_connection_register_object(
            connection.pointer, CameraInterface.path, node.pointee.interfaces?.pointee, &table,
            Unmanaged.passUnretained(self).toOpaque(), nil, nil)
    }

    private static func body(_ data: gpointer?) -> CameraControl? {
        data.map { Unmanaged<CameraControl>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - Calls

    private func call(
        _ sender: String?, _ method: String, _ arguments: [String], _ invocation: OpaquePointer
    ) {
        do throws(ToolError) {
            guard let sender, connection.user(of: sender) == getuid() else {
                throw ToolError(.failed, "Only the camera's own user may control it.")
            }
            try perform(method, arguments)
            let result = method == CameraInterface.Method.useSettings.rawValue ? [camera.status.settings] : []
            g_dbus_method_invocation_return_value(invocation, Variant.texts(result))
            publish()
        } catch {
            g_dbus_method_invocation_return_dbus_error(
                invocation, "\(CameraInterface.name).Error", error.message)
        }
    }

    private func perform(_ method: String, _ arguments: [String]) throws(ToolError) {
        switch (CameraInterface.Method(rawValue: method), arguments.count) {
        case (.cover, _): try camera.cover()
        case (.uncover, _): camera.uncover()
        case (.usePreset, 1): try camera.usePreset(arguments[0])
        case (.set, 2): try camera.set(arguments[0], to: arguments[1])
        case (.useSettings, 1): try camera.useSettings(arguments[0])
        default: throw ToolError(.usage, "there is no method \(method)")
        }
    }

    // MARK: - Signals

    /// Tells other programs about a change of the status.
    func publish() {
        let status = camera.status
        guard status != published else { return }
        published = status
        let entries = CameraInterface.properties(status).map { property in
            g_variant_new_dict_entry(
                g_variant_new_string(property.name), g_variant_new_variant(property.value))
        }
        var children: [OpaquePointer?] = entries
        let none = g_variant_new_strv(nil, 0)
        connection.emit(
            CameraInterface.path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            Variant.tuple([
                g_variant_new_string(CameraInterface.name),
                g_variant_new_array(nil, &children, gsize(children.count)), none,
            ]))
    }
}

/// A camera that other programs control.
protocol ControlledCamera: AnyObject {
    var status: CameraStatus { get }

    /// Shows the background only; when the call returns, readers get no other frames.
    func cover() throws(ToolError)
    func uncover()
    func usePreset(_ name: String) throws(ToolError)
    func set(_ property: String, to value: String) throws(ToolError)
    /// Takes over settings in place of all others.
    ///
    /// - Parameter text: the text of a preset.
    func useSettings(_ text: String) throws(ToolError)
}

/// The state of an offered camera, as other programs see it.
struct CameraStatus: Equatable {
    enum State: String {
        /// The real camera is closed, since no program reads.
        case closed
        /// A program reads, and gets covered frames.
        case opening
        case open
    }

    var state = State.closed
    var isCovered = false
    /// The name of the preset; empty for none.
    var preset = ""
    /// The reason why no frames come, as a sentence; empty while they come.
    var problem = ""
    /// The settings as the text of a preset.
    var settings = ""
    /// The device, or the name of the PipeWire node, that readers open.
    var camera = ""
}

/// The D-Bus interface of an offered camera.
enum CameraInterface {
    /// The name on the bus, and the name of the interface.
    static let name = "org.gst_people.Camera1"
    static let path = "/org/gst_people/Camera1"

    enum Method: String {
        case cover = "Cover"
        case uncover = "Uncover"
        case usePreset = "UsePreset"
        case set = "Set"
        case useSettings = "UseSettings"
    }

    /// The description that introspection prints.
    static let description = """
        <node>
          <interface name="\(name)">
            <method name="Cover"/>
            <method name="Uncover"/>
            <method name="UsePreset"><arg name="name" type="s" direction="in"/></method>
            <method name="Set">
              <arg name="property" type="s" direction="in"/>
              <arg name="value" type="s" direction="in"/>
            </method>
            <method name="UseSettings">
              <arg name="preset" type="s" direction="in"/>
              <arg name="settings" type="s" direction="out"/>
            </method>
            <property name="State" type="s" access="read"/>
            <property name="Covered" type="b" access="read"/>
            <property name="Preset" type="s" access="read"/>
            <property name="Problem" type="s" access="read"/>
            <property name="Settings" type="s" access="read"/>
            <property name="Camera" type="s" access="read"/>
          </interface>
        </node>
        """

    /// Returns the value of each property, in the order of the description.
    static func properties(_ status: CameraStatus) -> [(name: String, value: OpaquePointer?)] {
        [
            ("State", g_variant_new_string(status.state.rawValue)),
            ("Covered", g_variant_new_boolean(status.isCovered ? 1 : 0)),
            ("Preset", g_variant_new_string(status.preset)),
            ("Problem", g_variant_new_string(status.problem)),
            ("Settings", g_variant_new_string(status.settings)),
            ("Camera", g_variant_new_string(status.camera)),
        ]
    }

    /// Returns the status that the answer to `GetAll` has; what an older program does not send is empty.
    static func status(_ answer: OpaquePointer) -> CameraStatus {
        var status = CameraStatus()
        guard let all = g_variant_get_child_value(answer, 0) else { return status }
        defer { g_variant_unref(all) }
        let text = { (name: String) in Variant.text(named: name, in: all) }
        status.state = CameraStatus.State(rawValue: text("State")) ?? .closed
        (status.preset, status.problem) = (text("Preset"), text("Problem"))
        (status.settings, status.camera) = (text("Settings"), text("Camera"))
        if let value = g_variant_lookup_value(all, "Covered", nil) {
            status.isCovered = g_variant_get_boolean(value) != 0
            g_variant_unref(value)
        }
        return status
    }
}

/// Values of GLib for messages.
enum Variant {
    static func tuple(_ values: [OpaquePointer?]) -> OpaquePointer? {
        var values = values
        return g_variant_new_tuple(&values, gsize(values.count))
    }

    static func texts(_ texts: [String]) -> OpaquePointer? { tuple(texts.map { g_variant_new_string($0) }) }

    /// Returns the texts of a tuple; other values are left out.
    static func texts(of tuple: OpaquePointer) -> [String] {
        (0..<g_variant_n_children(tuple)).compactMap { index in
            guard let value = g_variant_get_child_value(tuple, index) else { return nil }
            defer { g_variant_unref(value) }
            guard g_variant_classify(value) == G_VARIANT_CLASS_STRING else { return nil }
            return g_variant_get_string(value, nil).map { String(cString: $0) }
        }
    }

    /// Returns the text of a name in a dictionary; empty if there is none.
    static func text(named name: String, in dictionary: OpaquePointer) -> String {
        guard let value = g_variant_lookup_value(dictionary, name, nil) else { return "" }
        defer { g_variant_unref(value) }
        guard g_variant_classify(value) == G_VARIANT_CLASS_STRING else { return "" }
        return g_variant_get_string(value, nil).map { String(cString: $0) } ?? ""
    }
}

/// The connection to the D-Bus of the user's session.
final class SessionBus {
    private let reference: ObjectReference
    /// The `GDBusConnection`.
    var pointer: OpaquePointer { OpaquePointer(reference.pointer) }

    /// Longest time for an answer, in milliseconds: the camera answers when it has changed.
    private static let patience: gint = 30_000

    /// Returns nil where there is no session.
    init?() {
        guard let connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else { return nil }
        reference = ObjectReference(taking: UnsafeMutableRawPointer(connection))
        // GIO would end the program with the session's bus.
        g_dbus_connection_set_exit_on_close(connection, 0)
    }

    /// Calls a method of an object that is there already.
    ///
    /// - Parameter arguments: a tuple; nil for none.
    /// - Returns: a tuple, which `read` is given.
    func call<Result>(
        _ name: String, _ path: String, _ interface: String, _ method: String, _ arguments: OpaquePointer?,
        read: (OpaquePointer) -> Result
    ) throws(CallError) -> Result {
        var error: UnsafeMutablePointer<GError>?
        let answer = g_dbus_connection_call_sync(
            pointer, name, path, interface, method, arguments, nil, .onlyRunning, Self.patience, nil,
            &error)
        guard let answer else {
            defer { g_clear_error(&error) }
            throw CallError(error)
        }
        defer { g_variant_unref(answer) }
        return read(answer)
    }

    /// Calls a method of an object that is there already, without waiting for its answer.
    ///
    /// - Parameters:
    ///   - arguments: a tuple; nil for none.
    ///   - then: gets the answer on the thread that iterates the main context.
    func send(
        _ name: String, _ path: String, _ interface: String, _ method: String, _ arguments: OpaquePointer?,
        then: @escaping (Result<OpaquePointer, CallError>) -> Void
    ) {
        let answered: GAsyncReadyCallback = { source, result, data in
            guard let source, let data else { return }
            let then = Unmanaged<Answer>.fromOpaque(data).takeRetainedValue().then
            var error: UnsafeMutablePointer<GError>?
            guard let answer = g_dbus_connection_call_finish(OpaquePointer(source), result, &error) else {
                defer { g_clear_error(&error) }
                return then(.failure(CallError(error)))
            }
            defer { g_variant_unref(answer) }
            then(.success(answer))
        }
        g_dbus_connection_call(
            pointer, name, path, interface, method, arguments, nil, .onlyRunning, Self.patience, nil,
            answered, Unmanaged.passRetained(Answer(then)).toOpaque())
    }

    /// The function that gets an answer.
    private final class Answer {
        let then: (Result<OpaquePointer, CallError>) -> Void
        init(_ then: @escaping (Result<OpaquePointer, CallError>) -> Void) { self.then = then }
    }

    /// Returns the number of the user who has a connection; nil if it has gone.
    func user(of connection: String) -> UInt32? {
        let bus = "org.freedesktop.DBus"
        return try? call(
            bus, "/org/freedesktop/DBus", bus, "GetConnectionUnixUser", Variant.texts([connection])
        ) { answer in
            guard let value = g_variant_get_child_value(answer, 0) else { return nil }
            defer { g_variant_unref(value) }
            guard g_variant_classify(value) == G_VARIANT_CLASS_UINT32 else { return nil }
            return g_variant_get_uint32(value)
        }
    }

    func emit(_ path: String, _ interface: String, _ signal: String, _ arguments: OpaquePointer?) {
        g_dbus_connection_emit_signal(pointer, nil, path, interface, signal, arguments, nil)
    }
}

/// The failure of a call.
struct CallError: Error {
    /// Whether nobody has the name that was called.
    let isUnknown: Bool
    /// A sentence.
    let message: String

    fileprivate init(_ error: UnsafeMutablePointer<GError>?) {
        let remote = g_dbus_error_get_remote_error(error).map(copyAndFree)
        let unknown = ["NameHasNoOwner", "ServiceUnknown", "UnknownMethod"].map {
            "org.freedesktop.DBus.Error.\($0)"
        }
        isUnknown = remote.map(unknown.contains) ?? false
        g_dbus_error_strip_remote_error(error)
        message = error.map { String(cString: $0.pointee.message) } ?? "unknown error"
    }
}

// Flags by their numbers: from GLib 2.90 on Swift has other names for them.

extension GBusNameOwnerFlags {
    /// `G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE`.
    fileprivate static var withoutQueue: Self { Self(rawValue: 1 << 2) }
}

extension GDBusCallFlags {
    /// `G_DBUS_CALL_FLAGS_NO_AUTO_START`.
    fileprivate static var onlyRunning: Self { Self(rawValue: 1 << 0) }
}
