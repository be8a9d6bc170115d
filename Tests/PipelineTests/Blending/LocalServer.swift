import Foundation
import Synchronization
import TestSupport

/// A server on a port of this machine, which gives each client the same bytes.
final class LocalServer: Sendable {
    /// What a client gets.
    enum Answer: Sendable {
        /// Nothing, and the connection stays.
        case silence
        /// These bytes, and then the end of the connection.
        case bytes([UInt8])
        /// The first bytes, and the others again and again until the client goes.
        case endless([UInt8], then: [UInt8])

        /// What a web server says before a file.
        static let head = Array("HTTP/1.0 200 OK\r\n\r\n".utf8)
    }

    private struct State: Sendable {
        var clients: [Int32] = []
        var sent = 0
    }

    private let listener: Int32
    private let state = Mutex(State())
    let port: UInt16

    init(_ answer: Answer) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isOpen = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isOpen else { throw SetupFailure("no port") }
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0, let self else { return }
                state.withLock { $0.clients.append(client) }
                Thread.detachNewThread { self.give(answer, to: client) }
            }
        }
    }

    deinit {
        close()
        for descriptor in state.withLock({ $0.clients }) + [listener] { Foundation.close(descriptor) }
    }

    /// How many clients have come.
    var clientCount: Int { state.withLock { $0.clients.count } }

    /// Bytes that all clients were given.
    var sentBytes: Int { state.withLock { $0.sent } }

    /// Waits, up to a minute, until a client has come.
    func waitForClient() -> Bool {
        (0..<6000).contains { _ in
            if clientCount > 0 { return true }
            usleep(10_000)
            return false
        }
    }

    /// Ends all connections, and takes no more.
    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        state.withLock { for client in $0.clients { shutdown(client, Int32(SHUT_RDWR)) } }
    }

    private func give(_ answer: Answer, to client: Int32) {
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
    private func send(_ bytes: [UInt8], to client: Int32) -> Bool {
        var count = 0
        while count < bytes.count {
            let sent = bytes[count...].withUnsafeBytes {
                Foundation.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            count += sent
            state.withLock { $0.sent += sent }
        }
        return true
    }
}
