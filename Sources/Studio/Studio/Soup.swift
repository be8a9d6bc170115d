import CSoup
import GStreamerKit

/// An HTTP server of libsoup on the main context, reachable only from this machine.
///
/// All calls and closures run on the thread that iterates the main context.
package final class HTTPServer {
    private let reference: ObjectReference
    private let service: ObjectReference
    private let connections = Connections()
    private var server: UnsafeMutablePointer<SoupServer> {
        reference.pointer.assumingMemoryBound(to: SoupServer.self)
    }

    /// Returns nil when memory is short.
    package init?() {
        guard let server = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil),
            let service = g_socket_service_new()
        else { return nil }
        reference = ObjectReference(taking: UnsafeMutableRawPointer(server))
        self.service = ObjectReference(taking: UnsafeMutableRawPointer(service))
        g_socket_listener_set_backlog(listener, 128)
    }

    private var listener: UnsafeMutablePointer<GSocketListener> {
        service.pointer.assumingMemoryBound(to: GSocketListener.self)
    }

    /// Sets the functions that answer requests.
    ///
    /// - Parameters:
    ///   - early: called when the head of a request has arrived, before its body; an answer that it gives is
    ///     final.
    ///   - handler: called with complete requests that `early` has not answered.
    package func serve(
        early: @escaping (HTTPExchange) -> Void, _ handler: @escaping (HTTPExchange) -> Void
    ) {
        let begun = Box { [connections] request in
            connections[request.address]?.begin()
            request.onEnd { [connections] in connections[$0.address]?.finish() }
            early(request)
        }
        soup_server_add_early_handler(server, nil, callback, begun.retained, releaseClosure)
        soup_server_add_handler(server, nil, callback, Box(handler).retained, releaseClosure)
    }

    deinit {
        g_socket_listener_close(listener)
        soup_server_disconnect(server)
    }

    private typealias Box = ClosureBox<(HTTPExchange) -> Void>

    private var callback: SoupServerCallback {
        { _, message, path, _, data in
            guard let message, let path else { return }
            Box.body(data)?(HTTPExchange(message, path: String(cString: path)))
        }
    }

    /// Listens on 127.0.0.1.
    ///
    /// Connections are accepted here and passed to libsoup (3.2), which does not close those that it accepts
    /// itself.
    ///
    /// - Parameter port: 0 for any free port.
    /// - Returns: the port; nil if it is taken.
    package func listen(port: UInt16) -> UInt16? {
        guard let address = g_inet_socket_address_new_from_string("127.0.0.1", guint(port)) else {
            return nil
        }
        defer { g_object_unref(address) }
        var bound: UnsafeMutablePointer<GSocketAddress>?
        let isOpen = g_socket_listener_add_address(
            listener, address, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, nil, &bound, nil)
        guard isOpen != 0, let bound else { return nil }
        defer { g_object_unref(bound) }
        typealias Box = ClosureBox<(UnsafeMutableRawPointer) -> Void>
        let incoming: @convention(c) (gpointer?, gpointer?, gpointer?, gpointer?) -> gboolean = {
            _, connection, _, data in
            if let connection { Box.body(data)?(connection) }
            return 1
        }
        g_signal_connect_data(
            service.pointer, "incoming", unsafeBitCast(incoming, to: GCallback.self),
            Box { [weak self] in self?.accept($0) }.retained, { data, _ in releaseClosure(data) },
            GConnectFlags(rawValue: 0))
        return bound.withMemoryRebound(to: GInetSocketAddress.self, capacity: 1) {
            g_inet_socket_address_get_port($0)
        }
    }

    private func accept(_ stream: UnsafeMutableRawPointer) {
        let connection = stream.assumingMemoryBound(to: GSocketConnection.self)
        guard let local = g_socket_connection_get_local_address(connection, nil) else { return }
        defer { g_object_unref(local) }
        guard let remote = g_socket_connection_get_remote_address(connection, nil) else { return }
        defer { g_object_unref(remote) }
        // libsoup reads at once, so the connection is added first.
        connections.add(stream, from: UnsafeMutableRawPointer(remote))
        soup_server_accept_iostream(
            server, stream.assumingMemoryBound(to: GIOStream.self), local, remote, nil)
    }

    /// Marks the client of a request as one that has shown the token.
    func trust(_ request: HTTPExchange) { connections.trust(connections[request.address]) }

    /// Closes connections that have been idle too long; to be called every second or so.
    func sweep() { connections.sweep() }

    /// Passes the parts of a request's body to `take` instead of collecting them.
    func receive(_ request: HTTPExchange, _ take: @escaping (UnsafeRawBufferPointer) -> Void) {
        // The request keeps the closure; the closure must not keep the request.
        let connection = connections[request.address]
        connection?.isReceiving = true
        request.onBody { [weak connection] part in
            connection?.progress()
            take(part)
        }
    }

    /// Records that the body of a request has arrived, or is not wanted.
    func hasReceived(_ request: HTTPExchange) { connections[request.address]?.isReceiving = false }

    /// Refuses a request whose body has not arrived.
    func refuse(_ request: HTTPExchange, _ status: UInt32, _ reason: String) {
        request.refuse(status, reason, connections[request.address]?.socket)
    }
}

/// A request and its answer.
package struct HTTPExchange {
    /// The decoded path, without the query.
    package let path: String
    private let reference: ObjectReference
    private var message: OpaquePointer { OpaquePointer(reference.pointer) }

    fileprivate init(_ message: OpaquePointer, path: String) {
        g_object_ref(UnsafeMutableRawPointer(message))
        (reference, self.path) = (ObjectReference(taking: UnsafeMutableRawPointer(message)), path)
    }

    /// An identifier that is the same in all calls for one request.
    var id: UnsafeRawPointer { UnsafeRawPointer(reference.pointer) }

    /// The address of the connection that was given to libsoup.
    fileprivate var address: UnsafeRawPointer? {
        soup_server_message_get_remote_address(message).map { UnsafeRawPointer($0) }
    }

    /// Calls `body` when the request has been answered, or its client has gone.
    func onEnd(_ body: @escaping (HTTPExchange) -> Void) {
        typealias Box = ClosureBox<(HTTPExchange) -> Void>
        let callback: @convention(c) (OpaquePointer?, gpointer?) -> Void = { message, data in
            if let message { Box.body(data)?(HTTPExchange(message, path: "")) }
        }
        g_signal_connect_data(
            reference.pointer, "finished", unsafeBitCast(callback, to: GCallback.self), Box(body).retained,
            { data, _ in releaseClosure(data) }, GConnectFlags(rawValue: 0))
    }

    fileprivate func onBody(_ take: @escaping (UnsafeRawBufferPointer) -> Void) {
        typealias Box = ClosureBox<(UnsafeRawBufferPointer) -> Void>
        soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
        let callback: @convention(c) (gpointer?, OpaquePointer?, gpointer?) -> Void = { _, chunk, data in
            var size: gsize = 0
            guard let chunk, let bytes = g_bytes_get_data(chunk, &size) else { return }
            Box.body(data)?(UnsafeRawBufferPointer(start: bytes, count: Int(clamping: size)))
        }
        g_signal_connect_data(
            reference.pointer, "got-chunk", unsafeBitCast(callback, to: GCallback.self), Box(take).retained,
            { data, _ in releaseClosure(data) }, GConnectFlags(rawValue: 0))
    }

    package var method: String { soup_server_message_get_method(message).map { String(cString: $0) } ?? "" }

    /// Returns a field of the request's header; nil when it is missing.
    package func header(_ name: String) -> String? {
        soup_message_headers_get_one(soup_server_message_get_request_headers(message), name)
            .map { String(cString: $0) }
    }

    /// Returns a field of the address's query; nil when it is missing, or the query is malformed.
    package func query(_ name: String) -> String? {
        guard let uri = soup_server_message_get_uri(message), let query = g_uri_get_query(uri),
            let fields = g_uri_parse_params(query, -1, "&", people_uri_params_form, nil)
        else { return nil }
        defer { g_hash_table_unref(fields) }
        return g_hash_table_lookup(fields, name).map {
            String(cString: $0.assumingMemoryBound(to: CChar.self))
        }
    }

    /// Number of bytes that the request announces; nil if it announces none.
    package var announcedLength: Int? { header("Content-Length").flatMap { Int($0) } }

    /// Whether the body is sent in parts, without its length.
    package var isChunked: Bool { header("Transfer-Encoding") != nil }

    package var body: [UInt8] {
        guard let whole = soup_message_body_flatten(soup_server_message_get_request_body(message)) else {
            return []
        }
        defer { g_bytes_unref(whole) }
        var size: gsize = 0
        guard let data = g_bytes_get_data(whole, &size) else { return [] }
        return Array(UnsafeRawBufferPointer(start: data, count: Int(clamping: size)))
    }

    /// Whether the request has been answered.
    package var isAnswered: Bool { soup_server_message_get_status(message) != 0 }

    // MARK: - Answers

    package func setHeader(_ name: String, _ value: String) {
        soup_message_headers_replace(soup_server_message_get_response_headers(message), name, value)
    }

    /// Answers with a complete body.
    package func answer(_ status: UInt32, type: String, _ body: [UInt8]) {
        soup_server_message_set_status(message, status, nil)
        soup_server_message_set_response(message, type, SOUP_MEMORY_COPY, body, gsize(body.count))
    }

    /// Length up to which bodies are read to their end and discarded, in bytes: browsers read an answer only
    /// after that.
    private static let maximumRead = 256 << 20

    /// Whether the body is too long to be read to its end, or may not end.
    private var isEndless: Bool {
        let length = header("Content-Length").map { Int($0) ?? -1 } ?? 0
        return isChunked || !(0...Self.maximumRead).contains(length)
    }

    /// Answers before the body has arrived, and skips the body; the connection ends.
    fileprivate func refuse(_ status: UInt32, _ reason: String, _ socket: UnsafeMutablePointer<GSocket>?) {
        soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
        if isEndless, let socket {
            // libsoup (3.2) would answer only after it has read the body.
            let line = "HTTP/1.1 \(status) \(reason)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            g_socket_send(socket, line, gsize(line.utf8.count), nil, nil)
            g_socket_shutdown(socket, 0, 1, nil)
        }
        answer(status, type: "text/plain; charset=utf-8", Array((reason + "\n").utf8))
    }

    /// Delays the answer, which `HTTPLater` gives.
    func later() -> HTTPLater {
        soup_server_message_pause(message)
        return HTTPLater(self, reference)
    }

    /// Answers with a body that is written in parts.
    package func stream(type: String) -> HTTPStream {
        soup_server_message_set_status(message, 200, nil)
        setHeader("Content-Type", type)
        let headers = soup_server_message_get_response_headers(message)
        let isOld = soup_server_message_get_http_version(message) == SOUP_HTTP_1_0
        soup_message_headers_set_encoding(headers, isOld ? SOUP_ENCODING_EOF : SOUP_ENCODING_CHUNKED)
        soup_message_body_set_accumulate(soup_server_message_get_response_body(message), 0)
        return HTTPStream(reference)
    }
}

/// An answer that is incomplete when its request has been handled.
package class HTTPAnswer {
    fileprivate let reference: ObjectReference
    fileprivate var message: OpaquePointer { OpaquePointer(reference.pointer) }
    /// Whether the answer is complete, or the reader has gone.
    package fileprivate(set) var isOver = false

    fileprivate init(_ reference: ObjectReference) {
        self.reference = reference
        connect("finished") { $0.isOver = true }
        connect("disconnected") { $0.isOver = true }
    }

    fileprivate func connect(_ signal: String, _ body: @escaping (HTTPAnswer) -> Void) {
        typealias Box = ClosureBox<() -> Void>
        let callback: @convention(c) (gpointer?, gpointer?) -> Void = { _, data in Box.body(data)?() }
        let box = Box { [weak self] in if let self { body(self) } }
        g_signal_connect_data(
            reference.pointer, signal, unsafeBitCast(callback, to: GCallback.self), box.retained,
            { data, _ in releaseClosure(data) }, GConnectFlags(rawValue: 0))
    }
}

/// A complete answer that is given after some work.
final class HTTPLater: HTTPAnswer {
    private let request: HTTPExchange

    fileprivate init(_ request: HTTPExchange, _ reference: ObjectReference) {
        self.request = request
        super.init(reference)
    }

    /// Gives the answer; does nothing if the reader has gone.
    func give(_ answer: (HTTPExchange) -> Void) {
        guard !isOver else { return }
        answer(request)
        soup_server_message_unpause(message)
    }
}

/// A body that ends when the reader disconnects, or falls too far behind.
package final class HTTPStream: HTTPAnswer {
    /// Whether the last bytes are still being written.
    package private(set) var isBusy = false
    private var waiting: [UInt8] = []

    /// Maximum bytes that may wait for a reader.
    private static let maximumWaiting = 1 << 20

    fileprivate override init(_ reference: ObjectReference) {
        super.init(reference)
        connect("wrote-chunk") { ($0 as? HTTPStream)?.flush() }
    }

    /// Writes bytes, behind those that are still being written.
    package func write(_ bytes: [UInt8]) {
        guard !isOver else { return }
        guard isBusy else { return append(bytes) }
        waiting += bytes
        if waiting.count > Self.maximumWaiting { end() }
    }

    private func flush() {
        isBusy = false
        guard !waiting.isEmpty, !isOver else { return }
        append(waiting)
        waiting = []
    }

    private func append(_ bytes: [UInt8]) {
        isBusy = true
        soup_message_body_append(
            soup_server_message_get_response_body(message), SOUP_MEMORY_COPY, bytes, gsize(bytes.count))
        soup_server_message_unpause(message)
    }

    /// Ends the body.
    package func end() {
        guard !isOver else { return }
        isOver = true
        soup_message_body_complete(soup_server_message_get_response_body(message))
        soup_server_message_unpause(message)
    }
}

/// GLib's main context, in which the server runs.
package enum MainContext {
    /// Wakes `iterate` every tenth of a second.
    private static let timer = g_timeout_add(100, { _ in 1 }, nil)

    /// Handles events for up to a tenth of a second, or until an event has come.
    package static func iterate() {
        _ = timer
        g_main_context_iteration(nil, 1)
        while g_main_context_iteration(nil, 0) != 0 {}
    }

    /// Ends the wait of `iterate`, from any thread.
    package static func wake() { g_main_context_wakeup(nil) }
}
