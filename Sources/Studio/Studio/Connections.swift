import CGStreamer
import CSoup
import GStreamerKit
import Glibc

/// The connections of a server's clients; idle connections are closed.
///
/// Clients that have not shown the token have few places and little time. A new client gets the place of the
/// one that has waited longest, so that such clients cannot keep the page out.
final class Connections {
    private var all: [UnsafeRawPointer: Connection] = [:]

    /// Maximum connections of clients without the token, and of clients with it.
    private static let (maximumWithoutToken, maximumWithToken) = (64, 128)

    /// Adds a new connection.
    ///
    /// - Parameter address: the client's address, which libsoup also gives with every request.
    func add(_ stream: UnsafeMutableRawPointer, from address: UnsafeMutableRawPointer) {
        let connection = Connection(stream, address)
        all[address] = connection
        // libsoup releases the stream when the connection has ended.
        typealias Box = ClosureBox<() -> Void>
        let box = Box { [weak self] in
            connection.stream = nil
            self?.all[address] = nil
        }
        g_object_weak_ref(
            stream.assumingMemoryBound(to: GObject.self),
            { data, _ in
                Box.body(data)?()
                releaseClosure(data)
            }, box.retained)
        makeRoom(isTrusted: false, Self.maximumWithoutToken)
    }

    subscript(address: UnsafeRawPointer?) -> Connection? { address.flatMap { all[$0] } }

    /// Marks a connection whose client has shown the token.
    func trust(_ connection: Connection?) {
        guard let connection, !connection.isTrusted else { return }
        connection.isTrusted = true
        makeRoom(isTrusted: true, Self.maximumWithToken)
    }

    private func makeRoom(isTrusted: Bool, _ places: Int) {
        let open = all.values.filter { $0.isTrusted == isTrusted && !$0.isClosed }
        guard open.count > places else { return }
        let idle = open.filter { !isTrusted || $0.requests == 0 }.sorted { $0.lastSeen < $1.lastSeen }
        for connection in idle.prefix(open.count - places) { connection.close() }
    }

    /// Closes connections that have been idle too long; to be called every second or so.
    func sweep() {
        let now = g_get_monotonic_time()
        for connection in Array(all.values) where connection.isOverdue(at: now) { connection.close() }
    }
}

/// A client's connection.
final class Connection {
    /// A `GSocketConnection`, which libsoup owns; nil when it has been released.
    fileprivate(set) var stream: UnsafeMutableRawPointer?
    private let address: ObjectReference
    fileprivate(set) var isTrusted = false
    fileprivate private(set) var isClosed = false
    /// Number of requests that have not been answered.
    fileprivate private(set) var requests = 0
    /// Time of the connection's start or of its last activity, in microseconds.
    fileprivate private(set) var lastSeen = g_get_monotonic_time()
    /// Time at which the client was found to have closed its direction, in microseconds.
    private var halfClosed: gint64?

    /// Longest wait for a request of a client without the token, and longest rest of a client with it, in
    /// microseconds.
    private static let (patience, rest): (gint64, gint64) = (10_000_000, 60_000_000)

    fileprivate init(_ stream: UnsafeMutableRawPointer, _ address: UnsafeMutableRawPointer) {
        self.stream = stream
        g_object_ref(address)
        self.address = ObjectReference(taking: address)
    }

    var socket: UnsafeMutablePointer<GSocket>? {
        stream.flatMap { g_socket_connection_get_socket($0.assumingMemoryBound(to: GSocketConnection.self)) }
    }

    /// Records that the head of a request has arrived.
    func begin() { (requests, lastSeen) = (requests + 1, g_get_monotonic_time()) }
    /// Records that a request has been answered or given up.
    func finish() { (requests, lastSeen) = (max(0, requests - 1), g_get_monotonic_time()) }
    /// Records that a part of a request's body has arrived.
    func progress() { if isTrusted { lastSeen = g_get_monotonic_time() } }

    /// Shuts down both directions, after which libsoup releases the connection.
    func close() {
        isClosed = true
        if let socket { g_socket_shutdown(socket, 1, 1, nil) }
    }

    fileprivate func isOverdue(at now: gint64) -> Bool {
        if isClosed { return true }
        noteEnd(at: now)
        if let halfClosed, now - halfClosed > Self.patience { return true }
        // An answer with a picture or a stream of events lasts as long as its client reads it.
        if isTrusted, requests > 0, !isReceiving { return false }
        return now - lastSeen > (isTrusted ? Self.rest : Self.patience)
    }

    /// Whether the body of a request is arriving.
    var isReceiving = false

    /// Checks whether the client has closed its direction.
    private func noteEnd(at now: gint64) {
        guard halfClosed == nil, let socket else { return }
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        if recv(g_socket_get_fd(socket), &byte, 1, flags) == 0 { halfClosed = now }
    }
}
