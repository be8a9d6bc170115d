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
            connection.pointer, CameraInterface.name, G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE, nil, lost, nil,
            nil)
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
            g_dbus_method_invocation_return_value(invocation, nil)
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
