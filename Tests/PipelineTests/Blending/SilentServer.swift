import Foundation
import TestSupport

/// Takes connections on a port of this machine and never answers.
final class SilentServer: @unchecked Sendable {
    // Opened by `init`; only `close` changes it, once.
    private let listener: Int32
    private var clients: [Int32] = []
    let port: UInt16

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isOpen = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 4) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isOpen else { throw SetupFailure("no port") }
    }

    deinit { close() }

    /// Waits, up to a minute, until a request has come.
    func waitForClient() -> Bool {
        var event = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&event, 1, 60_000) == 1 else { return false }
        clients.append(accept(listener, nil, nil))
        return true
    }

    /// Ends all connections.
    func close() {
        for client in clients { Foundation.close(client) }
        clients.removeAll()
        shutdown(listener, Int32(SHUT_RDWR))
        Foundation.close(listener)
    }
}
