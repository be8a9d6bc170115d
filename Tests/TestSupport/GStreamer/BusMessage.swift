public import CGStreamer

/// An error, warning or end-of-stream message from a bus.
public struct BusMessage: Sendable, Equatable, CustomStringConvertible {
    /// The kinds that tests look at.
    public enum Kind: Sendable { case error, warning, endOfStream }

    /// Error, warning or end of stream.
    public let kind: Kind
    /// Name of the element that posted it.
    public let source: String
    /// The error's domain as GLib names it: `gst-resource-error-quark`.
    public let domain: String
    /// The error's code in that domain.
    public let code: Int
    /// The sentence for the user.
    public let text: String

    /// Everything, for test output.
    public var description: String { "\(kind) from \(source): \(domain) \(code): \(text)" }

    /// Whether this is an error or warning of that domain and code.
    public func `is`(_ kind: Kind, _ domain: GQuark, _ code: UInt32) -> Bool {
        self.kind == kind && self.domain == String(cString: g_quark_to_string(domain))
            && self.code == Int(code)
    }

    init?(_ message: UnsafeMutablePointer<GstMessage>) {
        var error: UnsafeMutablePointer<GError>?
        switch people_message_type(message) {
        case GST_MESSAGE_EOS: kind = .endOfStream
        case GST_MESSAGE_ERROR:
            kind = .error
            gst_message_parse_error(message, &error, nil)
        case GST_MESSAGE_WARNING:
            kind = .warning
            gst_message_parse_warning(message, &error, nil)
        default: return nil
        }
        defer { g_clear_error(&error) }
        source = message.pointee.src.map { String(cString: $0.pointee.name) } ?? ""
        domain = error.map { String(cString: g_quark_to_string($0.pointee.domain)) } ?? ""
        code = error.map { Int($0.pointee.code) } ?? 0
        text = error.map { String(cString: $0.pointee.message) } ?? ""
    }
}

/// A bus and the way to read it.
final class Bus {
    let raw: UnsafeMutablePointer<GstBus>

    /// Takes over a reference.
    init(_ raw: UnsafeMutablePointer<GstBus>) { self.raw = raw }

    deinit { gst_object_unref(raw) }

    /// The next message of interest; nil when none comes in `seconds`.
    func next(within seconds: Double) -> BusMessage? {
        let kinds =
            GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_WARNING.rawValue | GST_MESSAGE_EOS.rawValue
        let time = GstClockTime(seconds * 1e9)
        guard let message = gst_bus_timed_pop_filtered(raw, time, GstMessageType(rawValue: kinds)) else {
            return nil
        }
        defer { gst_message_unref(message) }
        return BusMessage(message)
    }
}
