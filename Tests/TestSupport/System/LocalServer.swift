import Foundation
import Synchronization

/// A server on a port of this machine, which sends the same bytes to each client.
public final class LocalServer: Sendable {
    /// The answer to each client.
    public enum Answer: Sendable {
        /// No bytes; the connection stays open.
        case silence
        /// These bytes, then the end of the connection.
        case bytes([UInt8])
        /// The first bytes, then the others repeatedly until the client leaves.
        case endless([UInt8], then: [UInt8])

        /// The header of a web server's answer with a file.
        public static let head = Array("HTTP/1.0 200 OK\r\n\r\n".utf8)
    }

    private struct Client: Sendable {
        let descriptor: Int32
        /// The port at the client's end.
        let port: UInt16
        /// Whether `countClients` made the connection.
        var isOwn = false
    }

    /// The open sockets: closed once no thread uses them, since their numbers are given to others then.
    private final class Sockets: Sendable {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let clients = Mutex<[Client]>([])

        /// Ends all connections, and accepts no more.
        func shutDown() {
            shutdown(listener, Int32(SHUT_RDWR))
            clients.withLock { for client in $0 { shutdown(client.descriptor, Int32(SHUT_RDWR)) } }
        }

        deinit {
            let descriptors = clients.withLock { $0.map(\.descriptor) } + [listener]
            for descriptor in descriptors { Foundation.close(descriptor) }
        }
    }

    private let sockets = Sockets()
    private let arrivals = DispatchSemaphore(value: 0)
    /// The port on which the server listens.
    public let port: UInt16

    /// Listens on a free port.
    public init(_ answer: Answer) throws {
        let listener = sockets.listener
        let isOpen = withAddress(port: 0) { bind(listener, $0, $1) == 0 && listen(listener, 16) == 0 }
        port = Self.port(of: listener)
        guard isOpen, port > 0 else { throw SetupFailure("no port") }
        Thread.detachNewThread { [sockets, arrivals] in
            while true {
                var address = sockaddr_in()
                let client = address.withBytes { accept(listener, $0, $1) }
                guard client >= 0 else { return }
                sockets.clients.withLock {
                    $0.append(Client(descriptor: client, port: UInt16(bigEndian: address.sin_port)))
                }
                arrivals.signal()
                Thread.detachNewThread { Self.give(answer, to: client, of: sockets) }
            }
        }
    }

    deinit { close() }

    /// Waits until a client has connected; false if none does.
    public func waitForClient() -> Bool { wait { !$0.isEmpty } }

    /// Number of accepted clients, without those that are still connecting.
    public var clientCount: Int { sockets.clients.withLock { $0.count { !$0.isOwn } } }

    /// Returns the number of clients that have connected until now.
    public func countClients() throws -> Int {
        // Connections are accepted in their order, so this call's own connection is the last.
        let own = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { Foundation.close(own) }
        guard withAddress(port: port, { connect(own, $0, $1) == 0 }) else {
            throw SetupFailure("no connection")
        }
        let ownPort = Self.port(of: own)
        guard wait(until: { $0.contains { $0.port == ownPort } }) else { throw SetupFailure("not accepted") }
        return sockets.clients.withLock { clients in
            for index in clients.indices where clients[index].port == ownPort { clients[index].isOwn = true }
            return clients.count { !$0.isOwn }
        }
    }

    /// Ends all connections, and accepts no more.
    public func close() { sockets.shutDown() }

    /// Checks the condition after each new client; false if it does not become true.
    private func wait(until condition: ([Client]) -> Bool) -> Bool {
        while !sockets.clients.withLock({ condition($0) }) {
            guard arrivals.wait(timeout: .now() + Patience.event) == .success else { return false }
        }
        return true
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in()
        guard address.withBytes({ getsockname(descriptor, $0, $1) }) == 0 else { return 0 }
        return UInt16(bigEndian: address.sin_port)
    }

    /// - Parameter sockets: keeps the client open meanwhile.
    private static func give(_ answer: Answer, to client: Int32, of sockets: Sockets) {
        defer { withExtendedLifetime(sockets) {} }
        switch answer {
        case .silence: break
        case .bytes(let bytes):
            send(bytes, to: client)
            shutdown(client, Int32(SHUT_RDWR))
        case .endless(let first, let others):
            guard send(first, to: client) else { return }
            while send(others, to: client) {}
        }
    }

    @discardableResult
    private static func send(_ bytes: [UInt8], to client: Int32) -> Bool {
        var count = 0
        while count < bytes.count {
            let sent = bytes[count...].withUnsafeBytes {
                Foundation.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            count += sent
        }
        return true
    }
}

extension sockaddr_in {
    /// Calls `body` with pointers to the address and its size, for functions that write both.
    fileprivate mutating func withBytes(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int32 {
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &self) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
        }
    }
}

/// Calls `body` with the address of a port of this machine.
private func withAddress(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address.withBytes { body($0, $1.pointee) ? 0 : -1 } == 0
}
