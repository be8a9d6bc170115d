public import CGStreamer
import GStreamerKit

/// An error, warning or end-of-stream message from a bus.
public struct BusMessage: Sendable, Equatable, CustomStringConvertible {
    /// The kinds that tests read.
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

    /// All values, for test output.
    public var description: String { "\(kind) from \(source): \(domain) \(code): \(text)" }

    /// Whether this is an error or warning with that domain and code.
    public func `is`(_ kind: Kind, _ domain: GQuark, _ code: UInt32) -> Bool {
        self.kind == kind && self.domain == String(cString: g_quark_to_string(domain))
            && self.code == Int(code)
    }

    init?(_ message: GStreamer.Message) {
        switch message.kind {
        case .endOfStream:
            (kind, domain, code, text) = (.endOfStream, "", 0, "")
            source = message.source
            return
        case .error: kind = .error
        case .warning: kind = .warning
        default: return nil
        }
        let failure = message.failure
        (source, code, text) = (failure.source, Int(failure.code), failure.text)
        domain = g_quark_to_string(failure.domain).map { String(cString: $0) } ?? ""
    }
}

extension GStreamer.Bus {
    /// Returns the next error, warning or end of stream; nil if none comes in `seconds`.
    func next(within seconds: Double) -> BusMessage? {
        pop([.error, .warning, .endOfStream], within: UInt64(seconds * 1e9)).flatMap { BusMessage($0) }
    }

    /// Returns all errors, warnings and ends of streams on the bus.
    func all() -> [BusMessage] {
        var messages: [BusMessage] = []
        while let message = next(within: 0) { messages.append(message) }
        return messages
    }
}
