import CGIO
import CommandKit
import GStreamerKit

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
            pointer, name, path, interface, method, arguments, nil, G_DBUS_CALL_FLAGS_NO_AUTO_START,
            Self.patience, nil, &error)
        guard let answer else {
            defer { g_clear_error(&error) }
            throw CallError(error)
        }
        defer { g_variant_unref(answer) }
        return read(answer)
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
