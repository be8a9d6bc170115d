import CGStreamer
import CSoup
import GStreamerKit
import Glibc

/// The connections of a server's clients, which are closed when nothing is to be expected of them.
///
/// Clients that have not shown the token have few places and little time: the last one gets the place of the one that
/// has waited longest, so that they cannot keep the page out.
final class Connections {
    private var all: [UnsafeRawPointer: Connection] = [:]

    /// Places of clients without the token, and of those with it.
    private static let (maximumStrangers, maximumGuests) = (64, 128)

    /// Takes a new connection in.
    ///
    /// - Parameter address: the client's, as libsoup tells it of every request.
    func add(_ stream: UnsafeMutableRawPointer, from address: UnsafeMutableRawPointer) {
        let connection = Connection(stream, address)
        all[address] = connection
        // libsoup lets the stream go when the connection has ended.
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
        makeRoom(isTrusted: false, Self.maximumStrangers)
    }

    subscript(address: UnsafeRawPointer?) -> Connection? { address.flatMap { all[$0] } }

    /// The client has shown the token.
    func trust(_ connection: Connection?) {
        guard let connection, !connection.isTrusted else { return }
        connection.isTrusted = true
        makeRoom(isTrusted: true, Self.maximumGuests)
    }

    private func makeRoom(isTrusted: Bool, _ places: Int) {
        let open = all.values.filter { $0.isTrusted == isTrusted && !$0.isClosed }
        guard open.count > places else { return }
        let idle = open.filter { !isTrusted || $0.requests == 0 }.sorted { $0.lastSeen < $1.lastSeen }
        for connection in idle.prefix(open.count - places) { connection.close() }
    }

    /// Closes those that have waited too long; to be called every second or so.
    func sweep() {
        let now = g_get_monotonic_time()
        for connection in Array(all.values) where connection.isOverdue(at: now) { connection.close() }
    }
}

/// A client's connection.
final class Connection {
    /// A `GSocketConnection`, which belongs to libsoup; nil when it is gone.
    fileprivate(set) var stream: UnsafeMutableRawPointer?
    private let address: ObjectReference
    fileprivate(set) var isTrusted = false
    fileprivate private(set) var isClosed = false
    /// Requests that are not answered yet.
    fileprivate private(set) var requests = 0
    /// When it came, or did something that counts, in microseconds.
    fileprivate private(set) var lastSeen = g_get_monotonic_time()
    /// Since when its client has sent all that it will.
    private var halfClosed: gint64?

    /// Microseconds that a client without the token has to send a request, and that one with it may rest.
    private static let (patience, rest): (gint64, gint64) = (10_000_000, 60_000_000)

    fileprivate init(_ stream: UnsafeMutableRawPointer, _ address: UnsafeMutableRawPointer) {
        self.stream = stream
        g_object_ref(address)
        self.address = ObjectReference(taking: address)
    }

    var socket: UnsafeMutablePointer<GSocket>? {
        stream.flatMap { g_socket_connection_get_socket($0.assumingMemoryBound(to: GSocketConnection.self)) }
    }

    /// A request's head has come.
    func begin() { (requests, lastSeen) = (requests + 1, g_get_monotonic_time()) }
    /// A request has been answered, or given up.
    func finish() { (requests, lastSeen) = (max(0, requests - 1), g_get_monotonic_time()) }
    /// A part of a request's body has come.
    func progress() { if isTrusted { lastSeen = g_get_monotonic_time() } }

    /// Ends both directions: libsoup lets the connection go.
    func close() {
        isClosed = true
        if let socket { g_socket_shutdown(socket, 1, 1, nil) }
    }

    fileprivate func isOverdue(at now: gint64) -> Bool {
        if isClosed { return true }
        noteEnd(at: now)
        if let halfClosed, now - halfClosed > Self.patience { return true }
        // A picture or a stream of events goes on for as long as its client reads it.
        if isTrusted, requests > 0, !isReceiving { return false }
        return now - lastSeen > (isTrusted ? Self.rest : Self.patience)
    }

    /// Whether a request's body is under way.
    var isReceiving = false

    /// Looks whether the client has ended its direction.
    private func noteEnd(at now: gint64) {
        guard halfClosed == nil, let socket else { return }
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        if recv(g_socket_get_fd(socket), &byte, 1, flags) == 0 { halfClosed = now }
    }
}
